/** The page's end of the wire for tests: a worker's `serve` behind a MessageChannel, as a browser has it. */
import { vi } from 'vitest';
import type { ClockState, Command, FromWorker, Opened } from '../protocol';
import type { Problem, TraceRecord } from '../records/types';
import { openStore } from '../store';
import type { Store } from '../store';
import { fold } from '../trace/fold';
import type { Trace } from '../trace/types';
import type { Locks } from './claim';
import type { Host } from './host';
import { serve } from './serve';
import type { ServeOptions } from './serve';

type WithoutId<C> = C extends unknown ? Omit<C, 'id'> : never;
export type CommandBody = WithoutId<Command>;

/** Locks as browsers have them, for tests in Node: one lock manager is one browser. */
export class FakeLocks {
  readonly #queues = new Map<string, (() => Promise<unknown>)[]>();

  request(...[name, options, callback]: Parameters<Locks['request']>): Promise<unknown> {
    const queue = this.#queues.get(name) ?? [];
    this.#queues.set(name, queue);
    if (options.ifAvailable && queue.length > 0) return Promise.resolve(callback(null));
    return new Promise((resolve, reject) => {
      const turn = async () => {
        await Promise.resolve(callback({ name, mode: 'exclusive' })).then(resolve, reject);
        queue.shift();
        void queue[0]?.();
      };
      options.signal?.addEventListener('abort', () => {
        const at = queue.indexOf(turn);
        if (at > 0) queue.splice(at, 1);
        reject(options.signal?.reason as Error);
      });
      queue.push(turn);
      if (queue.length === 1) void turn();
    });
  }
}

export class Page {
  readonly messages: FromWorker[] = [];
  readonly records: TraceRecord[] = [];
  /** Bytes of JSON that were posted as records. */
  posted = 0;
  opened: Opened | undefined;
  readonly host: Host;
  readonly store: Promise<Store>;
  readonly #port: MessagePort;
  readonly #worker: MessagePort;
  readonly #waiting = new Map<
    number,
    { resolve: (value: unknown) => void; reject: (problem: Problem) => void }
  >();
  #nextId = 1;

  constructor(options: ServeOptions = {}) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#worker = port2;
    port1.onmessage = (event: MessageEvent<FromWorker>) => this.#receive(event.data);
    const open = options.openStore ?? ((onBlocked) => openStore({ onBlocked }));
    let store: Promise<Store> | undefined;
    this.host = serve(port2, { ...options, openStore: (told) => (store = open(told)) });
    port2.start();
    this.store = store ?? openStore();
  }

  /** Rejects with the problem of the reply. */
  send(body: CommandBody): Promise<unknown> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#port.postMessage({ ...body, id });
    });
  }

  /** Creates or opens a session and reads what is stored of it, as the page does. */
  async show(body: CommandBody): Promise<Opened> {
    const opened = (await this.send(body)) as Opened;
    await this.take(opened);
    return opened;
  }

  async take(opened: Opened): Promise<void> {
    this.opened = opened;
    const session = opened.info.id;
    const stored = opened.stored
      ? (await (await this.store).readRecords(session)).records
      : ((await this.send({ type: 'records', session })) as TraceRecord[]);
    this.records.splice(0, Infinity, ...stored.filter(({ seq }) => seq <= opened.seq));
  }

  get session(): string {
    return this.opened?.info.id ?? '';
  }

  get trace(): Trace {
    return fold(this.records);
  }

  get clock(): ClockState | undefined {
    return this.all('clock').at(-1)?.clock ?? this.opened?.clock;
  }

  all<T extends FromWorker['type']>(type: T): Extract<FromWorker, { type: T }>[] {
    return this.messages.filter(
      (message): message is Extract<FromWorker, { type: T }> => message.type === type,
    );
  }

  /** Resolves when the page has seen the end of a run that is the nth of its session. */
  async settled(runs = 1): Promise<void> {
    await this.until(() => this.records.filter(({ type }) => type === 'settled').length >= runs);
  }

  async until(condition: () => boolean): Promise<void> {
    await vi.waitFor(
      () => {
        if (!condition())
          throw new Error(`Still waiting; the last record is ${JSON.stringify(this.records.at(-1))}`);
      },
      // Long, since the machine may have other things to do.
      { timeout: 50_000, interval: 2 },
    );
  }

  /** As when a tab is closed: nothing is stored any more, and locks are let go of. */
  async close(): Promise<void> {
    await this.host.close();
    this.#port.close();
    this.#worker.close();
  }

  #receive(message: FromWorker): void {
    this.messages.push(message);
    if (message.type === 'reply') {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (!waiting) throw new Error(`A second reply to command ${message.id}`);
      if (message.problem) waiting.reject(message.problem);
      else waiting.resolve(message.value);
    }
    if (message.type !== 'records') return;
    this.posted += JSON.stringify(message).length;
    if (message.session === this.session || !this.opened) this.records.push(...message.records);
  }
}
