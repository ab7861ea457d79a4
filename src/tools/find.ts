import type { AgentTool } from '../loop/types';
import { PATH_NAMES, pickArguments, textArgument, toNumber, wholeNumberArgument } from './arguments';
import type { VirtualFileSystem } from './file-system';
import { notFolder, notFound } from './file-system-error';
import { withNotices } from './job-output';
import type { FindJob, FindResult } from './jobs/job';
import type { ToolRunner } from './jobs/job-runner';
import { displayPath } from './paths';
import { runSearch } from './search';
import { MAX_BYTES, truncateHead } from './truncate';

/** `count` is how many files and folders match, shown or not. */
export interface FindDetails {
  pattern: string;
  path: string;
  count: number;
}

const DEFAULT_LIMIT = 1000;
/** Kept free for the notice, since the limit is for all that the model gets. */
const NOTICE_BYTES = 200;

function prepareArguments(raw: unknown): Record<string, unknown> {
  const args = pickArguments(raw, { pattern: ['glob', 'name'], path: PATH_NAMES, limit: [] });
  if ('limit' in args) args['limit'] = toNumber(args['limit']);
  return args;
}

export function createFindTool(fs: VirtualFileSystem, runner: ToolRunner): AgentTool {
  return {
    name: 'find',
    label: 'Find',
    description:
      'Find files and folders by a glob: *.ts means names at any depth, src/**/*.ts means paths. Sorted; folders end with ' +
      `"/". At most ${DEFAULT_LIMIT} unless limit says otherwise.`,
    parameters: {
      type: 'object',
      properties: {
        pattern: { type: 'string', description: 'The glob, with *, **, ?, [abc] and {a,b}.' },
        path: { type: 'string', description: 'The folder to look in. Without it /project.' },
        limit: { type: 'integer', minimum: 1, description: `How many at most (${DEFAULT_LIMIT}).` },
      },
      required: ['pattern'],
    },
    prepareArguments,
    async execute(_toolCallId, rawArguments, signal) {
      const args = prepareArguments(rawArguments);
      const pattern = textArgument(args, 'pattern');
      if (pattern === '') throw new Error('pattern is empty: give a glob such as *.ts.');
      const path = fs.resolve(args['path'] === undefined ? '.' : textArgument(args, 'path'));
      const kind = fs.kind(path);
      if (kind !== 'folder') throw kind ? notFolder(path) : notFound(path);
      const limit = wholeNumberArgument(args, 'limit', 1) ?? DEFAULT_LIMIT;
      const result = await runSearch<FindJob>(fs, runner, signal, { kind: 'find', pattern, path, limit });
      const details: FindDetails = { pattern, path, count: result.count };
      return { content: [{ type: 'text', text: listing(result, limit, displayPath(path)) }], details };
    },
  };
}

function listing({ paths, count }: FindResult, limit: number, path: string): string {
  if (count === 0) return `[Nothing in ${path} matches.]`;
  const shown = truncateHead(paths.join('\n'), { maxLines: Infinity, maxBytes: MAX_BYTES - NOTICE_BYTES });
  if (shown.outputLines === count) return shown.content;
  const next = shown.truncated
    ? 'Use a narrower pattern.'
    : `Use limit=${Math.min(count, limit * 2)} for more.`;
  return withNotices(shown.content, [`Showing ${shown.outputLines} of ${count}. ${next}`]);
}
