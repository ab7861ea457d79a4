/** Runs the jobs of a session's tools in tool workers. */
import { JobRunner } from '../../tools';
import type { VirtualFileSystem } from '../../tools';
import { spawnToolWorker } from './spawn';
import { WorkerHost } from './worker-host';

export interface WorkerRunnerOptions {
  /** The session's files. */
  files: VirtualFileSystem;
  /** ms since the epoch, for sessions whose time is not real. */
  now?: () => number;
}

/** The `runner` for the tools of one session. No worker is started before the first job. `dispose` it with the session. */
export function createWorkerRunner(options: WorkerRunnerOptions): JobRunner {
  return new JobRunner({ ...options, openHost: () => new WorkerHost(spawnToolWorker()) });
}
