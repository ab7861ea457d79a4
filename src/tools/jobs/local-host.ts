import type { Engines } from './engines';
import type { JobContext, JobHost, JobOutcome, JobRequest } from './job';
import { runJob } from './run-job';
import { WorkingCopy } from './working-copy';

/**
 * Runs jobs where its caller runs. Nothing can be terminated here: a job ends by its own limits, and an abort is heeded when
 * the job lets the event loop turn.
 */
export class LocalHost implements JobHost {
  private readonly copy = new WorkingCopy();

  constructor(private readonly engines: Engines) {}

  run(request: JobRequest, context: JobContext): Promise<JobOutcome> {
    return runJob(request, context, { copy: this.copy, engines: this.engines });
  }

  close(): void {
    // Nothing is kept that would outlive this object.
  }
}
