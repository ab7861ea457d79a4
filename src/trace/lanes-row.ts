/** One row of bars as columns: no two overlap, and they stand in order, so that all looking up is by halving. */

/**
 * What is drawn of a bar beside its length. `failed` ones are counted, to show in a bar that stands for many. `asked`: it has not run;
 * `cut`: an answer that ended at its limit of tokens.
 */
export const BarFlag = {
  open: 1,
  failed: 2,
  aborted: 4,
  interrupted: 8,
  stranded: 16,
  asked: 32,
  cut: 64,
} as const;

/** The two measures of the axis: ms since the session was created, and sequence numbers of records. */
export type Measure = 'at' | 'seq';

export interface Bar {
  at: number;
  seq: number;
  /** Infinity while it is open. */
  endAt: number;
  endSeq: number;
  /** ms; where its second part begins (a first token, an execution). NaN: it has one part. */
  midAt: number;
  flags: number;
}

const FIRST_SIZE = 16;

export class LaneRow {
  count = 0;
  /** Per bar, valid below `count`. `node` is an index into the nodes of its lanes. */
  at = new Float64Array(FIRST_SIZE);
  seq = new Float64Array(FIRST_SIZE);
  endAt = new Float64Array(FIRST_SIZE);
  endSeq = new Float64Array(FIRST_SIZE);
  midAt = new Float64Array(FIRST_SIZE);
  flags = new Uint8Array(FIRST_SIZE);
  node = new Uint32Array(FIRST_SIZE);
  /** How many bars up to this one failed. */
  #failed = new Uint32Array(FIRST_SIZE);

  /** Appends a bar, which must begin after the last one's end, and returns its index. */
  push(bar: Bar, node: number): number {
    if (this.count === this.at.length) this.#grow();
    const index = this.count++;
    this.node[index] = node;
    this.set(index, bar);
    return index;
  }

  /** Changes a bar; only the last one of a row can be open, so only that one changes. */
  set(index: number, { at, seq, endAt, endSeq, midAt, flags }: Bar): void {
    this.at[index] = at;
    this.seq[index] = seq;
    this.endAt[index] = endAt;
    this.endSeq[index] = endSeq;
    this.midAt[index] = midAt;
    this.flags[index] = flags;
    this.#failed[index] = (this.#failed[index - 1] ?? 0) + (flags & BarFlag.failed ? 1 : 0);
  }

  /** How many of the bars from `first` to `last` failed. */
  failedIn(first: number, last: number): number {
    return (this.#failed[last] ?? 0) - (this.#failed[first - 1] ?? 0);
  }

  starts(measure: Measure): Float64Array {
    return measure === 'at' ? this.at : this.seq;
  }

  ends(measure: Measure): Float64Array {
    return measure === 'at' ? this.endAt : this.endSeq;
  }

  #grow(): void {
    const size = this.at.length * 2;
    this.at = larger(this.at, new Float64Array(size));
    this.seq = larger(this.seq, new Float64Array(size));
    this.endAt = larger(this.endAt, new Float64Array(size));
    this.endSeq = larger(this.endSeq, new Float64Array(size));
    this.midAt = larger(this.midAt, new Float64Array(size));
    this.flags = larger(this.flags, new Uint8Array(size));
    this.node = larger(this.node, new Uint32Array(size));
    this.#failed = larger(this.#failed, new Uint32Array(size));
  }
}

/** The first index from `low` to `high` whose value is not below `value`; `high` when all are. */
export function firstNotBelow(values: Float64Array, value: number, low: number, high: number): number {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? Infinity) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first index from `low` to `high` whose value is above `value`; `high` when none is. */
export function firstAbove(values: Float64Array, value: number, low: number, high: number): number {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? Infinity) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function larger<A extends Float64Array | Uint32Array | Uint8Array>(from: A, to: A): A {
  to.set(from);
  return to;
}
