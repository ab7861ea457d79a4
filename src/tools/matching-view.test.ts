import { describe, expect, it } from 'vitest';
import { lineEndingView, normalizedView } from './matching-view';

const options = { loneCarriageReturns: false };

describe('a matching view', () => {
  it('leads back to where every unit was', () => {
    const view = normalizedView('\ufb01\u00a0\r\n😀', options);
    expect(view.text).toBe('fi\n😀');
    expect([...view.starts]).toEqual([0, -1, 2, 4, -1]);
    expect([...view.ends]).toEqual([-1, 1, 4, -1, 6]);
  });

  it('of line endings changes nothing else', () => {
    const view = lineEndingView('\u2018 \r\nb\r', options);
    expect(view.text).toBe('\u2018 \nb\r');
    expect([...view.starts]).toEqual([0, 1, 2, 4, 5]);
    expect(lineEndingView('a\rb', { loneCarriageReturns: true }).text).toBe('a\nb');
  });

  it('grows when compatibility forms are longer than the text', () => {
    const view = normalizedView('\ufdfa'.repeat(100), options);
    expect(view.text).toBe('\ufdfa'.normalize('NFKC').repeat(100));
    expect(view.ends.at(-1)).toBe(100);
  });

  it('is NFKC for every character after a letter, as far as nothing else is normalized', () => {
    const different: string[] = [];
    for (let code = 0x20; code < 0x2fa20; code++) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const text = `\u30ab${String.fromCodePoint(code)}|`;
      const expected = text
        .normalize('NFKC')
        .replace(/[\u2018-\u201b]/g, "'")
        .replace(/[\u201c-\u201f]/g, '"')
        .replace(/[\u2010-\u2015\u2212]/g, '-')
        .replace(/\p{Zs}/gu, ' ');
      if (normalizedView(text, options).text !== expected) different.push(code.toString(16));
    }
    expect(different).toEqual([]);
  });
});
