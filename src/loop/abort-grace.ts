import type { SetTimer } from './types';

/** What `race` gives when the work ignored an abort for the whole grace. */
export const abandoned = Symbol('abandoned');

const realTimer: SetTimer = (ms, callback) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};

/**
 * Bounds how long work that ignores an abort can hold the run: one response, or all calls of a batch (each listener
 * that a signal gets counts towards the warning that Node gives). The grace counts from the abort, or from when the
 * work is next waited for if the loop was busy elsewhere (held by a listener, say) until it was over.
 */
export class AbortGrace {
  readonly #signal: AbortSignal | undefined;
  readonly #graceMs: number;
  readonly #setTimer: SetTimer;
  readonly #waiting = new Set<() => void>();
  #cancelTimer: (() => void) | undefined;

  constructor(signal: AbortSignal | undefined, graceMs: number, setTimer: SetTimer = realTimer) {
    this.#signal = signal;
    this.#graceMs = graceMs;
    this.#setTimer = setTimer;
    signal?.addEventListener('abort', this.#startTimer);
  }

  /** Settles as the work does, or with `abandoned`; how abandoned work settles later is ignored. */
  race<T>(work: PromiseLike<T>): Promise<T | typeof abandoned> {
    return new Promise((resolve, reject) => {
      const giveUp = () => resolve(abandoned);
      this.#waiting.add(giveUp);
      if (this.#signal?.aborted) this.#startTimer();
      work.then(
        (value) => {
          this.#waiting.delete(giveUp);
          resolve(value);
        },
        (error: unknown) => {
          this.#waiting.delete(giveUp);
          // What was thrown may be anything: it is passed on as it is.
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
          reject(error);
        },
      );
    });
  }

  /** Lets go of the signal and the timer. */
  dispose(): void {
    this.#signal?.removeEventListener('abort', this.#startTimer);
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#waiting.clear();
  }

  readonly #startTimer = (): void => {
    if (this.#cancelTimer || this.#waiting.size === 0) return;
    this.#cancelTimer = this.#setTimer(this.#graceMs, () => {
      this.#cancelTimer = undefined;
      for (const giveUp of this.#waiting) giveUp();
      this.#waiting.clear();
    });
  };
}
