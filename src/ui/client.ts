/** The page's end of the wire: commands with their replies, and a worker that may fail to start or die. */
import type { Command, FromWorker } from '../protocol';
import type { Problem } from '../records/types';

type WithoutId<C> = C extends unknown ? Omit<C, 'id'> : never;
export type CommandBody = WithoutId<Command>;

/** `slow`: it has not said `ready` for a while; it may still come. */
export type WorkerState = 'starting' | 'slow' | 'ready' | 'failed';

/** What a refused command rejects with. */
export class CommandError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.code);
  }
}

/** What browsers and Vite say of code that cannot be loaded: they give it no type of its own, but name its address. */
const notLoaded = /dynamically imported module|importing a module script failed|preload css/i;

/** What went wrong, as something that `errorText` can say: errors of ours carry a problem, or several. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Error) {
    const { problem, problems } = error as { problem?: Problem; problems?: readonly Problem[] };
    const told = problem ?? problems?.[0];
    if (told) return told;
  }
  const detail = error instanceof Error ? error.message : String(error);
  return notLoaded.test(detail)
    ? { code: 'page.notLoaded' }
    : { code: 'page.unexpected', params: { detail } };
}

export interface ClientListener {
  /** Everything but replies. */
  message(message: Exclude<FromWorker, { type: 'reply' }>): void;
  state(state: WorkerState): void;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: CommandError): void;
}

const slowAfterMs = 8000;

/**
 * Sends commands to the worker. A command that is sent before the worker is ready waits for it; when the worker fails,
 * all that wait are rejected at once with `worker.failed`, and so is every later one until `start` is called again.
 */
export class WorkerClient {
  #worker: Worker | undefined;
  #state: WorkerState = 'starting';
  #nextId = 1;
  #waiting = new Map<number, Waiting>();
  #unsent: Command[] = [];
  #slowTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly spawn: () => Worker,
    readonly listener: ClientListener,
  ) {}

  /** Starts the worker, or a new one in place of the one that runs. */
  start(): void {
    this.stop();
    this.#setState('starting');
    let worker: Worker;
    try {
      worker = this.spawn();
    } catch {
      this.#fail();
      return;
    }
    this.#worker = worker;
    worker.addEventListener('message', (event: MessageEvent<FromWorker>) => {
      if (worker === this.#worker) this.#receive(event.data);
    });
    const failed = (event: Event) => {
      event.preventDefault();
      if (worker === this.#worker) this.#fail();
    };
    worker.addEventListener('error', failed);
    worker.addEventListener('messageerror', failed);
    this.#slowTimer = setTimeout(() => {
      if (this.#state === 'starting') this.#setState('slow');
    }, slowAfterMs);
  }

  /** Ends the worker; what waits for it is rejected. */
  stop(): void {
    clearTimeout(this.#slowTimer);
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#unsent = [];
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const waits of waiting) waits.reject(new CommandError({ code: 'worker.failed' }));
  }

  /**
   * Resolves with the reply's value; rejects with a CommandError that carries the worker's problem. When the signal aborts,
   * the worker is told to end the work, and replies.
   */
  send(body: CommandBody, signal?: AbortSignal): Promise<unknown> {
    if (this.#state === 'failed') return Promise.reject(new CommandError({ code: 'worker.failed' }));
    const command: Command = { ...body, id: this.#nextId++ };
    const cancel = () => {
      // A worker that failed has nothing to end.
      if (this.#waiting.has(command.id))
        this.send({ type: 'cancel', command: command.id }).catch(() => undefined);
    };
    signal?.addEventListener('abort', cancel, { once: true });
    return new Promise((resolve, reject) => {
      this.#waiting.set(command.id, { resolve, reject });
      if (this.#state === 'ready') this.#worker?.postMessage(command);
      else this.#unsent.push(command);
    });
  }

  #receive(message: FromWorker): void {
    if (message.type === 'reply') {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.problem) waiting?.reject(new CommandError(message.problem));
      else waiting?.resolve(message.value);
      return;
    }
    if (message.type === 'ready') {
      clearTimeout(this.#slowTimer);
      this.#setState('ready');
      for (const command of this.#unsent.splice(0)) this.#worker?.postMessage(command);
    }
    this.listener.message(message);
  }

  #fail(): void {
    this.#setState('failed');
    this.stop();
  }

  #setState(state: WorkerState): void {
    if (state === this.#state && state !== 'starting') return;
    this.#state = state;
    this.listener.state(state);
  }
}
