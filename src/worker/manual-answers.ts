/** The person as the model: the request that waits, and the answer that ends the wait. */
import { manualModel } from '../models';
import type { StreamFn } from '../loop/types';
import type { ManualAnswer } from '../protocol';
import { parseAnswer } from '../scenario';
import { problem } from '../store';
import type { Clock } from './clock';

export interface ManualAnswersOptions {
  clock: Clock;
  /** Holds virtual time, and returns what lets it go; absent when time is real. */
  hold?: (() => () => void) | undefined;
  /** ms since the epoch. */
  now: () => number;
  /** Id of the message that the request which is made now asks for. */
  asked: () => string | undefined;
}

export class ManualAnswers {
  /** For an Agent. */
  readonly stream: StreamFn;
  readonly #asked: () => string | undefined;
  #open: { answer: (given: ManualAnswer) => void } | undefined;
  /** What was given last, maybe while the loop was held between its request and the asking. */
  #given: { message: string; answer: ManualAnswer } | undefined;

  constructor({ clock, hold, now, asked }: ManualAnswersOptions) {
    this.#asked = asked;
    this.stream = manualModel({
      now,
      sleep: (ms, signal) => clock.sleep(ms, signal),
      // Time stands still meanwhile: how long somebody thinks is nothing that a replay should repeat.
      ask: (_request, signal) => {
        const early = this.#given?.message === asked() ? this.#given : undefined;
        return early ? Promise.resolve(early.answer) : this.#wait(hold?.(), signal);
      },
    });
  }

  /** Throws a ScenarioError when it is no answer, and `ask.over` when the request that asks for `message` waits no more. */
  answer(message: string, given: unknown): void {
    const answer = parseAnswer(given);
    if (this.#asked() !== message || this.#given?.message === message) throw problem('ask.over');
    this.#given = { message, answer };
    this.#open?.answer(answer);
  }

  #wait(letGo: (() => void) | undefined, signal: AbortSignal | undefined): Promise<ManualAnswer> {
    return new Promise((resolve, reject) => {
      const end = () => {
        this.#open = undefined;
        signal?.removeEventListener('abort', aborted);
        letGo?.();
      };
      const aborted = () => {
        end();
        reject(signal?.reason as Error);
      };
      if (signal?.aborted) return aborted();
      signal?.addEventListener('abort', aborted, { once: true });
      const answer = (given: ManualAnswer) => {
        end();
        resolve(given);
      };
      this.#open = { answer };
    });
  }
}
