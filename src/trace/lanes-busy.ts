/** When anything worked: the union of the stretches in which the model, a tool or a hook was at it. */
import { FOLD_FROM, type Gap } from './lanes-scale';

/** A stretch of time in ms, from its start to its end. */
export type Stretch = Gap;

/** Stretches that lie apart by more than `FOLD_FROM`, in order; nearer ones are one. */
export type BusyTime = Stretch[];

/** Adds a stretch. Cheap where it comes near the end, as it does when a trace grows. */
export function addBusy(busy: BusyTime, { from, to }: Stretch): void {
  let end = busy.length;
  while (end > 0 && (busy[end - 1]?.from ?? 0) > to + FOLD_FROM) end--;
  const merged = { from, to };
  let start = end;
  for (; start > 0; start--) {
    const before = busy[start - 1];
    if (!before || before.to + FOLD_FROM < from) break;
    merged.from = Math.min(merged.from, before.from);
    merged.to = Math.max(merged.to, before.to);
  }
  busy.splice(start, end - start, merged);
}

/** The parts of a stretch outside of these waits, which are in order of their starts. */
export function without({ from, to }: Stretch, waits: readonly Stretch[]): Stretch[] {
  const parts: Stretch[] = [];
  let start = from;
  for (const wait of waits) {
    if (start <= to && wait.from > start) parts.push({ from: start, to: Math.min(wait.from, to) });
    start = Math.max(start, wait.to);
  }
  if (start <= to) parts.push({ from: start, to });
  return parts;
}

/** What lies between the busy stretches from `from` to `to`, where it is longer than `FOLD_FROM`. */
export function idleGaps(busy: BusyTime, from: number, to: number): Gap[] {
  const gaps: Gap[] = [];
  let start = from;
  for (const stretch of [...busy, { from: to, to }]) {
    if (stretch.from - start > FOLD_FROM) gaps.push({ from: start, to: stretch.from });
    start = Math.max(start, stretch.to);
  }
  return gaps;
}
