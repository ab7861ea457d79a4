import type { AgentTool, ToolResult } from '../loop/types';
import { createAskTool } from './ask';
import type { Ask } from './ask';
import { createBashTool } from './bash';
import { createEditTool } from './edit-tool';
import { createFetchTool } from './fetch';
import type { FileChange, FileContent, FolderEntry } from './file-system';
import { VirtualFileSystem } from './file-system';
import { createFindTool } from './find';
import { createFinishTool } from './finish';
import { createGrepTool } from './grep';
import { errorMessage } from './jobs/job';
import type { ToolRunner } from './jobs/job-runner';
import { localRunner } from './jobs/local-runner';
import { createJsTool } from './js';
import type { CallTool } from './js';
import { createLsTool } from './ls';
import { createReadTool } from './read';
import { createWaitTool, realSleep } from './wait';
import type { Sleep } from './wait';
import { createWriteTool } from './write';

export type { Ask, AskDetails } from './ask';
export type { BashDetails } from './bash';
export type { Edit, EditedText } from './edit';
export { applyEdits } from './edit';
export type { EditDetails } from './edit-tool';
export type { FetchDetails } from './fetch';
export type { FileChange, FileContent, FolderEntry };
export { VirtualFileSystem };
export type { FileSystemErrorCode } from './file-system-error';
export { FileSystemError } from './file-system-error';
export type { FindDetails } from './find';
export type { FinishDetails } from './finish';
export type { GrepDetails } from './grep';
export type { FetchPermission } from './http-request';
export { needsPermission } from './http-request';
export type * from './jobs/job';
export { JobStopped } from './jobs/job';
export type { FinishedJob, JobRunnerOptions, ToolRunner } from './jobs/job-runner';
export { JobRunner } from './jobs/job-runner';
export type { CallTool, JsDetails, NestedCall } from './js';
export type { LsDetails } from './ls';
export type { ReadBinaryDetails, ReadTextDetails } from './read';
export type { Truncation, TruncationLimits } from './truncate';
export { truncateHead, truncateTail } from './truncate';
export type { Sleep, WaitDetails } from './wait';
export type { WriteDetails } from './write';

/** What tools need of their host. Without any of it they work, in this process and in real time, and nobody is asked. */
export interface ToolOptions {
  /** Names of the tools to make, in this order; without it all of them. */
  only?: readonly string[];
  /** Runs what may take long: one for all tools of a session. Without it such work runs in this process. */
  runner?: ToolRunner;
  /** Time for `wait`. */
  sleep?: Sleep;
  /** Asks the person, for `ask`. */
  ask?: Ask;
  /** For `fetch`: the platform's own when absent. */
  fetch?: typeof fetch;
  /** Where the page's sample files are, with a slash at the end: `fetch` reads them by relative URLs too. */
  samplesUrl?: string;
  /** Whether `fetch` follows redirects that start at an origin. */
  permitRedirects?: (origin: string) => boolean;
  /** Calls from the code of `js`, by the rules of the model's own. Without it the tools made here just run. */
  callTool?: CallTool;
}

interface ToolParts extends ToolOptions {
  names: readonly string[];
  runner: ToolRunner;
  callTool: CallTool;
}

const TOOLS = new Map<string, (fs: VirtualFileSystem, parts: ToolParts) => AgentTool>([
  ['read', (fs, { names }) => createReadTool(fs, names)],
  ['write', (fs) => createWriteTool(fs)],
  ['edit', (fs) => createEditTool(fs)],
  ['ls', (fs) => createLsTool(fs)],
  ['find', (fs, { runner }) => createFindTool(fs, runner)],
  ['grep', (fs, { runner }) => createGrepTool(fs, runner)],
  ['bash', (fs, { runner }) => createBashTool(fs, runner)],
  [
    'fetch',
    (fs, { runner, samplesUrl, permitRedirects, fetch = globalThis.fetch.bind(globalThis) }) =>
      createFetchTool(fs, { runner, fetch, samplesUrl, permitRedirects }),
  ],
  ['js', (fs, { runner, callTool }) => createJsTool(fs, runner, callTool)],
  ['wait', (_fs, { sleep = realSleep }) => createWaitTool(sleep)],
  ['finish', () => createFinishTool()],
  ['ask', (_fs, { ask }) => createAskTool(ask)],
]);

/** The built-in tools on a file system. Throws for a name that no tool has. */
export function createTools(fs: VirtualFileSystem, options: ToolOptions = {}): AgentTool[] {
  const names = options.only ?? [...TOOLS.keys()];
  const tools: AgentTool[] = [];
  const parts: ToolParts = {
    ...options,
    names,
    runner: options.runner ?? localRunner(fs),
    callTool: options.callTool ?? directCalls(tools),
  };
  for (const name of names) {
    const create = TOOLS.get(name);
    if (!create) throw new Error(`There is no tool "${name}"; there are ${[...TOOLS.keys()].join(', ')}.`);
    tools.push(create(fs, parts));
  }
  return tools;
}

/** Calls that just run, without hooks. */
function directCalls(tools: readonly AgentTool[]): CallTool {
  const failed = (text: string): { result: ToolResult; isError: boolean } => ({
    result: { content: [{ type: 'text', text }] },
    isError: true,
  });
  return async ({ toolCallId, name, args }, signal, onUpdate) => {
    const tool = tools.find((each) => each.name === name);
    if (!tool) return failed(`There is no tool "${name}".`);
    try {
      const result = await tool.execute(toolCallId, tool.prepareArguments?.(args) ?? args, signal, onUpdate);
      return { result, isError: result.isError === true };
    } catch (error) {
      return failed(errorMessage(error));
    }
  };
}
