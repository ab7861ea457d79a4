import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { globMatch } from './glob';

/** The rule as it is written down, without a care for time. */
function naive(pattern: string[], text: string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return text.length === 0;
  if (first === '*') return naive(rest, text) || (text.length > 0 && naive(pattern, text.slice(1)));
  return text.length > 0 && (first === '?' || first === text[0]) && naive(rest, text.slice(1));
}

/** A text that counts how often a character is looked at. */
function counting(text: string): { text: string; looks: () => number } {
  let looks = 0;
  const counted = {
    length: text.length,
    charCodeAt: (at: number) => {
      looks++;
      return text.charCodeAt(at);
    },
  };
  return { text: counted as unknown as string, looks: () => looks };
}

describe('globMatch', () => {
  it.each([
    ['read', 'read', true],
    ['read', 'reader', false],
    ['*', '', true],
    ['', '', true],
    ['', 'a', false],
    ['src/*.ts', 'src/deep/a.ts', true],
    ['?', '😀', true],
    ['*.env', '/project/.env', true],
    ['[a-z]+', '[a-z]+', true],
    ['.*', 'abc', false],
  ])('%j on %j: %j', (pattern, text, matches) => {
    expect(globMatch(pattern, text)).toBe(matches);
  });

  it('agrees with the naive matcher on every pattern and text', () => {
    const letters = (units: string[]) => fc.array(fc.constantFrom(...units), { maxLength: 9 });
    fc.assert(
      fc.property(
        letters(['a', 'b', '*', '?', '😀']),
        letters(['a', 'b', '😀', '*', '?']),
        (pattern, text) => {
          expect(globMatch(pattern.join(''), text.join(''))).toBe(naive(pattern, text));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('takes steps in proportion to the text, however nasty the pattern is', () => {
    const pattern = `${'*a'.repeat(40)}*b`;
    const looks = [10_000, 20_000].map((length) => {
      const counted = counting('a'.repeat(length));
      expect(globMatch(pattern, counted.text)).toBe(false);
      expect(counted.looks()).toBeLessThanOrEqual(4 * length + pattern.length);
      return counted.looks();
    });
    const worst = counting('a'.repeat(10_000));
    expect(globMatch(`*${'a'.repeat(100)}b`, worst.text)).toBe(false);
    expect(worst.looks()).toBeLessThanOrEqual(2 * 102 * 10_000);
    expect((looks[1] ?? 0) / (looks[0] ?? 1)).toBeCloseTo(2, 1);
  });
});
