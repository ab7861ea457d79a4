/**
 * Jobs: work of tools that may take long or never end by itself. A job runs on a copy of the files, where the host can stop
 * it; what it changed in them is handed back at its end.
 */
import type { FileContent } from '../file-system';

export interface BashJob {
  kind: 'bash';
  command: string;
  timeoutMs: number;
}

/** The code calls other tools through the context's `callTool`; the time they take is not counted. */
export interface JsJob {
  kind: 'js';
  code: string;
  timeoutMs: number;
}

/** `path` is a file or a folder, resolved. Without `glob` all files are searched. */
export interface GrepJob {
  kind: 'grep';
  pattern: string;
  path: string;
  glob?: string;
  ignoreCase: boolean;
  literal: boolean;
  /** Lines shown before and after a match. */
  context: number;
  /** How many matching lines at most. */
  limit: number;
  timeoutMs: number;
}

export interface FindJob {
  kind: 'find';
  pattern: string;
  /** A folder, resolved. */
  path: string;
  limit: number;
  timeoutMs: number;
}

/** The readable text of a page. */
export interface HtmlJob {
  kind: 'html';
  html: string;
  /** Where links start. */
  baseUrl: string;
  timeoutMs: number;
}

export type Job = BashJob | JsJob | GrepJob | FindJob | HtmlJob;

export interface BashResult {
  exitCode: number;
}

/** `value` is the last expression's as text, absent when it was undefined; `error` is what the code threw. */
export interface JsResult {
  value?: string;
  error?: string;
}

export interface GrepResult {
  /** `path:line: text`, and `path-line- text` for lines around a match; `--` between groups. */
  lines: string[];
  /** Matching lines, and the files they are in, as far as they were searched. */
  matches: number;
  files: number;
  /** Why it did not search to the end. */
  stoppedAt?: 'limit' | 'bytes';
  /** Lines that are shown in part. */
  cutLines: number;
}

export interface FindResult {
  /** As texts for models show them, sorted; folders end with a slash. */
  paths: string[];
  /** How many match, shown or not. */
  count: number;
}

export interface HtmlResult {
  text: string;
}

interface Results {
  bash: BashResult;
  js: JsResult;
  grep: GrepResult;
  find: FindResult;
  html: HtmlResult;
}
export type JobResult<J extends Job = Job> = Results[J['kind']];

/** A file as it is now; without content it was removed. */
export interface FileUpdate {
  path: string;
  content?: FileContent;
}

/** What a shell knows of files beyond what the file system keeps: folders without files, and modes that were set. */
export interface ShellState {
  folders: string[];
  modes: Record<string, number>;
}

/** What a job host gets: a job, and how the files differ from what it had at the end of its last job. */
export interface JobRequest {
  job: Job;
  updates: FileUpdate[];
  shell: ShellState;
  /** ms since the epoch: the job's clock stands there, and only sleeping moves it. Real time when absent. */
  now?: number;
}

export interface JobOutcome {
  result: JobResult;
  changes: FileUpdate[];
  shell: ShellState;
}

/** What a tool gave back to code that called it. */
export interface NestedResult {
  text: string;
  isError: boolean;
}

export interface JobContext {
  signal?: AbortSignal | undefined;
  /** Output as it comes; all of it comes this way. */
  onOutput?: (text: string) => void;
  callTool?: (name: string, args: unknown) => Promise<NestedResult>;
}

/** Where jobs run, one at a time. A host whose job failed or was stopped is closed and never used again. */
export interface JobHost {
  /** Rejects with `JobStopped` at a limit, with the signal's reason on abort, and with an error of the job otherwise. */
  run(request: JobRequest, context: JobContext): Promise<JobOutcome>;
  close(): void;
}

export type StopReason = 'time' | 'output' | 'memory' | 'aborted';

/** A job that was ended before its time. What it had changed is dropped. */
export class JobStopped extends Error {
  override readonly name = 'JobStopped';

  constructor(readonly reason: StopReason) {
    super(`The job was stopped: ${reason}.`);
  }
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
