import { JobStopped } from '../../tools';
import type { Job, JobContext, NestedResult } from '../../tools';
import type { Engines } from '../../tools/jobs/engines';
import { runJob } from '../../tools/jobs/run-job';
import { WorkingCopy } from '../../tools/jobs/working-copy';
import { freezeClock } from '../../tools/jobs/frozen-clock';
import type { FromToolWorker, ToToolWorker } from './messages';

/** The tool worker's side of its port. */
export interface JobPort {
  postMessage(message: FromToolWorker): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}

/** Runs the jobs that come over a port, on files that stay here from job to job. */
export function serveJobs(port: JobPort, engines: Engines): void {
  const copy = new WorkingCopy();
  const answers = new Map<number, (result: NestedResult) => void>();
  let calls = 0;
  const context: JobContext = {
    onOutput: (text) => port.postMessage({ type: 'output', text }),
    callTool: (name, args) =>
      new Promise((resolve) => {
        const call = calls++;
        answers.set(call, resolve);
        port.postMessage({ type: 'call', call, name, args });
      }),
  };
  const run = async ({ request }: Extract<ToToolWorker, { type: 'run' }>) => {
    await prepare(request.job, engines);
    port.postMessage({ type: 'started' });
    const clock = request.now === undefined ? undefined : freezeClock(request.now);
    try {
      return await runJob(request, context, { copy, engines, ...(clock && { sleep: clock.sleep }) });
    } finally {
      clock?.restore();
    }
  };
  port.addEventListener('message', ({ data }: MessageEvent<ToToolWorker>) => {
    if (data.type === 'answer') {
      answers.get(data.call)?.(data.result);
      answers.delete(data.call);
    } else {
      run(data).then(
        (outcome) => port.postMessage({ type: 'done', outcome }),
        (error: unknown) => port.postMessage(failure(error)),
      );
    }
  });
}

async function prepare(job: Job, engines: Engines): Promise<void> {
  if (job.kind === 'bash') await engines.loadShell();
  if (job.kind === 'js') await engines.loadSandbox();
  if (job.kind === 'html') await import('../../tools/jobs/html');
}

function failure(error: unknown): FromToolWorker {
  if (error instanceof JobStopped) return { type: 'stopped', reason: error.reason };
  return { type: 'failed', message: error instanceof Error ? error.message : String(error) };
}
