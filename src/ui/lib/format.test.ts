import { expect, it } from 'vitest';
import { clockTime, duration } from './format';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

it('a span is told in two units at most, from hundredths of a second to days', () => {
  expect(duration(50)).toBe('0.05 s');
  expect(duration(12_300)).toBe('12.3 s');
  expect(duration(4 * MINUTE + 5 * SECOND)).toBe('4 min 05 s');
  expect(duration(47 * HOUR + 59 * MINUTE)).toBe('47 h 59 min');
  expect(duration(48 * HOUR)).toBe('2 d 0 h');
  expect(duration(2000 * HOUR + 12 * MINUTE)).toBe('83 d 8 h');
});

it('a clock counts hours as long as they say something, then days', () => {
  expect(clockTime(MINUTE)).toBe('1:00');
  expect(clockTime(59 * MINUTE + 59_999)).toBe('59:59');
  expect(clockTime(2 * HOUR + 3 * MINUTE + 4 * SECOND)).toBe('2:03:04');
  expect(clockTime(48 * HOUR - 1)).toBe('47:59:59');
  expect(clockTime(2000 * HOUR + 12 * MINUTE + 33 * SECOND)).toBe('83 d 08:12');
});
