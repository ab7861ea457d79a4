import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunksOf } from './chunks';

describe('the pieces of a long text', () => {
  it('are the text when they are put together again', () => {
    const line = fc.string({ maxLength: 40 }).map((text) => text.repeat(100));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const text = lines.join('\n');
        expect(chunksOf(text).join('\n')).toBe(text);
      }),
    );
  });

  it('are many of a long text, and one of a short one', () => {
    expect(chunksOf('one\ntwo')).toEqual(['one\ntwo']);
    const chunks = chunksOf('a line of some output\n'.repeat(100_000));
    expect(chunks.length).toBeGreaterThan(200);
    expect(Math.max(...chunks.map((chunk) => chunk.length))).toBeLessThan(8100);
  });

  it('are short also of one line that never ends, and keep all of it and its words', () => {
    const line = 'Of all that was said it is this that stays. '.repeat(5000);
    const chunks = chunksOf(line);
    expect(chunks.join('')).toBe(line);
    expect(Math.max(...chunks.map((chunk) => chunk.length))).toBeLessThanOrEqual(16_000);
    expect(chunks.slice(0, -1).every((chunk) => chunk.endsWith(' '))).toBe(true);
    const faces = '\u{1F600}'.repeat(20_000);
    expect(chunksOf(`x${faces}`).join('')).toBe(`x${faces}`);
    // What is cut within a pair of code units is no text that can be encoded.
    expect(() => chunksOf(`x${faces}`).map(encodeURIComponent)).not.toThrow();
  });

  it('stay as they are, but for the last one, when a line grows', () => {
    const line = 'Of all that was said it is this that stays. '.repeat(2000);
    for (let length = 16_001; length < line.length; length += 777) {
      const before = chunksOf(line.slice(0, length)).slice(0, -1);
      expect(chunksOf(line).slice(0, before.length)).toEqual(before);
    }
  });
});
