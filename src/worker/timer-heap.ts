/** A timer of virtual time. */
export interface Timer {
  readonly due: number;
  /** It comes before all others of its time that are not. */
  readonly early: boolean;
  /** Breaks ties: what was set first comes first. */
  readonly sequence: number;
  readonly callback: () => void;
  cancelled?: boolean;
}

/** Timers by due time, early ones first, then by the order in which they were set. */
export class TimerHeap {
  readonly #timers: Timer[] = [];

  push(timer: Timer): void {
    const timers = this.#timers;
    let index = timers.length;
    timers.push(timer);
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = timers[above];
      if (!parent || isBefore(parent, timer)) break;
      timers[index] = parent;
      index = above;
    }
    timers[index] = timer;
  }

  /** The next one that was not cancelled. */
  peek(): Timer | undefined {
    while (this.#timers[0]?.cancelled) this.#removeFirst();
    return this.#timers[0];
  }

  pop(): Timer | undefined {
    const first = this.peek();
    if (first) this.#removeFirst();
    return first;
  }

  #removeFirst(): void {
    const timers = this.#timers;
    const last = timers.pop();
    if (!last || timers.length === 0) return;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const a = timers[left];
      const b = timers[left + 1];
      if (!a) break;
      const [child, below] = b && isBefore(b, a) ? [b, left + 1] : [a, left];
      if (isBefore(last, child)) break;
      timers[index] = child;
      index = below;
    }
    timers[index] = last;
  }
}

function isBefore(a: Timer, b: Timer): boolean {
  if (a.due !== b.due) return a.due < b.due;
  return a.early === b.early ? a.sequence < b.sequence : a.early;
}
