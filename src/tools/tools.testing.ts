import type { ToolResult } from '../loop/types';
import { createTools } from './index';
import type { ToolOptions, VirtualFileSystem } from './index';

/** Runs a tool as the loop does: arguments are prepared, then `execute` starts in this tick. */
export function call(
  fs: VirtualFileSystem,
  name: string,
  args: unknown,
  signal?: AbortSignal,
  options: ToolOptions = {},
  onUpdate?: (partial: ToolResult) => void,
): Promise<ToolResult> {
  const tool = createTools(fs, options).find((each) => each.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return tool.execute('call', tool.prepareArguments?.(args) ?? {}, signal, onUpdate);
}

export const textOf = (result: ToolResult) =>
  result.content.map((part) => (part.type === 'text' ? part.text : `<${part.mimeType}>`)).join('\n');

/** Bytes of UTF-8. */
export const size = (text: string) => new TextEncoder().encode(text).length;
