/** Where the loop waits after each of its steps, and is held when a person goes step by step. */

export interface StepGateOptions {
  /** Calls back in a task of its own, unless time is paused. */
  soon: (callback: () => void) => void;
}

interface Step {
  record: () => void;
  /** The calls of a batch begin together: the steps of all are recorded before the first goes on. */
  isTogether: boolean;
  goOn: () => void;
}

/**
 * One step after the other is recorded and goes on, each in a task of its own: whatever it sets going has come to rest before
 * the next one, which may be that of a call beside it. So what is recorded is the same whether or not the loop was held.
 */
export class StepGate {
  /** Whether the loop is held at the next step. */
  isStepping = false;
  /** Told when a step has been recorded. Returns what is done where the loop is held, each before it goes on. */
  onStep: (() => (() => void)[]) | undefined;
  /** Holds the loop by pausing its time. Called when a step has been recorded. */
  onHold: (() => void) | undefined;

  readonly #soon: StepGateOptions['soon'];
  readonly #waiting: Step[] = [];
  /** Recorded, and not gone on yet. */
  #held: Step[] = [];
  #isBusy = false;

  constructor({ soon }: StepGateOptions) {
    this.#soon = soon;
  }

  /** Records a step, at once when none is before it. Resolves when the loop may go on. */
  pass(record: () => void, isTogether: boolean): Promise<void> {
    return new Promise((goOn) => {
      this.#waiting.push({ record, isTogether, goOn });
      if (!this.#isBusy) this.#next();
    });
  }

  #next(): void {
    const step = this.#waiting.shift();
    this.#isBusy = step !== undefined;
    if (!step) return;
    step.record();
    const doings = this.onStep?.() ?? [];
    this.#held.push(step);
    if (this.isStepping) this.onHold?.();
    // What a person does at a hold has come to rest, too, before the loop goes on.
    for (const doing of doings) this.#soon(doing);
    this.#soon(() => this.#letGo(step));
  }

  #letGo({ isTogether }: Step): void {
    if (isTogether && this.#waiting[0]?.isTogether) return this.#next();
    for (const { goOn } of this.#held.splice(0)) goOn();
    // When what goes on has come to rest.
    this.#soon(() => this.#next());
  }
}
