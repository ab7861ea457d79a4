import { describe, expect, it, vi } from 'vitest';
import type { Command, FromWorker } from '../protocol';
import { CommandError, problemOf, WorkerClient } from './client';
import type { WorkerState } from './client';

/** A worker that does what the test says. */
class FakeWorker extends EventTarget {
  readonly sent: Command[] = [];
  terminated = false;

  postMessage(command: Command): void {
    this.sent.push(command);
  }
  terminate(): void {
    this.terminated = true;
  }
  says(message: FromWorker): void {
    this.dispatchEvent(new MessageEvent('message', { data: message }));
  }
}

function started() {
  const workers: FakeWorker[] = [];
  const states: WorkerState[] = [];
  const messages: FromWorker[] = [];
  const client = new WorkerClient(
    () => {
      const worker = new FakeWorker();
      workers.push(worker);
      return worker as unknown as Worker;
    },
    { state: (state) => states.push(state), message: (message) => messages.push(message) },
  );
  client.start();
  const worker = () => workers.at(-1) as FakeWorker;
  return { client, worker, workers, states, messages };
}

const ask = { type: 'listSessions' } as const;

describe("the page's end of the wire", () => {
  it('keeps commands until the worker is ready, and sends them in order', () => {
    const { client, worker } = started();
    void client.send(ask);
    void client.send({ type: 'open', session: 's' });
    expect(worker().sent).toEqual([]);
    worker().says({ type: 'ready' });
    expect(worker().sent.map(({ type }) => type)).toEqual(['listSessions', 'open']);
  });

  it('gives each command its own reply, in whatever order they come', async () => {
    const { client, worker } = started();
    worker().says({ type: 'ready' });
    const first = client.send(ask);
    const second = client.send(ask);
    const [one, two] = worker().sent;
    worker().says({ type: 'reply', id: two?.id ?? 0, value: 'second' });
    worker().says({ type: 'reply', id: one?.id ?? 0, value: 'first' });
    expect(await Promise.all([first, second])).toEqual(['first', 'second']);
  });

  it('rejects a refused command with its problem', async () => {
    const { client, worker } = started();
    worker().says({ type: 'ready' });
    const reply = client.send(ask);
    worker().says({ type: 'reply', id: worker().sent[0]?.id ?? 0, problem: { code: 'run.active' } });
    const error = await reply.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CommandError);
    expect(problemOf(error)).toEqual({ code: 'run.active' });
  });

  it('tells the worker when nobody waits for a reply any more, which comes all the same, and nothing after it', async () => {
    const { client, worker } = started();
    worker().says({ type: 'ready' });
    const [early, late] = [new AbortController(), new AbortController()];
    const cancelled = client.send({ type: 'listModels', baseUrl: '' }, early.signal);
    const done = client.send(ask, late.signal);
    const [one, two] = worker().sent.map(({ id }) => id);
    early.abort();
    expect(worker().sent[2]).toMatchObject({ type: 'cancel', command: one });
    worker().says({ type: 'reply', id: one ?? 0, problem: { code: 'model.aborted' } });
    worker().says({ type: 'reply', id: two ?? 0, value: [] });
    await expect(cancelled).rejects.toMatchObject({ problem: { code: 'model.aborted' } });
    expect(await done).toEqual([]);
    late.abort();
    expect(worker().sent).toHaveLength(3);
  });

  it('rejects at once what waits for a worker that dies, and what is sent to it later', async () => {
    const { client, worker, states } = started();
    worker().says({ type: 'ready' });
    const waiting = client.send(ask);
    worker().dispatchEvent(new Event('error'));
    await expect(waiting).rejects.toMatchObject({ problem: { code: 'worker.failed' } });
    await expect(client.send(ask)).rejects.toMatchObject({ problem: { code: 'worker.failed' } });
    expect(states).toEqual(['starting', 'ready', 'failed']);
  });

  it('rejects what was kept for a worker that never loads', async () => {
    const { client, worker } = started();
    const waiting = client.send(ask);
    worker().dispatchEvent(new Event('error'));
    await expect(waiting).rejects.toMatchObject({ problem: { code: 'worker.failed' } });
  });

  it('says so when a worker cannot even be made', async () => {
    const states: WorkerState[] = [];
    const client = new WorkerClient(
      () => {
        throw new DOMException('refused', 'SecurityError');
      },
      { state: (state) => states.push(state), message: vi.fn() },
    );
    client.start();
    await expect(client.send(ask)).rejects.toMatchObject({ problem: { code: 'worker.failed' } });
    expect(states.at(-1)).toBe('failed');
  });

  it('starts a new worker in place of the old, whose late words count no more', () => {
    const { client, worker, workers, states, messages } = started();
    worker().dispatchEvent(new Event('error'));
    client.start();
    expect(workers.map(({ terminated }) => terminated)).toEqual([true, false]);
    workers[0]?.says({ type: 'sessions' });
    expect(messages).toEqual([]);
    worker().says({ type: 'ready' });
    expect(states.at(-1)).toBe('ready');
  });

  it('says that a worker is slow, and takes it when it comes after all', () => {
    vi.useFakeTimers();
    try {
      const { worker, states } = started();
      vi.advanceTimersByTime(60_000);
      worker().says({ type: 'ready' });
      expect(states).toEqual(['starting', 'slow', 'ready']);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('the problem of an error', () => {
  it('is the one that it carries, or the first of several', () => {
    const one = Object.assign(new Error(), { problem: { code: 'a.b' } });
    const several = Object.assign(new Error(), { problems: [{ code: 'c.d' }, { code: 'e.f' }] });
    expect([problemOf(one), problemOf(several)]).toEqual([{ code: 'a.b' }, { code: 'c.d' }]);
  });

  it('code that cannot be loaded has a code of its own, without its address, in every browser', () => {
    const said = [
      'Failed to fetch dynamically imported module: http://host/a.js',
      'error loading dynamically imported module: http://host/a.js',
      'Importing a module script failed.',
      'Unable to preload CSS for /a.css',
    ];
    for (const text of said) expect(problemOf(new TypeError(text))).toEqual({ code: 'page.notLoaded' });
    expect(problemOf(new Error('Bad luck')).code).toBe('page.unexpected');
  });

  it('names what nobody foresaw', () => {
    expect(problemOf(new Error('odd'))).toEqual({ code: 'page.unexpected', params: { detail: 'odd' } });
    expect(problemOf('odd')).toEqual({ code: 'page.unexpected', params: { detail: 'odd' } });
  });
});
