import type { AgentTool } from '../loop/types';
import { PATH_NAMES, pickArguments, textArgument, toNumber, wholeNumberArgument } from './arguments';
import type { VirtualFileSystem } from './file-system';
import { displayPath } from './paths';
import { MAX_BYTES, truncateHead } from './truncate';

/** `count` is how many entries the folder has, shown or not. */
export interface LsDetails {
  path: string;
  count: number;
}

const DEFAULT_LIMIT = 500;
/** Kept free for the notice, since the limit is for all that the model gets. */
const NOTICE_BYTES = 200;

function prepareArguments(raw: unknown): Record<string, unknown> {
  const { limit, ...rest } = pickArguments(raw, { path: PATH_NAMES, limit: [] });
  return limit === undefined ? rest : { ...rest, limit: toNumber(limit) };
}

export function createLsTool(fs: VirtualFileSystem): AgentTool {
  return {
    name: 'ls',
    label: 'List',
    description: `List a folder, sorted by name; folders end with "/". At most ${DEFAULT_LIMIT} entries unless limit says otherwise.`,
    parameters: {
      type: 'object',
      properties: {
        path: {
          type: 'string',
          description: 'The folder, relative to /project or absolute. Without it /project.',
        },
        limit: { type: 'integer', minimum: 1, description: `How many entries at most (${DEFAULT_LIMIT}).` },
      },
    },
    prepareArguments,
    async execute(_toolCallId, rawArguments, signal) {
      const args = prepareArguments(rawArguments);
      const path = args['path'] === undefined ? '.' : textArgument(args, 'path');
      const limit = wholeNumberArgument(args, 'limit', 1) ?? DEFAULT_LIMIT;
      return fs.runExclusive(path, () => {
        signal?.throwIfAborted();
        const resolved = fs.resolve(path);
        const names = fs.entries(resolved).map(({ name, kind }) => (kind === 'folder' ? `${name}/` : name));
        const details: LsDetails = { path: resolved, count: names.length };
        return { content: [{ type: 'text', text: listing(names, limit, displayPath(resolved)) }], details };
      });
    },
  };
}

function listing(names: string[], limit: number, path: string): string {
  if (names.length === 0) return `[${path} is empty.]`;
  const shown = truncateHead(names.slice(0, limit).join('\n'), {
    maxLines: limit,
    maxBytes: MAX_BYTES - NOTICE_BYTES,
  });
  if (shown.outputLines === names.length) return shown.content;
  const next =
    shown.truncatedBy === 'bytes'
      ? 'List a folder inside it instead.'
      : `Use limit=${Math.min(names.length, limit * 2)} for more.`;
  return `${shown.content}\n\n[Showing ${shown.outputLines} of ${names.length} entries. ${next}]`;
}
