/** Walking the bars by keys: along a lane, from lane to lane, and the records where turns begin. */
import type { Lanes } from '../../trace/lanes';
import { firstAbove, firstNotBelow, type LaneRow } from '../../trace/lanes-row';
import { rowsOf, type BarRef } from './selection';

export type Walk = 'previous' | 'next' | 'up' | 'down';

/** The bar to go to from `from`; without one, the bar of the first lane that is nearest to `seq`. */
export function walkTo(lanes: Lanes, from: BarRef | undefined, walk: Walk, seq: number): BarRef | undefined {
  const rows = rowsOf(lanes).map(({ row }) => row);
  const at = from ? rows.indexOf(from.row) : -1;
  if (!from || at < 0) return nearestIn(rows[0], from ? (from.row.seq[from.index] ?? seq) : seq);
  if (walk === 'previous' || walk === 'next') {
    const index = from.index + (walk === 'next' ? 1 : -1);
    return index >= 0 && index < from.row.count ? { row: from.row, index } : from;
  }
  const row = rows[at + (walk === 'down' ? 1 : -1)];
  return nearestIn(row, from.row.seq[from.index] ?? seq) ?? from;
}

/** The last bar that begins at this record or before; else the first one. */
function nearestIn(row: LaneRow | undefined, seq: number): BarRef | undefined {
  if (!row || row.count === 0) return undefined;
  return { row, index: Math.max(0, firstAbove(row.seq, seq, 0, row.count) - 1) };
}

/** The record where the turn before this record begins, or the one after; the ends of the trace beyond. */
export function turnFrom(lanes: Lanes, seq: number, direction: -1 | 1): number {
  let found = direction < 0 ? 1 : lanes.end.seq;
  for (const row of lanes.rows.turn) {
    const index =
      direction < 0 ? firstNotBelow(row.seq, seq, 0, row.count) - 1 : firstAbove(row.seq, seq, 0, row.count);
    const start = index >= 0 && index < row.count ? row.seq[index] : undefined;
    if (start !== undefined) found = direction < 0 ? Math.max(found, start) : Math.min(found, start);
  }
  return found;
}
