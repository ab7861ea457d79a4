import { expect, it } from 'vitest';
import { Typeahead } from './typeahead';

const tools = ['read', 'read_many', 'rename', 'write', 'ask'];

/** Where the letters lead, each so many ms after the one before. */
function typed(letters: string, gapMs: number, from = 0): (string | undefined)[] {
  const typeahead = new Typeahead();
  let current = from;
  return [...letters].map((letter, index) => {
    const found = typeahead.find(letter, index * gapMs, tools, current);
    current = found ?? current;
    return found === undefined ? undefined : tools[found];
  });
}

it('narrows by letters that come quickly', () => {
  expect(typed('ren', 100)).toEqual(['read_many', 'read_many', 'rename']);
  expect(typed('READ_', 100, 3).at(-1)).toBe('read_many');
  expect(typed('rx', 100).at(-1)).toBeUndefined();
});

it('goes on to the next with the same letter, and begins anew after a while', () => {
  expect(typed('rrr', 100)).toEqual(['read_many', 'rename', 'read']);
  expect(typed('rw', 1000)).toEqual(['read_many', 'write']);
});
