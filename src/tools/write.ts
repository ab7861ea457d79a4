import type { AgentTool } from '../loop/types';
import { PATH_NAMES, pathArgument, pickArguments, textArgument } from './arguments';
import { formatBytes } from './encoding';
import type { VirtualFileSystem } from './file-system';
import { unifiedDiff } from './patch';
import { displayPath } from './paths';

/** `patch` and its lines are there when a text file was replaced by another text. */
export interface WriteDetails {
  path: string;
  bytes: number;
  created: boolean;
  patch?: string;
  added?: number;
  removed?: number;
}

const prepareArguments = (raw: unknown) => pickArguments(raw, { path: PATH_NAMES, content: [] });

export function createWriteTool(fs: VirtualFileSystem): AgentTool {
  return {
    name: 'write',
    label: 'Write',
    description:
      'Write a whole text file. A missing file and its folders are created; an existing file is replaced.',
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'The file, relative to /project or absolute.' },
        content: { type: 'string', description: 'The whole new text of the file.' },
      },
      required: ['path', 'content'],
    },
    prepareArguments,
    async execute(_toolCallId, rawArguments, signal) {
      const args = prepareArguments(rawArguments);
      const path = pathArgument(args);
      const content = textArgument(args, 'content');
      return fs.runExclusive(path, () => {
        signal?.throwIfAborted();
        const details = writeFile(fs, fs.resolve(path), content);
        const what = details.created ? 'Created' : 'Replaced';
        return {
          content: [
            { type: 'text', text: `${what} ${displayPath(details.path)}: ${formatBytes(details.bytes)}.` },
          ],
          details,
        };
      });
    },
  };
}

function writeFile(fs: VirtualFileSystem, path: string, content: string): WriteDetails {
  const created = !fs.exists(path);
  const before = !created && fs.kind(path) === 'file' && fs.isText(path) ? fs.readText(path) : undefined;
  fs.writeText(path, content);
  return {
    path,
    bytes: fs.size(path),
    created,
    ...(before !== undefined && unifiedDiff(displayPath(path), before, fs.readText(path))),
  };
}
