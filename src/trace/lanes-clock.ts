/**
 * Between records, time and steps: which record was when, as far as the trace tells, and evenly spread in between; and which thing
 * that happened it belongs to.
 */
import { firstAbove, larger } from './lanes-row';

/** A moment of the trace: the sequence number of a record, and its time in ms. */
export interface Moment {
  seq: number;
  at: number;
}

/** Records between two moments, such as the deltas of an answer, take the room of at most so many moments together. */
export const STREAM_STEPS = 4;

/** Records of damaged files can have any number: beyond this, moments are looked for. */
const TOLD_AT_MOST = 2 ** 22;

export class LaneClock {
  #count = 0;
  #seq = new Float64Array(64);
  #at = new Float64Array(64);
  /** Where each stands when what lies between two takes little room. */
  #step = new Float64Array(64);
  #last: Moment = { seq: 0, at: 0 };
  /** For each record, the number of moments up to it; known up to the last moment. */
  #before = new Uint32Array(256);

  /** Adds moments, in any order, that all came after those of the calls before; `last` is the trace's last record. */
  add(moments: Moment[], { seq, at }: Moment): void {
    this.#last = { seq, at };
    for (const moment of moments.sort((a, b) => a.seq - b.seq)) {
      if (this.#count > 0 && moment.seq <= (this.#seq[this.#count - 1] ?? 0)) continue;
      if (this.#count === this.#seq.length) {
        this.#seq = larger(this.#seq, new Float64Array(this.#count * 2));
        this.#at = larger(this.#at, new Float64Array(this.#count * 2));
        this.#step = larger(this.#step, new Float64Array(this.#count * 2));
      }
      this.#step[this.#count] = this.#stepAfterLast(moment.seq);
      this.#tell(moment.seq);
      this.#seq[this.#count] = moment.seq;
      this.#at[this.#count++] = moment.at;
    }
  }

  /** Of the records from the last moment to before this one. */
  #tell(seq: number): void {
    if (seq > TOLD_AT_MOST) return;
    if (seq > this.#before.length)
      this.#before = larger(this.#before, new Uint32Array(Math.max(seq, this.#before.length * 2)));
    this.#before.fill(this.#count, this.#seq[this.#count - 1] ?? 0, seq);
  }

  /** The time of a record, in ms; never less for a later record. */
  atOf(seq: number): number {
    return between(this.#seq, this.#at, this.#count, seq, this.#last.seq, this.#last.at);
  }

  /** How many steps lead to a record; more for a later record. */
  stepOf(seq: number): number {
    const { seq: last } = this.#last;
    const before = (this.#before[Math.floor(seq)] ?? 0) - 1;
    // Most are between two moments, whose places a table tells: this is asked about every bar that is drawn.
    if (before < 0 || before + 1 >= this.#count || seq >= last)
      return between(this.#seq, this.#step, this.#count, seq, last, this.#stepAfterLast(last));
    const [x0 = 0, x1 = 0] = [this.#seq[before], this.#seq[before + 1]];
    const [y0 = 0, y1 = 0] = [this.#step[before], this.#step[before + 1]];
    return y0 + ((seq - x0) / (x1 - x0)) * (y1 - y0);
  }

  /** The record where so many steps lead to, as a number that may lie between two. */
  seqOfStep(step: number): number {
    const { seq: last } = this.#last;
    return between(this.#step, this.#seq, this.#count, step, this.#stepAfterLast(last), last);
  }

  /** Of a record after the last moment. */
  #stepAfterLast(seq: number): number {
    const last = this.#count - 1;
    return (this.#step[last] ?? 0) + Math.min(Math.max(0, seq - (this.#seq[last] ?? 0)), STREAM_STEPS);
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
