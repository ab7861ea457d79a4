import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowOffsets, visibleRows } from './window';

const heights = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 80 });

describe('the window on a long list', () => {
  it('shows exactly the rows that touch it', () => {
    fc.assert(
      fc.property(heights, fc.nat(3000), fc.nat(400), (rows, start, height) => {
        const offsets = rowOffsets(rows, (row) => row);
        const total = offsets.at(-1) ?? 0;
        const top = Math.min(start, total - 1);
        const bottom = Math.min(top + height, total - 1);
        const { first, end } = visibleRows(offsets, top, bottom, 0);
        const touching = rows
          .map((_, index) => index)
          .filter((index) => (offsets[index] ?? 0) <= bottom && (offsets[index + 1] ?? 0) > top);
        expect([first, end]).toEqual([touching[0], (touching.at(-1) ?? 0) + 1]);
      }),
    );
  });

  it('shows some rows around, within the list', () => {
    const offsets = rowOffsets([10, 10, 10, 10, 10, 10], (row) => row);
    expect(visibleRows(offsets, 20, 29, 2)).toEqual({ first: 0, end: 5 });
  });

  it('shows nothing of an empty list', () => {
    expect(
      visibleRows(
        rowOffsets<number>([], (row) => row),
        0,
        100,
      ),
    ).toEqual({ first: 0, end: 0 });
  });
});
