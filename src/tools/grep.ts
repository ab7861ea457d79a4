import type { AgentTool } from '../loop/types';
import {
  PATH_NAMES,
  pickArguments,
  textArgument,
  toBoolean,
  toNumber,
  wholeNumberArgument,
} from './arguments';
import type { VirtualFileSystem } from './file-system';
import { notFound } from './file-system-error';
import { withNotices } from './job-output';
import type { GrepJob, GrepResult } from './jobs/job';
import type { ToolRunner } from './jobs/job-runner';
import { displayPath } from './paths';
import { runSearch } from './search';
import { MAX_BYTES, truncateHead } from './truncate';

/** Matching lines, and the files they are in; `limited` when there may be more. */
export interface GrepDetails {
  pattern: string;
  path: string;
  matches: number;
  files: number;
  limited: boolean;
}

const DEFAULT_LIMIT = 100;
const MAX_CONTEXT = 100;
/** Kept free for notices, since the limit is for all that the model gets. */
const NOTICE_BYTES = 400;

function prepareArguments(raw: unknown): Record<string, unknown> {
  const args = pickArguments(raw, {
    pattern: ['query', 'regex'],
    path: PATH_NAMES,
    glob: ['include'],
    ignoreCase: ['ignore_case', 'case_insensitive'],
    literal: [],
    context: [],
    limit: [],
  });
  for (const name of ['context', 'limit']) if (name in args) args[name] = toNumber(args[name]);
  for (const name of ['ignoreCase', 'literal']) if (name in args) args[name] = toBoolean(args[name]);
  return args;
}

export function createGrepTool(fs: VirtualFileSystem, runner: ToolRunner): AgentTool {
  return {
    name: 'grep',
    label: 'Search',
    description:
      'Search the text files for lines that match a JavaScript regular expression, or a literal text. Lines are shown as ' +
      `path:line: text. At most ${DEFAULT_LIMIT} matching lines unless limit says otherwise.`,
    parameters: {
      type: 'object',
      properties: {
        pattern: { type: 'string', description: 'The regular expression, or the text when literal is true.' },
        path: { type: 'string', description: 'A file or a folder to search. Without it /project.' },
        glob: {
          type: 'string',
          description: 'Only files that match this glob, such as *.ts or src/**/*.md.',
        },
        ignoreCase: { type: 'boolean', description: 'Upper and lower case are the same.' },
        literal: { type: 'boolean', description: 'The pattern is no expression but a text.' },
        context: { type: 'integer', minimum: 0, description: 'Lines shown before and after each match (0).' },
        limit: {
          type: 'integer',
          minimum: 1,
          description: `How many matching lines at most (${DEFAULT_LIMIT}).`,
        },
      },
      required: ['pattern'],
    },
    prepareArguments,
    async execute(_toolCallId, rawArguments, signal) {
      const args = prepareArguments(rawArguments);
      const pattern = textArgument(args, 'pattern');
      if (pattern === '') throw new Error('pattern is empty: give something to search for.');
      const path = fs.resolve(args['path'] === undefined ? '.' : textArgument(args, 'path'));
      if (!fs.exists(path)) throw notFound(path);
      const limit = wholeNumberArgument(args, 'limit', 1) ?? DEFAULT_LIMIT;
      const result = await runSearch<GrepJob>(fs, runner, signal, {
        kind: 'grep',
        pattern,
        path,
        ...(args['glob'] !== undefined && { glob: textArgument(args, 'glob') }),
        ignoreCase: args['ignoreCase'] === true,
        literal: args['literal'] === true,
        context: Math.min(wholeNumberArgument(args, 'context', 0) ?? 0, MAX_CONTEXT),
        limit,
      });
      const { text, limited } = listing(result, limit, displayPath(path));
      const details: GrepDetails = { pattern, path, matches: result.matches, files: result.files, limited };
      return { content: [{ type: 'text', text }], details };
    },
  };
}

function listing(result: GrepResult, limit: number, path: string): { text: string; limited: boolean } {
  if (result.lines.length === 0) return { text: `[No line in ${path} matches.]`, limited: false };
  const shown = truncateHead(result.lines.join('\n'), {
    maxLines: Infinity,
    maxBytes: MAX_BYTES - NOTICE_BYTES,
  });
  const notices: string[] = [];
  if (shown.truncated)
    notices.push(
      `Showing ${shown.outputLines} lines, all that fit. Search for something narrower, or in a part of the files.`,
    );
  else if (result.stoppedAt === 'limit')
    notices.push(
      `There are more than ${limit} matching lines. Use limit=${limit * 2} for more, or a narrower pattern.`,
    );
  if (result.cutLines > 0) notices.push('Long lines are cut at 500 characters. Use read to see them whole.');
  return {
    text: withNotices(shown.content, notices),
    limited: shown.truncated || result.stoppedAt !== undefined,
  };
}
