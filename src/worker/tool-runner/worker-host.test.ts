import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { JobStopped } from '../../tools';
import type { JobOutcome, JobRequest } from '../../tools';
import type { FromToolWorker, ToToolWorker } from './messages';
import { WorkerHost } from './worker-host';
import type { ToolWorker } from './worker-host';

/** A worker that does what the test says. */
function fakeWorker() {
  const listeners = new Map<string, (event: Event) => void>();
  const sent: ToToolWorker[] = [];
  const terminate = vi.fn();
  const worker: ToolWorker = {
    postMessage: (message) => sent.push(message),
    terminate,
    addEventListener: (type, listener) => void listeners.set(type, listener),
  };
  return {
    sent,
    terminate,
    host: new WorkerHost(worker),
    say: (data: FromToolWorker) => listeners.get('message')?.({ data } as MessageEvent),
    break: (message?: string) => listeners.get('error')?.({ message } as ErrorEvent),
  };
}

const request: JobRequest = {
  job: { kind: 'js', code: '', timeoutMs: 1000 },
  updates: [],
  shell: { folders: [], modes: {} },
};
const outcome: JobOutcome = { result: {}, changes: [], shell: { folders: [], modes: {} } };

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

describe('a job in a worker', () => {
  it('ends with what the worker says', async () => {
    const { host, sent, say } = fakeWorker();
    const output: string[] = [];
    const running = host.run(request, { onOutput: (text) => output.push(text) });
    expect(sent).toEqual([{ type: 'run', request }]);
    say({ type: 'started' });
    say({ type: 'output', text: 'a' });
    say({ type: 'done', outcome });
    expect(await running).toEqual(outcome);
    expect(output).toEqual(['a']);
    const failing = host.run(request, {});
    say({ type: 'failed', message: 'no' });
    await expect(failing).rejects.toThrow('no');
    const stopping = host.run(request, {});
    say({ type: 'stopped', reason: 'memory' });
    await expect(stopping).rejects.toEqual(new JobStopped('memory'));
  });

  it('fails when the worker does, and when it is closed', async () => {
    const one = fakeWorker();
    const running = one.host.run(request, {});
    one.break('Script error.');
    await expect(running).rejects.toThrow('The tool worker failed: Script error.');
    const other = fakeWorker();
    const closing = other.host.run(request, {});
    other.host.close();
    await expect(closing).rejects.toEqual(new JobStopped('aborted'));
    expect(other.terminate).toHaveBeenCalledOnce();
  });

  it('has its time from its start, beyond what loading takes', async () => {
    const { host, say } = fakeWorker();
    const running = host.run(request, {}).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(50_000);
    say({ type: 'started' });
    await vi.advanceTimersByTimeAsync(1499);
    say({ type: 'output', text: 'still there' });
    await vi.advanceTimersByTimeAsync(1);
    expect(await running).toEqual(new JobStopped('time'));
  });

  it('must load some time', async () => {
    const { host } = fakeWorker();
    const running = host.run(request, {}).catch((error: unknown) => String(error));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await running).toBe('Error: The tool worker did not load in time.');
  });

  it('is not timed while it waits for the tools it called', async () => {
    const { host, sent, say } = fakeWorker();
    const answers: ((text: string) => void)[] = [];
    const callTool = () =>
      new Promise<{ text: string; isError: boolean }>((resolve) => {
        answers.push((text) => resolve({ text, isError: false }));
      });
    const running = host.run(request, { callTool }).catch((error: unknown) => error);
    say({ type: 'started' });
    await vi.advanceTimersByTimeAsync(1000);
    say({ type: 'call', call: 0, name: 'ask', args: {} });
    say({ type: 'call', call: 1, name: 'ask', args: {} });
    await vi.advanceTimersByTimeAsync(60_000);
    answers[1]?.('second');
    await vi.advanceTimersByTimeAsync(60_000);
    answers[0]?.('first');
    await vi.advanceTimersByTimeAsync(499);
    expect(sent.slice(1)).toEqual([
      { type: 'answer', call: 1, result: { text: 'second', isError: false } },
      { type: 'answer', call: 0, result: { text: 'first', isError: false } },
    ]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await running).toEqual(new JobStopped('time'));
  });

  it('ends on abort, before or after it began', async () => {
    const { host } = fakeWorker();
    const controller = new AbortController();
    const running = host.run(request, { signal: controller.signal });
    controller.abort();
    await expect(running).rejects.toEqual(new JobStopped('aborted'));
    await expect(host.run(request, { signal: controller.signal })).rejects.toThrow('aborted');
  });
});
