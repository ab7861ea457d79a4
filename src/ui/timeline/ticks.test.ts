import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldedScale, wallScale, type Scale } from '../../trace/lanes-scale';
import type { AxisView } from '../../trace/lanes-bars';
import { bareSeconds, rangeText, roundStep, ticks, tickStep, tickText } from './ticks';

const stepScale: Scale = { ...wallScale, mode: 'steps', measure: 'seq' };
const gap = { from: 20_000, to: 3_600_000 };
const views: fc.Arbitrary<AxisView> = fc
  .record({
    scale: fc.constantFrom(wallScale, stepScale, foldedScale([gap])),
    from: fc.integer({ min: -500, max: 100_000 }),
    span: fc.integer({ min: 4, max: 10_000_000 }),
    width: fc.integer({ min: 200, max: 2000 }),
  })
  .map(({ scale, from, span, width }) => ({ scale, from, to: from + span, width, now: 1e9 }));

describe('ticks', () => {
  it('stand in order, in view, at multiples of the step, and in no gap', () => {
    fc.assert(
      fc.property(views, (view) => {
        const step = tickStep(view);
        const all = ticks(view, step);
        for (const [index, { x, value, isMinor }] of all.entries()) {
          expect(x).toBeGreaterThanOrEqual(-1e-6);
          expect(x).toBeLessThanOrEqual(view.width + 1e-6);
          if (index > 0) expect(x).toBeGreaterThan(all[index - 1]!.x);
          if (!isMinor) expect(Math.abs(value / step - Math.round(value / step))).toBeLessThan(1e-6);
          for (const { from, to } of view.scale.gaps) expect(value <= from || value >= to).toBe(true);
        }
      }),
    );
  });

  it('of steps stand evenly, and name the record that is there', () => {
    // A stream of 100 records takes the room of four.
    const place = (seq: number): number => (seq < 10 ? seq : seq < 110 ? 10 + (seq - 10) / 25 : seq - 96);
    const value = (step: number): number =>
      step < 10 ? step : step < 14 ? 10 + (step - 10) * 25 : step + 96;
    const scale: Scale = { ...stepScale, place, value };
    const all = ticks({ scale, from: 0, to: 20, width: 800, now: 116 });
    expect(all.map(({ value: record }) => record)).toEqual([0, 2, 4, 6, 8, 10, 60, 110, 112, 114, 116]);
  });

  it('leave room for their labels, and are not few', () => {
    fc.assert(
      fc.property(views, (view) => {
        fc.pre(view.scale.mode === 'wall');
        const labelled = ticks(view).filter(({ isMinor }) => !isMinor);
        for (let index = 1; index < labelled.length; index++)
          expect(labelled[index]!.x - labelled[index - 1]!.x).toBeGreaterThanOrEqual(61.9);
        const seen = Math.min(1, view.to / (view.to - view.from));
        expect(labelled.length).toBeGreaterThanOrEqual(Math.floor((view.width * seen) / 62 / 2.6) - 2);
      }),
    );
  });

  it.each([
    [0.3, 'at', 0.5],
    [3, 'at', 5],
    [700, 'at', 1000],
    [1001, 'at', 2000],
    [16_000, 'at', 30_000],
    [40_000, 'at', 60_000],
    [8 * 60_000, 'at', 10 * 60_000],
    [5 * 3_600_000, 'at', 6 * 3_600_000],
    [30 * 3_600_000, 'at', 48 * 3_600_000],
    [0.2, 'seq', 1],
    [37, 'seq', 50],
  ] as const)('of at least %s (%s) are %s apart', (least, measure, step) => {
    expect(roundStep(least, measure)).toBeCloseTo(step, 9);
  });
});

describe('the label of a tick', () => {
  it.each([
    [4000, 1000, '4 s'],
    [4500, 500, '4.5 s'],
    [4050, 50, '4.05 s'],
    [59_999, 1, '59.999 s'],
    [60_000, 1000, '1:00'],
    [119_999, 1000, '1:59'],
    [65_250, 50, '1:05.25'],
    [3_725_000, 1000, '1:02:05'],
    [2000 * 3_600_000, 86_400_000, '83 d 08:00'],
    [2000 * 3_600_000 + 754_250, 50, '83 d 08:12:34.25'],
  ])('at %s ms, %s ms apart, is %s', (value, step, text) => {
    expect(tickText(value, step, 'at')).toBe(text);
  });

  it('of records is their number', () => {
    expect(tickText(1200, 100, 'seq')).toBe('1,200');
  });
});

it.each([
  [3640, 14_300, 'at', '3.6 s to 14.3 s'],
  [-20, 90_000, 'at', '0 s to 1:30'],
  [0.4, 480.7, 'seq', 'records 1 to 480'],
] as const)('the range from %s to %s (%s) reads %s', (from, to, measure, text) => {
  expect(rangeText(from, to, measure)).toBe(text);
});

it.each([
  [760, '0.76'],
  [12_300, '12.3 s'],
])('%s ms in a narrow place is %s', (ms, text) => {
  expect(bareSeconds(ms)).toBe(text);
});
