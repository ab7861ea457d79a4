import type { AgentTool } from '../loop/types';
import { createEditTool } from './edit-tool';
import type { VirtualFileSystem } from './file-system';
import { createLsTool } from './ls';
import { createReadTool } from './read';
import { createWriteTool } from './write';

export type { Edit, EditedText } from './edit';
export { applyEdits } from './edit';
export type { EditDetails } from './edit-tool';
export type { FileChange, FileContent, FolderEntry } from './file-system';
export { VirtualFileSystem } from './file-system';
export type { FileSystemErrorCode } from './file-system-error';
export { FileSystemError } from './file-system-error';
export type { LsDetails } from './ls';
export type { ReadBinaryDetails, ReadTextDetails } from './read';
export type { Truncation, TruncationLimits } from './truncate';
export { truncateHead, truncateTail } from './truncate';
export type { WriteDetails } from './write';

export interface ToolOptions {
  /** Names of the tools to make, in this order; without it all of them. */
  only?: readonly string[];
}

type CreateTool = (fs: VirtualFileSystem, toolNames: readonly string[]) => AgentTool;

const TOOLS = new Map<string, CreateTool>([
  ['read', createReadTool],
  ['write', createWriteTool],
  ['edit', createEditTool],
  ['ls', createLsTool],
]);

/** The built-in tools on a file system. Throws for a name that no tool has. */
export function createTools(fs: VirtualFileSystem, options: ToolOptions = {}): AgentTool[] {
  const names = options.only ?? [...TOOLS.keys()];
  return names.map((name) => {
    const create = TOOLS.get(name);
    if (!create) throw new Error(`There is no tool "${name}"; there are ${[...TOOLS.keys()].join(', ')}.`);
    return create(fs, names);
  });
}
