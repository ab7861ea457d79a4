import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../trace';
import { RowSlots } from './slots';
import type { ShownRow, SlottedRow } from './slots';

const shapes = ['turn', 'user', 'assistant', 'block', 'deltas', 'call', 'decide', 'poll'];

/** Of a long list whose shapes repeat: the same object for the same row, as the outline has them. */
const list = Array.from({ length: 400 }, (_, index): ShownRow => {
  const row = { key: `row:${index}` } as Row;
  return { row, shape: shapes[index % shapes.length] ?? '', top: index * 25, setSize: 400 };
});
const rowsFrom = (first: number, count = 32) => list.slice(first, first + count).map((row) => ({ ...row }));
const slotsOf = (rows: readonly SlottedRow[]) => rows.map(({ slot }) => slot);

describe('the slots of the rows in sight', () => {
  it('are one for each row, whatever was in sight before', () => {
    const windows = fc.array(fc.tuple(fc.nat(360), fc.integer({ min: 0, max: 40 })), { maxLength: 12 });
    fc.assert(
      fc.property(windows, (windows) => {
        const slots = new RowSlots();
        for (const [first, count] of windows) {
          const rows = slots.assign(rowsFrom(first, count));
          expect(rows.map(({ row }) => row)).toEqual(rowsFrom(first, count).map(({ row }) => row));
          expect(new Set(slotsOf(rows)).size).toBe(rows.length);
        }
      }),
    );
  });

  it('stay with the rows that stay in sight, which are the same objects then', () => {
    fc.assert(
      fc.property(fc.integer({ min: -16, max: 16 }), (step) => {
        const slots = new RowSlots();
        const before = slots.assign(rowsFrom(100));
        const after = slots.assign(rowsFrom(100 + step));
        for (const placed of before) {
          const known = after.find(({ row }) => row === placed.row);
          if (known) expect(known).toBe(placed);
        }
        // What comes takes the place of what goes.
        expect(new Set(slotsOf(after))).toEqual(new Set(slotsOf(before)));
      }),
    );
  });

  it('show another row of the same shape after a leap, in the same order', () => {
    const slots = new RowSlots();
    const before = slots.assign(rowsFrom(0));
    const after = slots.assign(rowsFrom(shapes.length * 10));
    expect(slotsOf(after)).toEqual(slotsOf(before));
    const shifted = slots.assign(rowsFrom(shapes.length * 20 + 3));
    const shapeOf = new Map(after.map(({ slot, shape }) => [slot, shape]));
    for (const { slot, shape } of shifted) expect(shapeOf.get(slot)).toBe(shape);
    // All but those that had to go from one end to the other.
    expect(slotsOf(shifted).slice(0, -3)).toEqual(slotsOf(after).slice(3));
  });

  it('are used for rows of other shapes rather than made anew', () => {
    const slots = new RowSlots();
    const before = slots.assign(rowsFrom(0).map((row) => ({ ...row, shape: 'call' })));
    const after = slots.assign(rowsFrom(200).map((row) => ({ ...row, shape: 'note' })));
    expect(new Set(slotsOf(after))).toEqual(new Set(slotsOf(before)));
  });

  it('tell of a row that stands elsewhere, or has more beside it', () => {
    const slots = new RowSlots();
    const [before] = slots.assign(rowsFrom(0, 1));
    const [lower] = slots.assign(rowsFrom(0, 1).map((row) => ({ ...row, top: 7 })));
    expect(lower).toEqual({ ...before, top: 7 });
    const [more] = slots.assign(rowsFrom(0, 1).map((row) => ({ ...row, top: 7, setSize: 401 })));
    expect(more).toEqual({ ...before, top: 7, setSize: 401 });
  });
});
