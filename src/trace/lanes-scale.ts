/** How the axis measures: wall time, wall time with idle gaps cut short, or equal steps from one thing that happened to the next. */
import { firstAbove, type Measure } from './lanes-row';

export type ScaleMode = 'wall' | 'folded' | 'steps';

/** A stretch in which nothing works: longer ones than `FOLD_FROM` are cut to `FOLDED`. All in ms. */
export interface Gap {
  from: number;
  to: number;
}

export const FOLD_FROM = 2000;
export const FOLDED = 500;

/** Increasing and invertible: a place on the axis for each time or record, and back. */
export interface Scale {
  mode: ScaleMode;
  /** What places are made of: times in ms, or sequence numbers. */
  measure: Measure;
  place: (value: number) => number;
  value: (place: number) => number;
  /** What is cut short, in order. */
  gaps: readonly Gap[];
}

const same = (value: number): number => value;

export const wallScale: Scale = { mode: 'wall', measure: 'at', place: same, value: same, gaps: [] };

/** `gaps` in order, apart, each longer than `FOLD_FROM`. */
export function foldedScale(gaps: readonly Gap[]): Scale {
  const count = gaps.length;
  /** Where each gap begins in time, and on the axis; and where it ends in time. */
  const from = Float64Array.from(gaps, (gap) => gap.from);
  const to = Float64Array.from(gaps, (gap) => gap.to);
  const start = new Float64Array(count);
  let cut = 0;
  for (let index = 0; index < count; index++) {
    const [begin = 0, end = 0] = [from[index], to[index]];
    start[index] = begin - cut;
    cut += end - begin - FOLDED;
  }
  return {
    mode: 'folded',
    measure: 'at',
    gaps,
    place(at) {
      const index = firstAbove(from, at, 0, count) - 1;
      if (index < 0) return at;
      const [begin = 0, end = 0, place = 0] = [from[index], to[index], start[index]];
      return at < end ? place + ((at - begin) / (end - begin)) * FOLDED : place + FOLDED + (at - end);
    },
    value(place) {
      const index = firstAbove(start, place, 0, count) - 1;
      if (index < 0) return place;
      const [begin = 0, end = 0] = [from[index], to[index]];
      const inside = place - (start[index] ?? 0);
      return inside < FOLDED ? begin + (inside / FOLDED) * (end - begin) : end + (inside - FOLDED);
    },
  };
}
