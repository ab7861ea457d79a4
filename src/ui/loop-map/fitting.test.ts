import fc from 'fast-check';
import { expect, it } from 'vitest';
import { boxOfLine, fitting, meet } from './fitting';
import type { Words } from './fitting';

const room = { left: 0, top: 0, right: 400, bottom: 300 };
const line = fc.record({
  x: fc.integer({ min: -20, max: 420 }),
  y: fc.integer({ min: -20, max: 320 }),
  anchor: fc.constantFrom('start', 'middle', 'end'),
  size: fc.integer({ min: 8, max: 40 }),
  width: fc.integer({ min: 1, max: 150 }),
});
const someWords = fc
  .array(fc.record({ rank: fc.integer({ min: 1, max: 6 }), lines: fc.array(line, { maxLength: 2 }) }), {
    maxLength: 16,
  })
  .map((all) => all.map(({ rank, lines }, index) => ({ id: `${index}`, rank, boxes: lines.map(boxOfLine) })));

it('no two words lie on each other, and none is cut off', () => {
  fc.assert(
    fc.property(someWords, (words) => {
      const kept = fitting(words, room);
      const boxes = words.filter(({ id }) => kept.has(id)).map((each) => each.boxes);
      for (const [index, own] of boxes.entries()) {
        const others = boxes.slice(index + 1).flat();
        expect(own.some((box) => others.some((other) => meet(box, other)))).toBe(false);
        expect(own.every(({ left, right }) => left >= room.left && right <= room.right)).toBe(true);
      }
    }),
  );
});

const words = (id: string, rank: number, x: number, needs?: string): Words => ({
  id,
  rank,
  boxes: [{ left: x, right: x + 20, top: 0, bottom: 10 }],
  ...(needs === undefined ? {} : { needs }),
});

it('what matters more stays, wherever it stands in the list', () => {
  expect(fitting([words('low', 3, 0), words('high', 1, 10)], room)).toEqual(new Set(['high']));
});

it('what must be there is, also where it lies on the edge', () => {
  expect(fitting([words('now', 0, -10), words('beside', 1, 5)], room)).toEqual(new Set(['now']));
});

it('a detail goes with its name', () => {
  const all = [words('name', 2, 10), words('first', 1, 0), words('detail', 3, 60, 'name')];
  expect(fitting(all, room)).toEqual(new Set(['first']));
});
