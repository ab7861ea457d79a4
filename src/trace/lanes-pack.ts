/** Packing: which row of a lane a bar goes to, so that none overlap and there are as few rows as can be. */
import { LaneRow, type Bar } from './lanes-row';

/** Bars that come in order of their starts: into the first row that is free. `isFree` looks at a row's last bar. */
export function rowByStart(rows: LaneRow[], isFree: (row: LaneRow, last: number) => boolean): LaneRow {
  return rows.find((row) => isFree(row, row.count - 1)) ?? newRow(rows);
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
