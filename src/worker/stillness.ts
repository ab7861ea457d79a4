/** Virtual time stands still while something real is at work. */

export class Stillness {
  readonly #hold: () => () => void;
  #release: (() => void) | undefined;
  #lent = 0;
  #over = false;

  /** `hold` stops the clock, and returns what lets it go on. */
  constructor(hold: () => () => void) {
    this.#hold = hold;
    this.#release = hold();
  }

  /** The clock goes on while this work lasts, which may need it to. */
  async lend<T>(work: () => Promise<T>): Promise<T> {
    this.#lent++;
    this.#letGo();
    try {
      return await work();
    } finally {
      this.#lent--;
      if (this.#lent === 0 && !this.#over) this.#release ??= this.#hold();
    }
  }

  end(): void {
    this.#over = true;
    this.#letGo();
  }

  #letGo(): void {
    this.#release?.();
    this.#release = undefined;
  }
}
