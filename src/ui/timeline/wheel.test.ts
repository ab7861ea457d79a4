import { expect, it } from 'vitest';
import { wheelOn } from './wheel';

const still = { ctrlKey: false, metaKey: false, shiftKey: false };

it.each(['lanes', 'ruler', 'overview', 'scroll'] as const)(
  'the wheel zooms over the %s, whatever its height',
  (place) => {
    expect(wheelOn(place, still, 0, 100)).toBe('zoom');
  },
);

it('the wheel scrolls the lanes over their names, and pinching zooms there too', () => {
  expect(wheelOn('names', still, 0, 100)).toBe('scroll');
  expect(wheelOn('names', { ...still, ctrlKey: true }, 0, 100)).toBe('zoom');
});

it('the wheel pans with Shift, and sideways', () => {
  expect(wheelOn('lanes', { ...still, shiftKey: true }, 0, 100)).toBe('pan');
  expect(wheelOn('names', still, 30, 10)).toBe('pan');
});
