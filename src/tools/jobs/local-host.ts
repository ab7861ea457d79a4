import type { Engines } from './engines';
import type { JobContext, JobHost, JobOutcome, JobRequest } from './job';
import { freezeClock } from './frozen-clock';
import { runJob } from './run-job';
import { WorkingCopy } from './working-copy';

/** Settles when the shells of this thread have ended whose time is not real. */
let shells: Promise<unknown> = Promise.resolve();

/**
 * Runs jobs where its caller runs. Nothing can be terminated here: a job ends by its own limits, and an abort is heeded when
 * the job lets the event loop turn.
 */
export class LocalHost implements JobHost {
  private readonly copy = new WorkingCopy();

  constructor(private readonly engines: Engines) {}

  async run(request: JobRequest, context: JobContext): Promise<JobOutcome> {
    const { job, now } = request;
    const place = { copy: this.copy, engines: this.engines };
    if (now === undefined) return runJob(request, context, place);
    if (job.kind === 'bash') return this.runShellAt(now, request, context);
    return runJob(request, context, { ...place, atTime: (work) => atTime(now, work) });
  }

  /** The whole thread has its clock meanwhile, and waits in line: a shell looks at it whenever it goes on. */
  private runShellAt(now: number, request: JobRequest, context: JobContext): Promise<JobOutcome> {
    const run = async () => {
      context.signal?.throwIfAborted();
      // Loading takes real time.
      await this.engines.loadShell();
      const clock = freezeClock(now, request.job.timeoutMs);
      try {
        return await runJob(request, context, {
          ...{ copy: this.copy, engines: this.engines, sleep: clock.sleep },
        });
      } finally {
        clock.restore();
      }
    };
    const outcome = shells.then(run);
    shells = outcome.catch(() => undefined); // the caller gets the error through `outcome`
    return outcome;
  }

  close(): void {
    // Nothing is kept that would outlive this object.
  }
}

function atTime<T>(now: number, work: () => T): T {
  const clock = freezeClock(now);
  try {
    return work();
  } finally {
    clock.restore();
  }
}
