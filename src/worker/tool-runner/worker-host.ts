import { JobStopped } from '../../tools';
import type { JobContext, JobHost, JobOutcome, JobRequest } from '../../tools';
import { Countdown } from './countdown';
import type { FromToolWorker, ToToolWorker } from './messages';

/** What is used of a `Worker`. */
export interface ToolWorker {
  postMessage(message: ToToolWorker): void;
  terminate(): void;
  addEventListener(type: 'message' | 'error' | 'messageerror', listener: (event: Event) => void): void;
}

/** ms that a job may take beyond its own limit, which it sees to itself when it can. */
const GRACE_MS = 500;
/** ms for loading what a job needs. */
const LOADING_MS = 60_000;

/** Runs jobs in a tool worker. Whatever a job does, it ends: the worker is terminated on abort and when time is over. */
export class WorkerHost implements JobHost {
  private receive: (message: FromToolWorker) => void = () => undefined;
  private fail: (error: Error) => void = () => undefined;

  constructor(private readonly worker: ToolWorker) {
    worker.addEventListener('message', (event) => this.receive((event as MessageEvent<FromToolWorker>).data));
    const failed = (event: Event) => {
      const { message = 'it sent no message' } = event as Partial<ErrorEvent>;
      this.fail(new Error(`The tool worker failed: ${message}`));
    };
    worker.addEventListener('error', failed);
    worker.addEventListener('messageerror', failed);
  }

  run(request: JobRequest, { signal, onOutput, callTool }: JobContext): Promise<JobOutcome> {
    const loading = new Countdown(LOADING_MS, () =>
      this.fail(new Error('The tool worker did not load in time.')),
    );
    const time = new Countdown(request.job.timeoutMs + GRACE_MS, () => this.fail(new JobStopped('time')));
    const abort = () => this.fail(new JobStopped('aborted'));
    let openCalls = 0;
    const call = async (number: number, name: string, args: unknown) => {
      if (openCalls++ === 0) time.pause();
      const result = callTool
        ? await callTool(name, args)
        : { text: 'No other tools can be called here.', isError: true };
      if (--openCalls === 0) time.start();
      this.worker.postMessage({ type: 'answer', call: number, result });
    };
    return new Promise<JobOutcome>((resolve, reject) => {
      signal?.throwIfAborted();
      signal?.addEventListener('abort', abort);
      this.fail = reject;
      this.receive = (message) => {
        switch (message.type) {
          case 'started':
            loading.pause();
            return time.start();
          case 'output':
            return onOutput?.(message.text);
          case 'call':
            return void call(message.call, message.name, message.args).catch(reject);
          case 'done':
            return resolve(message.outcome);
          case 'stopped':
            return reject(new JobStopped(message.reason));
          case 'failed':
            return reject(new Error(message.message));
        }
      };
      loading.start();
      this.worker.postMessage({ type: 'run', request });
    }).finally(() => {
      loading.pause();
      time.pause();
      signal?.removeEventListener('abort', abort);
    });
  }

  close(): void {
    this.worker.terminate();
    this.fail(new JobStopped('aborted'));
  }
}
