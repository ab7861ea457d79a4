import type { VirtualFileSystem } from './file-system';
import { seconds } from './job-output';
import { JobStopped } from './jobs/job';
import type { FindJob, GrepJob, JobResult } from './jobs/job';
import type { ToolRunner } from './jobs/job-runner';

const TIMEOUT_MS = 10_000;

/** Runs a search as a job, so that no pattern holds the session. Throws, for the model, why it was stopped. */
export async function runSearch<J extends GrepJob | FindJob>(
  fs: VirtualFileSystem,
  runner: ToolRunner,
  signal: AbortSignal | undefined,
  search: Omit<J, 'timeoutMs'>,
): Promise<JobResult<J>> {
  try {
    const { result } = await runner.run({ ...search, timeoutMs: TIMEOUT_MS } as J, fs, { signal });
    return result;
  } catch (error) {
    if (!(error instanceof JobStopped)) throw error;
    throw new Error(
      error.reason === 'aborted'
        ? 'Aborted.'
        : `Stopped: the search took longer than ${seconds(TIMEOUT_MS)}. Use a simpler pattern, or search a part of the files.`,
      { cause: error },
    );
  }
}
