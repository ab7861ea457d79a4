import { abortedError, ModelError } from './errors';

const IDLE_TIMEOUT_MS = 120_000;
const FIRST_BYTE_TIMEOUT_MS = 300_000;
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface WatchOptions {
  signal?: AbortSignal;
  idleTimeoutMs?: number;
  isPaused?: () => boolean;
}

/**
 * Ends what a request waits for: when the caller aborts, or when nothing came for too long. One thing is waited for
 * at a time, and it need not look at any signal itself.
 */
export class Watch {
  readonly #request = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #isPaused: () => boolean;
  readonly #idleMs: number;
  #limitMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #interrupt: ((error: ModelError) => void) | undefined;
  #error: ModelError | undefined;

  constructor(options: WatchOptions) {
    this.#caller = options.signal;
    this.#isPaused = options.isPaused ?? (() => false);
    this.#idleMs = options.idleTimeoutMs ?? IDLE_TIMEOUT_MS;
    this.#limitMs = options.idleTimeoutMs ?? FIRST_BYTE_TIMEOUT_MS;
    this.#caller?.addEventListener('abort', this.#onAbort, { once: true });
    if (this.#caller?.aborted) this.#onAbort();
  }

  /** Aborts with the caller and with a silence that lasted too long. */
  get signal(): AbortSignal {
    return this.#request.signal;
  }

  get aborted(): boolean {
    return this.#caller?.aborted ?? false;
  }

  /** Waits for the promise, or rejects as soon as the request is over. Silence counts while it waits. */
  race<T>(promise: Promise<T>): Promise<T> {
    return this.#wait(promise, this.#limitMs);
  }

  /** Waits for something that is not the server's: no silence counts, an abort does. */
  own<T>(promise: Promise<T>): Promise<T> {
    return this.#wait(promise, 0);
  }

  /** Something came: from now on a silence may last as long as between two events. */
  heard(): void {
    this.#limitMs = this.#idleMs;
  }

  /** The answer is complete: what may still come is waited for this long only. */
  expectEnd(ms: number): void {
    this.#limitMs = Math.min(this.#limitMs, ms);
  }

  /** Waits, unless the caller aborts before. */
  sleep(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const slept = new Promise<void>((resolve) => (timer = setTimeout(resolve, Math.min(ms, MAX_TIMER_MS))));
    return this.#wait(slept, 0).finally(() => clearTimeout(timer));
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#onAbort);
  }

  #wait<T>(promise: Promise<T>, limitMs: number): Promise<T> {
    if (this.#error) {
      promise.catch(() => undefined); // The error that ended the request is the one to tell.
      return Promise.reject(this.#error);
    }
    return new Promise<T>((resolve, reject) => {
      this.#interrupt = reject;
      this.#startTimer(limitMs);
      // Before the caller goes on: it may wait for the next thing at once.
      const settle = (): void => {
        clearTimeout(this.#timer);
        this.#interrupt = undefined;
      };
      promise.then(
        (value) => {
          settle();
          resolve(value);
        },
        (error: unknown) => {
          settle();
          reject(error instanceof Error ? error : new Error(String(error)));
        },
      );
    });
  }

  #startTimer(limitMs: number): void {
    if (limitMs <= 0 || limitMs === Infinity) return;
    this.#timer = setTimeout(
      () => {
        if (this.#isPaused()) this.#startTimer(limitMs);
        else this.#end(idleError(limitMs));
      },
      Math.min(limitMs, MAX_TIMER_MS),
    );
  }

  readonly #onAbort = (): void => this.#end(abortedError());

  #end(error: ModelError): void {
    this.#error ??= error;
    this.#interrupt?.(this.#error);
    this.#request.abort(this.#error);
  }
}

function idleError(limitMs: number): ModelError {
  const seconds = Math.round(limitMs / 100) / 10;
  return new ModelError(
    'model.idle',
    `The model server sent nothing for ${seconds} s`,
    { seconds },
    { retryable: true },
  );
}
