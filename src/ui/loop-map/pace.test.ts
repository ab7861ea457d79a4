import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lagMs, leastMs, meantLagMs, Pace } from './pace';

interface Came {
  at: number;
  dwell: number;
}

interface Shown {
  moment: number;
  from: number;
  to: number;
}

/** Plays moments against a clock: which of them was shown from when to when, in the order in which they were shown. */
function shownOf(came: readonly Came[], late = 0): Shown[] {
  const pace = new Pace<number>();
  const shown: Shown[] = [];
  let newest = -1;
  let now = 0;
  const look = () => {
    const moment = pace.picture ?? newest;
    const last = shown.at(-1);
    if (last?.moment === moment || moment < 0) return;
    if (last) last.to = now;
    shown.push({ moment, from: now, to: Infinity });
  };
  const passUntil = (time: number) => {
    for (let due = pace.due; due !== undefined && due + late <= time; due = pace.due) {
      now = Math.max(now, due + late);
      pace.tick(now);
      look();
    }
    now = Math.max(now, time);
  };
  for (const [index, { at, dwell }] of came.entries()) {
    passUntil(at);
    pace.begin(now, dwell, () => index - 1);
    newest = index;
    look();
  }
  passUntil(Infinity);
  return shown;
}

const dwell = fc.constantFrom(180, 430);
/** As a loop has them: bursts of several in the same moment, and time between them. */
const moments = fc
  .array(
    fc.record({
      gap: fc.nat({ max: 3000 }),
      burst: fc.array(fc.record({ dwell, gap: fc.nat({ max: 40 }) }), { minLength: 1, maxLength: 14 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((bursts) => {
    let at = 0;
    return bursts.flatMap(({ gap, burst }) => {
      at += gap;
      return burst.map((each) => ({ at: (at += each.gap), dwell: each.dwell }));
    });
  });

describe('moments that are shown one after the other', () => {
  it('keep their order, and end at the newest', () => {
    fc.assert(
      fc.property(moments, fc.nat({ max: 30 }), (came, late) => {
        const order = shownOf(came, late).map(({ moment }) => moment);
        expect(order).toEqual(order.toSorted((a, b) => a - b));
        expect(order.at(-1)).toBe(came.length - 1);
      }),
    );
  });

  it('are each shown for as long as they should be, when there is the time for it', () => {
    fc.assert(
      fc.property(fc.array(dwell, { minLength: 1, maxLength: 5 }), fc.nat({ max: 5 }), (burst, turns) => {
        const came = Array.from({ length: turns + 1 }, (_, turn) =>
          burst.map((dwell) => ({ at: turn * 2500, dwell })),
        ).flat();
        fc.pre(burst.reduce((sum, each) => sum + each, 0) <= meantLagMs);
        const shown = shownOf(came);
        expect(shown.map(({ moment }) => moment)).toEqual(came.map((_, index) => index));
        for (const { moment, from, to } of shown)
          expect(to - from).toBeGreaterThanOrEqual((came[moment]?.dwell ?? 0) - 1e-6);
      }),
    );
  });

  it('are never later than they may be, however much comes at once', () => {
    fc.assert(
      fc.property(moments, (came) => {
        for (const { moment, from } of shownOf(came))
          expect(from - (came[moment]?.at ?? 0)).toBeLessThanOrEqual(lagMs + 1e-6);
      }),
    );
  });

  it('are each shown long enough to be seen, or passed over', () => {
    fc.assert(
      fc.property(moments, (came) => {
        const shown = shownOf(came);
        for (const [index, { moment, from, to }] of shown.entries()) {
          const isFollowedOn = shown[index + 1]?.moment === moment + 1;
          const isBacklog = from > (came[moment]?.at ?? 0);
          if (isFollowedOn && isBacklog) expect(to - from).toBeGreaterThanOrEqual(leastMs - 1e-6);
        }
      }),
    );
  });

  it('share what time there is in proportion to how long they should be shown', () => {
    const came = [180, 430, 430, 430, 180, 180, 180].map((dwell) => ({ at: 0, dwell }));
    const shares = shownOf(came)
      .slice(0, -1)
      .map(({ from, to, moment }) => (to - from) / (came[moment]?.dwell ?? 1));
    expect(shares).toHaveLength(6);
    for (const share of shares) expect(share).toBeCloseTo(meantLagMs / 1830);
  });

  it('are passed over when they come faster than an eye can follow, and followed again when they come slowly', () => {
    const fast = Array.from({ length: 400 }, (_, index) => ({ at: 10 * index, dwell: 180 }));
    const slow = Array.from({ length: 20 }, (_, index) => ({
      at: 6000 + 900 * Math.floor(index / 3),
      dwell: 180,
    }));
    const shown = shownOf([...fast, ...slow]);
    const late = shown.filter(({ from, moment }) => moment < 400 && from > 10 * moment);
    expect(late.length).toBeLessThan(lagMs / leastMs);
    const followed = shown.filter(({ moment }) => moment > 415).map(({ moment }) => moment);
    expect(followed).toEqual([416, 417, 418, 419]);
  });

  it('are not drawn when nobody will see them', () => {
    let drawn = 0;
    const pace = new Pace<number>();
    for (let now = 0; now < 5000; now += 5) pace.begin(now, 180, () => drawn++);
    expect(drawn).toBeLessThan(25);
    const calm = new Pace<number>();
    drawn = 0;
    for (let now = 0; now < 5000; now += 500) calm.begin(now, 420, () => drawn++);
    expect(drawn).toBe(0);
  });
});
