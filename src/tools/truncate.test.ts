import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8Length } from './encoding';
import { countLines, keepEnd, keepStart, truncateHead, truncateTail } from './truncate';

const size = (text: string) => new TextEncoder().encode(text).length;
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

describe('truncateHead', () => {
  it('gives back what fits as it is', () => {
    expect(truncateHead('a\nb\n')).toEqual({
      content: 'a\nb\n',
      truncated: false,
      totalLines: 2,
      totalBytes: 4,
      outputLines: 2,
      outputBytes: 4,
      firstLineExceedsLimit: false,
      lastLinePartial: false,
    });
  });

  it('takes a final line feed for no line: 2,000 lines are not truncated (R-03)', () => {
    expect(truncateHead('x\n'.repeat(2000))).toMatchObject({ truncated: false, totalLines: 2000 });
    expect(truncateHead('x\n'.repeat(2001))).toMatchObject({
      truncatedBy: 'lines',
      outputLines: 2000,
      totalLines: 2001,
    });
  });

  it('keeps the first lines', () => {
    const head = truncateHead(numbered(10), { maxLines: 2 });
    expect(head).toMatchObject({
      content: 'line 1\nline 2',
      truncatedBy: 'lines',
      outputLines: 2,
      totalLines: 10,
    });
  });

  it('keeps whole lines when bytes run out first', () => {
    const head = truncateHead('aaaa\nbbbb\ncccc', { maxBytes: 9 });
    expect(head).toMatchObject({
      content: 'aaaa\nbbbb',
      truncatedBy: 'bytes',
      outputLines: 2,
      outputBytes: 9,
    });
    expect(truncateHead('aaaa\nbbbb\ncccc', { maxBytes: 8 })).toMatchObject({
      content: 'aaaa',
      outputLines: 1,
    });
  });

  it('flags a first line that is over the limit', () => {
    const head = truncateHead('é'.repeat(10) + '\nb', { maxBytes: 19 });
    expect(head).toMatchObject({ content: '', firstLineExceedsLimit: true, outputLines: 0, totalLines: 2 });
  });

  it('loses no line when only the final line feed is over the limit', () => {
    expect(truncateHead('aa\nb\n', { maxBytes: 4 })).toMatchObject({
      content: 'aa\nb',
      truncated: false,
      outputLines: 2,
    });
  });
});

describe('truncateTail', () => {
  it('keeps the last lines', () => {
    const tail = truncateTail(numbered(10), { maxLines: 2 });
    expect(tail).toMatchObject({
      content: 'line 9\nline 10',
      truncatedBy: 'lines',
      outputLines: 2,
      totalLines: 10,
    });
  });

  it('keeps whole lines when bytes run out first', () => {
    expect(truncateTail('aaaa\nbbbb\ncccc', { maxBytes: 10 })).toMatchObject({
      content: 'bbbb\ncccc',
      truncatedBy: 'bytes',
      outputLines: 2,
      lastLinePartial: false,
    });
  });

  it('keeps the end of a last line that is too long by itself', () => {
    expect(truncateTail('aa\nbbcccc\n', { maxBytes: 4 })).toMatchObject({
      content: 'cccc',
      truncatedBy: 'bytes',
      outputLines: 1,
      lastLinePartial: true,
    });
  });

  it('cuts inside a line between characters (R-05)', () => {
    const emoji = '😀'.repeat(20_000);
    for (const text of [emoji, `a${emoji}`]) {
      const { content, outputBytes } = truncateTail(text);
      expect(content).toBe('😀'.repeat(12_800));
      expect(outputBytes).toBe(51_200);
    }
  });
});

describe('keepStart and keepEnd', () => {
  it('cut between characters (R-05)', () => {
    const emoji = '😀'.repeat(20_000);
    expect(keepStart(emoji, 51_200)).toBe('😀'.repeat(12_800));
    expect(keepStart(`a${emoji}`, 51_200)).toBe('a' + '😀'.repeat(12_799));
    expect(keepEnd(`${emoji}a`, 51_200)).toBe('😀'.repeat(12_799) + 'a');
  });
});

describe('for any text', () => {
  const text = fc
    .array(fc.constantFrom('a', 'bc', 'é', '中', '😀', '\n', '\n\n', '\r\n', ' '), { maxLength: 60 })
    .map((parts) => parts.join(''));
  const limits = fc.record({
    maxLines: fc.integer({ min: 1, max: 12 }),
    maxBytes: fc.integer({ min: 1, max: 40 }),
  });
  const linesOf = (value: string) => (value.endsWith('\n') ? value.slice(0, -1) : value).split('\n');

  it('byte lengths and line counts are right', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(utf8Length(value)).toBe(size(value));
        expect(countLines(value)).toBe(value === '' ? 0 : linesOf(value).length);
      }),
    );
  });

  it.each([
    ['truncateHead', truncateHead, (lines: string[], count: number) => lines.slice(0, count)],
    ['truncateTail', truncateTail, (lines: string[], count: number) => lines.slice(lines.length - count)],
  ] as const)('%s keeps whole lines within the limits, as many as fit', (_name, truncate, pick) => {
    fc.assert(
      fc.property(text, limits, (value, { maxLines, maxBytes }) => {
        const result = truncate(value, { maxLines, maxBytes });
        expect(result.totalLines).toBe(countLines(value));
        expect(result.outputBytes).toBe(size(result.content));
        expect(result.outputBytes).toBeLessThanOrEqual(maxBytes);
        expect(result.outputLines).toBeLessThanOrEqual(maxLines);
        expect(/\p{Surrogate}/u.test(result.content)).toBe(false);
        expect(result.truncated).toBe(result.truncatedBy !== undefined);
        if (!result.truncated) {
          expect([value, value.slice(0, -1)]).toContain(result.content);
          expect(result.outputLines).toBe(result.totalLines);
        } else if (result.lastLinePartial) {
          expect(linesOf(value).at(-1)?.endsWith(result.content)).toBe(true);
          expect(size(linesOf(value).at(-1) ?? '')).toBeGreaterThan(maxBytes);
        } else {
          const lines = linesOf(value);
          expect(result.content).toBe(pick(lines, result.outputLines).join('\n'));
          const oneMore = size(pick(lines, result.outputLines + 1).join('\n'));
          expect(result.outputLines === maxLines || oneMore > maxBytes).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('time grows with the length, not faster', () => {
    // Quadratic work would take hours.
    const long = '😀'.repeat(2_500_000);
    const started = performance.now();
    truncateTail(long);
    truncateHead(`a\n${long}`);
    truncateTail('x\n'.repeat(2_500_000));
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
