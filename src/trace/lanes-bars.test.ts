import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { barsInView, PixelBars, pixelBars, pixelOf, valueAt, type AxisView } from './lanes-bars';
import { BarFlag, LaneRow } from './lanes-row';
import { foldedScale, wallScale, type Scale } from './lanes-scale';

/** A row of bars; the last one may be open. */
const rows = fc
  .tuple(
    fc.array(fc.tuple(fc.nat(30), fc.oneof(fc.nat(2), fc.nat(200)), fc.boolean()), { maxLength: 60 }),
    fc.boolean(),
  )
  .map(([parts, open]) => {
    const row = new LaneRow();
    let at = 0;
    for (const [index, [wait, length, failed]] of parts.entries()) {
      at += wait;
      const endAt = open && index === parts.length - 1 ? Infinity : at + length;
      const flags = failed ? BarFlag.failed : 0;
      row.push({ at, seq: index, endAt, endSeq: index, midAt: NaN, flags }, index);
      at += length;
    }
    return row;
  });

const scales: fc.Arbitrary<Scale> = fc.constantFrom(wallScale, foldedScale([{ from: 500, to: 4000 }]));

const views = fc
  .record({
    scale: scales,
    start: fc.integer({ min: -100, max: 3000 }),
    span: fc.integer({ min: 1, max: 6000 }),
    width: fc.integer({ min: 1, max: 800 }),
    now: fc.integer({ min: 0, max: 9000 }),
  })
  .map(({ scale, start, span, width, now }): AxisView => ({
    scale,
    from: start,
    to: start + span,
    width,
    now,
  }));

/** Start and end of a bar of the row in pixels. */
function edges(row: LaneRow, view: AxisView, index: number): [number, number] {
  const end = Math.min(row.endAt[index]!, view.now);
  return [pixelOf(view, row.at[index]!), pixelOf(view, end)];
}

/** `now` is never before what has begun or ended. */
function atNow(row: LaneRow, view: AxisView): AxisView {
  const last = row.count - 1;
  const known = row.endAt[last] === Infinity ? row.at[last]! : (row.endAt[last] ?? 0);
  return { ...view, now: Math.max(view.now, known) };
}

describe('what is in view', () => {
  it('is exactly the bars that touch it', () => {
    fc.assert(
      fc.property(rows, views, (row, anyView) => {
        const view = atNow(row, anyView);
        const { first, end } = barsInView(row, view);
        const [from, to] = [view.scale.value(view.from), view.scale.value(view.to)];
        for (let index = 0; index < row.count; index++) {
          const touches = row.at[index]! <= to && Math.min(row.endAt[index]!, view.now) >= from;
          expect(first <= index && index < end).toBe(touches);
        }
      }),
    );
  });
});

describe('the bars to draw', () => {
  it('stand for each bar in view exactly once, in order', () => {
    fc.assert(
      fc.property(rows, views, (row, anyView) => {
        const view = atNow(row, anyView);
        const { first, end } = barsInView(row, view);
        const bars = pixelBars(row, view, new PixelBars());
        const told: number[] = [];
        for (let index = 0; index < bars.count; index++)
          for (let bar = bars.first[index]!; bar <= bars.last[index]!; bar++) told.push(bar);
        expect(told).toEqual(Array.from({ length: end - first }, (_, index) => first + index));
      }),
    );
  });

  it('cover what they stand for, and nothing that is a pixel away from it', () => {
    fc.assert(
      fc.property(rows, views, (row, anyView) => {
        const view = atNow(row, anyView);
        const bars = pixelBars(row, view, new PixelBars());
        for (let index = 0; index < bars.count; index++) {
          const [x0, x1] = [bars.x0[index]!, bars.x1[index]!];
          const [start] = edges(row, view, bars.first[index]!);
          const [, end] = edges(row, view, bars.last[index]!);
          expect(x0).toBeCloseTo(start, 6);
          expect(x1).toBeCloseTo(end, 6);
          if (bars.first[index] !== bars.last[index]) expect(x1 - x0).toBeLessThanOrEqual(2);
          else expect(x1 - x0).toBeCloseTo(end - start, 6);
        }
      }),
    );
  });

  it('are at most two for a pixel of the view, however many bars there are', () => {
    const row = new LaneRow();
    for (let at = 0; at < 50_000; at++) {
      const bar = { at, seq: at, endAt: at + 0.5, endSeq: at, midAt: NaN, flags: 0 };
      row.push(bar, at);
    }
    const view = { scale: wallScale, from: 0, to: 50_000, width: 700, now: 50_000 };
    expect(pixelBars(row, view, new PixelBars()).count).toBeLessThanOrEqual(1400);
  });

  it('know how many of what they stand for failed', () => {
    fc.assert(
      fc.property(rows, views, (row, anyView) => {
        const bars = pixelBars(row, atNow(row, anyView), new PixelBars());
        for (let index = 0; index < bars.count; index++) {
          const flags = [...row.flags.slice(bars.first[index], bars.last[index]! + 1)];
          expect(row.failedIn(bars.first[index]!, bars.last[index]!)).toBe(
            flags.filter((flag) => flag & BarFlag.failed).length,
          );
        }
      }),
    );
  });
});

it('pixels and values of a view lead to each other', () => {
  fc.assert(
    fc.property(views, fc.nat(5000), (view, value) => {
      expect(valueAt(view, pixelOf(view, value))).toBeCloseTo(value, 4);
    }),
  );
});
