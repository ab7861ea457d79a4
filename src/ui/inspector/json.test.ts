import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brokenLines, isSmall, preview } from './json';

describe('the preview of a value', () => {
  it('is its JSON in one line', () => {
    expect(preview({ role: 'user', content: ['a', 1, null, {}] })).toBe(
      '{"role": "user", "content": ["a", 1, null, {}]}',
    );
  });

  it('breaks off after its limit, however large the value is', () => {
    const large = { texts: Array.from({ length: 1_000_000 }, () => 'x'.repeat(50)) };
    const text = preview(large, 80);
    expect(text).toHaveLength(81);
    expect(text.endsWith('…')).toBe(true);
  });

  it('is never longer than its limit and the mark', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(preview(value, 30).length).toBeLessThanOrEqual(31);
      }),
    );
  });
});

describe('JSON with its line feeds', () => {
  it('breaks behind each line feed, and not at a backslash before an n', () => {
    expect(brokenLines(JSON.stringify('a\nb\\nc\\\nd'))).toBe('"a\\n\nb\\\\nc\\\\\\n\nd"');
  });

  it('is the same when the breaks are taken out again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(JSON.parse(brokenLines(JSON.stringify(text)).replaceAll('\n', ''))).toBe(text);
      }),
    );
  });
});

it('a value is small as long as its JSON is short', () => {
  expect(isSmall({ type: 'object', properties: {} })).toBe(true);
  expect(isSmall({ description: 'x'.repeat(500) })).toBe(false);
  expect(isSmall(Array.from({ length: 1000 }, (_, index) => index))).toBe(false);
});
