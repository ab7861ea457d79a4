/**
 * A queue between a producer that pushes and one consumer that iterates, with a final result. The completing event
 * is delivered, settles `result()` and ends the stream; what is pushed later is ignored.
 */
export class EventStream<T, R> implements AsyncIterable<T> {
  readonly #isComplete: (event: T) => boolean;
  readonly #extractResult: (event: T) => R;
  readonly #result: Promise<R>;
  #settle!: (result: R) => void;
  #fail!: (error: unknown) => void;
  #settled = false;
  #ended = false;
  #queue: T[] = [];
  #wake: (() => void) | undefined;

  constructor(isComplete: (event: T) => boolean, extractResult: (event: T) => R) {
    this.#isComplete = isComplete;
    this.#extractResult = extractResult;
    this.#result = new Promise<R>((resolve, reject) => {
      this.#settle = resolve;
      this.#fail = reject;
    });
    // Whoever only iterates never asks for the result: its failure must not count as unhandled.
    this.#result.catch(() => undefined);
  }

  /** Delivers an event. Does nothing when the stream has ended. */
  push(event: T): void {
    if (this.#ended) return;
    this.#queue.push(event);
    if (this.#isComplete(event)) {
      this.#ended = true;
      this.#settled = true;
      try {
        this.#settle(this.#extractResult(event));
      } catch (error) {
        this.#fail(error);
      }
    }
    this.#wake?.();
  }

  /**
   * Ends the stream without a completing event; what was pushed before is still delivered. Without a result,
   * `result()` rejects unless it was settled before.
   */
  end(result?: R): void {
    this.#ended = true;
    if (!this.#settled) {
      this.#settled = true;
      if (result === undefined) this.#fail(new Error('The stream ended without a result.'));
      else this.#settle(result);
    }
    this.#wake?.();
  }

  /** The final result: that of the completing event, or the one given to `end()`. */
  result(): Promise<R> {
    return this.#result;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<T> {
    for (;;) {
      while (this.#queue.length > 0) {
        // The whole list at once: taking from its front one by one is quadratic.
        const batch = this.#queue;
        this.#queue = [];
        let delivered = 0;
        try {
          for (const event of batch) {
            delivered++;
            yield event;
          }
        } finally {
          // A consumer that stops in the middle leaves the rest for the next one.
          if (delivered < batch.length) this.#queue = [...batch.slice(delivered), ...this.#queue];
        }
      }
      if (this.#ended) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
