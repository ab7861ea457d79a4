import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addBusy, idleGaps, without, type BusyTime, type Stretch } from './lanes-busy';
import { FOLDED, FOLD_FROM, foldedScale } from './lanes-scale';

const stretch = fc
  .tuple(fc.nat(100_000), fc.nat(9000))
  .map(([from, length]): Stretch => ({ from, to: from + length }));
const stretches = fc.array(stretch, { maxLength: 30 });

function busyTime(all: readonly Stretch[]): BusyTime {
  const busy: BusyTime = [];
  for (const one of all) addBusy(busy, one);
  return busy;
}

describe('the folded scale', () => {
  const scales = stretches.map((all) => foldedScale(idleGaps(busyTime(all), 0, 120_000)));

  it('never runs backwards, and leads back to where it came from', () => {
    fc.assert(
      fc.property(scales, fc.array(fc.nat(130_000), { minLength: 2 }), (scale, values) => {
        const sorted = values.sort((a, b) => a - b);
        const places = sorted.map(scale.place);
        for (let index = 1; index < places.length; index++) {
          if (sorted[index - 1] === sorted[index]) continue;
          expect(places[index - 1]).toBeLessThan(places[index]!);
        }
        for (const [index, value] of sorted.entries())
          expect(scale.value(places[index]!)).toBeCloseTo(value, 6);
      }),
    );
  });

  it('takes the same room for each gap, and leaves all else as long as it is', () => {
    const scale = foldedScale([
      { from: 1000, to: 61_000 },
      { from: 70_000, to: 75_000 },
    ]);
    expect([0, 1000, 61_000, 70_000, 75_000, 76_000].map(scale.place)).toEqual([
      0,
      1000,
      1000 + FOLDED,
      10_000 + FOLDED,
      10_000 + 2 * FOLDED,
      11_000 + 2 * FOLDED,
    ]);
  });

  it('is wall time when nothing is idle', () => {
    const scale = foldedScale([]);
    expect([scale.place(5), scale.value(5)]).toEqual([5, 5]);
  });
});

describe('busy time', () => {
  it('is the union of its stretches in whatever order they come, up to gaps that are not folded', () => {
    fc.assert(
      fc.property(
        stretches.chain((all) => fc.tuple(fc.constant(all), shuffled(all))),
        ([all, other]) => {
          const busy = busyTime(all);
          expect(busyTime(other)).toEqual(busy);
          for (const { from, to } of all)
            expect(busy.filter((one) => one.from <= from && to <= one.to)).toHaveLength(1);
          for (let index = 1; index < busy.length; index++)
            expect(busy[index]!.from - busy[index - 1]!.to).toBeGreaterThan(FOLD_FROM);
        },
      ),
    );
  });

  it('leaves waits out, one after another or inside each other', () => {
    const waits = [
      { from: 10, to: 20 },
      { from: 15, to: 18 },
      { from: 30, to: Infinity },
    ];
    expect(without({ from: 0, to: 100 }, waits)).toEqual([
      { from: 0, to: 10 },
      { from: 20, to: 30 },
    ]);
    expect(without({ from: 0, to: 12 }, waits)).toEqual([{ from: 0, to: 10 }]);
    expect(without({ from: 0, to: 5 }, [])).toEqual([{ from: 0, to: 5 }]);
  });

  it('has gaps before it, inside it and after it, where they are long', () => {
    const busy = busyTime([
      { from: 3000, to: 4000 },
      { from: 5000, to: 6000 },
      { from: 9000, to: 9500 },
    ]);
    expect(idleGaps(busy, 0, 20_000)).toEqual([
      { from: 0, to: 3000 },
      { from: 6000, to: 9000 },
      { from: 9500, to: 20_000 },
    ]);
  });
});

function shuffled<T>(values: T[]): fc.Arbitrary<T[]> {
  return fc.shuffledSubarray(values, { minLength: values.length, maxLength: values.length });
}
