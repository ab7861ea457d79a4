/** A long list of rows in units that change as a whole, with where each row stands; settled only from what changed on. */
import type { Branch, RowHead } from './branch';
import { rowOf } from './rows';
import type { PlacedRow, Row, RowPlace } from './rows';

export interface Unit {
  /** What its first row shows, and its key. */
  head: Branch;
  key: string;
  place: RowPlace;
  /** None when it is left out. */
  rows: readonly PlacedRow[];
}

export class RowList {
  private units: Unit[] = [];
  private readonly places = new Map<string, number>();
  /** Rows and height before each unit, right up to the unit `settled`. */
  private readonly firsts: number[] = [0];
  private readonly tops: number[] = [0];
  private settled = 0;
  /** Where each row of a unit begins in it, and where the last one ends. */
  private readonly offsets = new WeakMap<readonly PlacedRow[], number[]>();

  constructor(private readonly heightOf: (head: RowHead) => number) {}

  get length(): number {
    this.settle();
    return this.firsts[this.units.length] ?? 0;
  }

  get height(): number {
    this.settle();
    return this.tops[this.units.length] ?? 0;
  }

  get unitCount(): number {
    return this.units.length;
  }

  unit(index: number): Unit | undefined {
    return this.units[index];
  }

  /** The index of a unit by its key; -1 when there is none. */
  unitIndex(key: string): number {
    this.settle();
    return this.places.get(key) ?? -1;
  }

  replaceRows(index: number, rows: readonly PlacedRow[]): void {
    const unit = this.units[index];
    if (!unit) return;
    const known = unit.rows;
    unit.rows = rows;
    const isSame =
      known.length === rows.length && this.offsetsOf(known).at(-1) === this.offsetsOf(rows).at(-1);
    if (!isSame) this.settled = Math.min(this.settled, index);
  }

  splice(index: number, removed: number, added: readonly Unit[]): void {
    if (removed === 0 && added.length === 0) return;
    for (const { key } of this.units.slice(index, index + removed)) this.places.delete(key);
    // Lists of arguments have an end, lists of rows may be longer.
    if (index === this.units.length) for (const unit of added) this.units.push(unit);
    else this.units = [...this.units.slice(0, index), ...added, ...this.units.slice(index + removed)];
    this.settled = Math.min(this.settled, index);
  }

  row(index: number): Row | undefined {
    const at = this.unitAtRow(index);
    const row = this.units[at]?.rows[index - (this.firsts[at] ?? 0)];
    return row && rowOf(row);
  }

  /** Where the row begins; at the end of the list, its height. */
  top(index: number): number {
    const at = this.unitAtRow(index);
    const rows = this.units[at]?.rows;
    return rows
      ? (this.tops[at] ?? 0) + (this.offsetsOf(rows)[index - (this.firsts[at] ?? 0)] ?? 0)
      : this.height;
  }

  /** The row that covers `y`, or the nearest. */
  indexAt(y: number): number {
    this.settle();
    const at = lastUpTo(this.tops, this.units.length, y);
    const rows = this.units[at]?.rows;
    if (!rows) return 0;
    const index =
      (this.firsts[at] ?? 0) + lastUpTo(this.offsetsOf(rows), rows.length, y - (this.tops[at] ?? 0));
    // Behind the last row there may be units without any.
    return Math.max(0, Math.min(this.length - 1, index));
  }

  /** Rows and height before the unit. */
  start(index: number): { row: number; y: number } {
    this.settle();
    return { row: this.firsts[index] ?? 0, y: this.tops[index] ?? 0 };
  }

  /** The unit of the row. */
  unitAtRow(index: number): number {
    this.settle();
    return lastUpTo(this.firsts, this.units.length, index);
  }

  private settle(): void {
    for (; this.settled < this.units.length; this.settled++) {
      const at = this.settled;
      const unit = this.units[at];
      if (!unit) return;
      this.places.set(unit.key, at);
      this.firsts[at + 1] = (this.firsts[at] ?? 0) + unit.rows.length;
      this.tops[at + 1] = (this.tops[at] ?? 0) + (this.offsetsOf(unit.rows).at(-1) ?? 0);
    }
  }

  private offsetsOf(rows: readonly PlacedRow[]): number[] {
    let offsets = this.offsets.get(rows);
    if (offsets) return offsets;
    offsets = [0];
    let y = 0;
    for (const { branch } of rows) offsets.push((y += this.heightOf(branch)));
    this.offsets.set(rows, offsets);
    return offsets;
  }
}

/** The last of `count` ascending numbers that is at most `value`; 0 when none is. */
function lastUpTo(numbers: readonly number[], count: number, value: number): number {
  let low = 0;
  let high = Math.max(0, count - 1);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((numbers[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
