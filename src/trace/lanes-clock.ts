/** Between records and time: which record was when, as far as the trace tells, and evenly spread in between. */
import { firstAbove, larger } from './lanes-row';

/** A moment of the trace: the sequence number of a record, and its time in ms. */
export interface Moment {
  seq: number;
  at: number;
}

export class LaneClock {
  #count = 0;
  #seq = new Float64Array(64);
  #at = new Float64Array(64);
  #last: Moment = { seq: 0, at: 0 };

  /** Adds moments, in any order, that all came after those of the calls before; `last` is the trace's last record. */
  add(moments: Moment[], { seq, at }: Moment): void {
    this.#last = { seq, at };
    for (const moment of moments.sort((a, b) => a.seq - b.seq)) {
      if (this.#count > 0 && moment.seq <= (this.#seq[this.#count - 1] ?? 0)) continue;
      if (this.#count === this.#seq.length) {
        this.#seq = larger(this.#seq, new Float64Array(this.#count * 2));
        this.#at = larger(this.#at, new Float64Array(this.#count * 2));
      }
      this.#seq[this.#count] = moment.seq;
      this.#at[this.#count++] = moment.at;
    }
  }

  /** The time of a record, in ms; never less for a later record. */
  atOf(seq: number): number {
    return between(this.#seq, this.#at, this.#count, seq, this.#last.seq, this.#last.at);
  }

  /** The last record at that time or before it, as a number that may lie between two; never less for a later time. */
  seqOf(at: number): number {
    return between(this.#at, this.#seq, this.#count, at, this.#last.at, this.#last.seq);
  }
}

/** The `to` of `value`: between the two entries of `from` around it, the first (0, 0) and the last as given. */
function between(
  from: Float64Array,
  to: Float64Array,
  count: number,
  value: number,
  lastFrom: number,
  lastTo: number,
): number {
  const after = firstAbove(from, value, 0, count);
  const x0 = after > 0 ? (from[after - 1] ?? 0) : 0;
  const y0 = after > 0 ? (to[after - 1] ?? 0) : 0;
  const x1 = after < count ? (from[after] ?? 0) : lastFrom;
  const y1 = after < count ? (to[after] ?? 0) : lastTo;
  if (value <= x0) return y0;
  if (value >= x1) return y1;
  return y0 + ((value - x0) / (x1 - x0)) * (y1 - y0);
}
