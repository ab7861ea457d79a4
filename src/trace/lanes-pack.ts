/** Packing: which row of a lane a bar goes to, so that none overlap and there are as few rows as can be. */
import { LaneRow, type Bar } from './lanes-row';

/** Bars that come in order of their starts: into the first row that is free. `isFree` looks at a row's last bar. */
export function rowByStart(rows: LaneRow[], isFree: (row: LaneRow, last: number) => boolean): LaneRow {
  return rows.find((row) => isFree(row, row.count - 1)) ?? newRow(rows);
}

/** Over this length, in ms, a call is seen beside the one that begins after it. */
const SHORT = 20;
/** Short calls take so many rows at most, if no more go on at the same time. */
export const ROWS_OF_SHORT_CALLS = 4;

/** Calls: as bars in order of their starts, but what is over at once is not hidden by what begins then. */
export function rowOfCall(rows: LaneRow[], { at, seq }: Bar): LaneRow {
  const isOver = (row: LaneRow, last: number): boolean => (row.endSeq[last] ?? 0) < seq;
  const free = rows.filter((row) => isOver(row, row.count - 1));
  const clear = free.find((row) => Math.max(endOf(row), lastStart(row) + SHORT) <= at);
  if (clear) return clear;
  return (rows.length >= ROWS_OF_SHORT_CALLS ? free[0] : undefined) ?? newRow(rows);
}

function endOf(row: LaneRow): number {
  return row.endAt[row.count - 1] ?? 0;
}

function lastStart(row: LaneRow): number {
  return row.at[row.count - 1] ?? 0;
}

/** Bars that come in order of their ends: into the row that has been free for the shortest time. */
export function rowByEnd(rows: LaneRow[], { at }: Bar): LaneRow {
  let best: LaneRow | undefined;
  let latest = -1;
  for (const row of rows) {
    const end = row.endAt[row.count - 1] ?? 0;
    if (end > at || end <= latest) continue;
    best = row;
    latest = end;
  }
  return best ?? newRow(rows);
}

function newRow(rows: LaneRow[]): LaneRow {
  const row = new LaneRow();
  rows.push(row);
  return row;
}
