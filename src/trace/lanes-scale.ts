/** How the axis measures: wall time, wall time with idle gaps cut short, or equal steps from record to record. */
import type { Measure } from './lanes-row';

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
export const stepScale: Scale = { mode: 'steps', measure: 'seq', place: same, value: same, gaps: [] };

/** `gaps` in order, apart, each longer than `FOLD_FROM`. */
export function foldedScale(gaps: readonly Gap[]): Scale {
  const cuts: { from: number; to: number; start: number }[] = [];
  let cut = 0;
  for (const { from, to } of gaps) {
    cuts.push({ from, to, start: from - cut });
    cut += to - from - FOLDED;
  }
  return {
    mode: 'folded',
    measure: 'at',
    gaps,
    place(at) {
      const last = cuts[lastUpTo(cuts, at, 'from')];
      if (!last) return at;
      const { from, to, start } = last;
      return at < to ? start + ((at - from) / (to - from)) * FOLDED : start + FOLDED + (at - to);
    },
    value(place) {
      const last = cuts[lastUpTo(cuts, place, 'start')];
      if (!last) return place;
      const { from, to, start } = last;
      const inside = place - start;
      return inside < FOLDED ? from + (inside / FOLDED) * (to - from) : to + (inside - FOLDED);
    },
  };
}

/** Index of the last entry whose `key` is not above `value`; -1 when all are. */
function lastUpTo<K extends string>(entries: readonly Record<K, number>[], value: number, key: K): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.[key] ?? Infinity) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
