import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fittedWindow,
  followingWindow,
  heldWindow,
  latestWindow,
  pannedWindow,
  revealingWindow,
  wholeWindow,
  zoomedWindow,
  type Extent,
  type TimeWindow,
} from './time-window';

const extents: fc.Arbitrary<Extent> = fc
  .record({ start: fc.nat(5000), length: fc.nat(100_000), least: fc.integer({ min: 1, max: 50 }) })
  .map(({ start, length, least }) => ({ start, end: start + length, least }));

/** Windows that a reader can have. */
const sights = extents.chain((extent) =>
  fc
    .tuple(fc.integer({ min: -200_000, max: 200_000 }), fc.integer({ min: extent.least, max: 300_000 }))
    .map(([from, span]) => ({ extent, window: heldWindow({ from, to: from + span }, extent) })),
);

const span = ({ from, to }: TimeWindow) => to - from;

describe('a window', () => {
  it('never shows more than everything, and never loses all that there is', () => {
    fc.assert(
      fc.property(
        sights,
        fc.integer({ min: -100_000, max: 100_000 }),
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        ({ extent, window }, by, factor) => {
          for (const moved of [
            pannedWindow(window, by, extent),
            zoomedWindow(window, factor, window.from + by / 10, extent),
          ]) {
            expect(span(moved)).toBeLessThanOrEqual(span(wholeWindow(extent)) + 1e-6);
            expect(moved.from).toBeLessThanOrEqual(extent.end + 1e-6);
            expect(moved.to).toBeGreaterThanOrEqual(extent.start - 1e-6);
          }
        },
      ),
    );
  });

  it('keeps its length when it pans', () => {
    fc.assert(
      fc.property(sights, fc.integer({ min: -1000, max: 1000 }), ({ extent, window }, by) => {
        expect(span(pannedWindow(window, by, extent))).toBeCloseTo(span(window), 6);
      }),
    );
  });

  it('keeps the place under the pointer when it zooms in', () => {
    fc.assert(
      fc.property(
        sights,
        fc.double({ min: 0.1, max: 0.9, noNaN: true }),
        fc.double({ min: 0, max: 0.7, noNaN: true }),
        ({ extent, window }, factor, share) => {
          const anchor = window.from + share * span(window);
          // Beyond the end there is only so much room.
          fc.pre(anchor <= extent.end && anchor >= extent.start);
          fc.pre(extent.end - extent.start > 2 * extent.least);
          const zoomed = zoomedWindow(window, factor, anchor, extent);
          expect(span(zoomed)).toBeCloseTo(Math.max(extent.least, span(window) * factor), 6);
          expect((anchor - zoomed.from) / span(zoomed)).toBeCloseTo(share, 4);
        },
      ),
    );
  });

  it('that is fitted shows what it is fitted to, with room on both sides', () => {
    const extent = { start: 0, end: 10_000, least: 20 };
    expect(fittedWindow(4000, 5000, extent)).toEqual({ from: 3900, to: 5100 });
    expect(fittedWindow(4000, 4000, extent)).toEqual({ from: 3990, to: 4010 });
  });

  it('that follows moves on only once the end reaches its edge, and then keeps some room', () => {
    const window = { from: 0, to: 100 };
    expect(followingWindow(window, { start: 0, end: 90, least: 1 })).toEqual(window);
    expect(followingWindow(window, { start: 0, end: 120, least: 1 })).toEqual({ from: 24, to: 124 });
  });

  it('to begin with shows all of what is short, and the latest of what is long', () => {
    expect(latestWindow(100, { start: 10, end: 60, least: 1 })).toEqual({ from: 9.5, to: 62 });
    expect(latestWindow(100, { start: 0, end: 1000, least: 1 })).toEqual({ from: 904, to: 1004 });
  });
});

describe('revealing', () => {
  it('shows what was asked for, and leaves a window alone that shows it', () => {
    fc.assert(
      fc.property(
        sights,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(5000),
        ({ extent, window }, share, length) => {
          const from = extent.start + share * (extent.end - extent.start);
          const to = Math.min(extent.end, from + length);
          const revealed = revealingWindow(window, from, to, extent);
          expect(revealed.from).toBeLessThanOrEqual(from + 1e-6);
          expect(revealed.to).toBeGreaterThanOrEqual(to - 1e-6);
          expect(revealingWindow(revealed, from, to, extent).from).toBeCloseTo(revealed.from, 6);
        },
      ),
    );
  });

  it('moves as little as it must', () => {
    const extent = { start: 0, end: 1000, least: 1 };
    const window = { from: 400, to: 500 };
    expect(revealingWindow(window, 420, 480, extent)).toBe(window);
    expect(revealingWindow(window, 300, 310, extent)).toEqual({ from: 290, to: 390 });
    expect(revealingWindow(window, 600, 610, extent)).toEqual({ from: 520, to: 620 });
  });
});
