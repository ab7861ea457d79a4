/** Which piece of the page draws which row: to make one anew, or to move it, costs far more than to change its text. */
import type { Row } from '../../trace';

export interface ShownRow {
  row: Row;
  /** Rows of one shape differ in little but their texts. */
  shape: string;
  /** px from the beginning of all rows. */
  top: number;
  /** How many rows stand beside it, itself included. */
  setSize: number;
}

/** `slot` is a number that no other row in sight has. */
export type SlottedRow = ShownRow & { slot: number };

/** Hands out slots to the rows in sight. */
export class RowSlots {
  private taken: readonly SlottedRow[] = [];
  private made = 0;

  /**
   * The rows, which are told from the top, with their slots; the same objects as before where nothing changed. Of a small
   * step the rows that stay keep their slots, and the others take what became free. A leap changes what the slots show,
   * but neither their order nor, where it can be, their shape.
   */
  assign(rows: readonly ShownRow[]): readonly SlottedRow[] {
    const before = new Map(this.taken.map((taken) => [taken.row.key, taken]));
    const staying = rows.map(({ row }) => before.get(row.key)?.slot);
    const isLeap = staying.filter((slot) => slot !== undefined).length * 2 < rows.length;
    const slots = this.fill(rows, isLeap ? this.inOrder(rows) : staying);
    this.taken = rows.map((row, index) => {
      const known = before.get(row.row.key);
      const slot = slots[index] ?? 0;
      return known && isSame(known, row) && known.slot === slot ? known : { ...row, slot };
    });
    return this.taken;
  }

  /** Slots whose shapes fit already, from the top. */
  private inOrder(rows: readonly ShownRow[]): (number | undefined)[] {
    const slots: (number | undefined)[] = rows.map(() => undefined);
    for (const { row, taken } of inCommon(rows, this.taken)) slots[row] = this.taken[taken]?.slot;
    return slots;
  }

  /** The rows without a slot take those that nobody has, of their own shape if there is one; at last, new ones. */
  private fill(rows: readonly ShownRow[], some: readonly (number | undefined)[]): number[] {
    const has = new Set(some);
    const free = this.taken.filter(({ slot }) => !has.has(slot));
    const take = (slot: number | undefined, shape?: string): number | undefined => {
      if (slot !== undefined) return slot;
      const at = free.findIndex((taken) => shape === undefined || taken.shape === shape);
      return at < 0 ? undefined : free.splice(at, 1)[0]?.slot;
    };
    const fitting = rows.map(({ shape }, index) => take(some[index], shape));
    return fitting.map((slot) => take(slot) ?? this.made++);
  }
}

function isSame(a: ShownRow, b: ShownRow): boolean {
  return a.row === b.row && a.top === b.top && a.setSize === b.setSize;
}

/** The longest series of shapes that is, in this order, in both: where each of it is in the one and in the other. */
function inCommon(rows: readonly ShownRow[], taken: readonly ShownRow[]): { row: number; taken: number }[] {
  const width = taken.length + 1;
  /** How many there are from here on. */
  const most = new Uint16Array((rows.length + 1) * width);
  const at = (row: number, slot: number) => most[row * width + slot] ?? 0;
  for (let row = rows.length - 1; row >= 0; row--)
    for (let slot = taken.length - 1; slot >= 0; slot--)
      most[row * width + slot] =
        rows[row]?.shape === taken[slot]?.shape
          ? at(row + 1, slot + 1) + 1
          : Math.max(at(row + 1, slot), at(row, slot + 1));
  const pairs = [];
  for (let row = 0, slot = 0; row < rows.length && slot < taken.length;) {
    if (rows[row]?.shape === taken[slot]?.shape) pairs.push({ row: row++, taken: slot++ });
    else if (at(row + 1, slot) >= at(row, slot + 1)) row++;
    else slot++;
  }
  return pairs;
}
