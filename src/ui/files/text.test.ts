import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keepLineEndings, linesOf, lower, matchesIn, shownCharacters, shownPart, widthOf } from './text';

it('the lines of a text have no line feeds, and the last one begins none', () => {
  expect(linesOf('a\r\nb\n')).toEqual(['a', 'b']);
  expect([linesOf(''), linesOf('\n'), linesOf('a\n\n')]).toEqual([[], [''], ['a', '']]);
});

it('what is shown of a large text is whole lines', () => {
  const line = `${'x'.repeat(99)}\n`;
  const part = shownPart(line.repeat(30_000));
  expect(part.length).toBeLessThanOrEqual(shownCharacters + 1);
  expect(part.endsWith(line)).toBe(true);
  expect(shownPart('y'.repeat(shownCharacters + 5))).toHaveLength(shownCharacters);
  expect(shownPart('short')).toBe('short');
});

it('the width of lines counts wide characters twice', () => {
  expect(widthOf(['abc', '文件', '\tx'])).toBe(5);
});

describe('a text from a field', () => {
  it('keeps the line endings of what was not touched, and uses the common one for new lines', () => {
    expect(keepLineEndings('a\r\nb\r\nc\n', 'a\nnew\nb\nc\n')).toBe('a\r\nnew\r\nb\r\nc\n');
    expect(keepLineEndings('a\nb', 'a\r\nb')).toBe('a\r\nb');
  });

  it('is the very same when nothing was edited', () => {
    const text = fc.array(fc.constantFrom('a', 'b', '\n', '\r\n', '\r', '😀')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (raw) => {
        expect(keepLineEndings(raw, raw.replace(/\r\n?/g, '\n'))).toBe(raw);
      }),
    );
  });

  it('reads in the field as it was edited', () => {
    const text = fc.array(fc.constantFrom('a', 'b', '\n', '\r\n', '\r')).map((parts) => parts.join(''));
    const edited = fc.array(fc.constantFrom('a', 'b', '\n')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, edited, (raw, after) => {
        expect(keepLineEndings(raw, after).replace(/\r\n?/g, '\n')).toBe(after);
      }),
    );
  });
});

describe('a search', () => {
  it('finds a text in any case, literally', () => {
    expect(matchesIn('A.b a.B', 'a.b')).toEqual([0, 4]);
    expect(matchesIn('aaaa', 'aa')).toEqual([0, 2]);
    expect(matchesIn('axb', 'a.b')).toEqual([]);
    expect(matchesIn('anything', '')).toEqual([]);
  });

  it('finds places in the text as it is, also where lower case is longer', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(lower(text)).toHaveLength(text.length);
      }),
    );
    expect(matchesIn('İx', 'x')).toEqual([1]);
  });
});
