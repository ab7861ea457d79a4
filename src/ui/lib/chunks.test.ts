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
});
