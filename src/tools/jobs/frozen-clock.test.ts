import { expect, it } from 'vitest';
import { freezeClock } from './frozen-clock';

it('the clock stands, moves by sleeping alone, and is put back', async () => {
  const realDate = Date;
  const clock = freezeClock(1000);
  const before = [Date.now(), new Date().getTime(), new Date(5).getTime(), Date.UTC(1970, 0, 1)];
  await clock.sleep(500);
  const after = Date.now();
  const isDate = new Date() instanceof realDate;
  clock.restore();
  expect(before).toEqual([1000, 1000, 5, 0]);
  expect(after).toBe(1500);
  expect(isDate).toBe(true);
  expect(Date).toBe(realDate);
  expect(Date.now()).toBeGreaterThan(1500);
});

it('the clock stands until more real time has passed than its limit', async () => {
  const clock = freezeClock(1000, 50);
  const before = Date.now();
  await new Promise((resolve) => setTimeout(resolve, 60));
  const after = Date.now();
  clock.restore();
  expect(before).toBe(1000);
  expect(after).toBeGreaterThan(1050);
});

it('random numbers follow from the time', () => {
  const numbers = (now: number) => {
    const clock = freezeClock(now);
    const drawn = Array.from({ length: 1000 }, () => Math.random());
    clock.restore();
    return drawn;
  };
  const drawn = numbers(1);
  expect(numbers(1)).toEqual(drawn);
  expect(numbers(2)).not.toEqual(drawn);
  expect(drawn.every((number) => number >= 0 && number < 1)).toBe(true);
  const mean = drawn.reduce((sum, number) => sum + number, 0) / drawn.length;
  expect(mean).toBeGreaterThan(0.45);
  expect(mean).toBeLessThan(0.55);
});
