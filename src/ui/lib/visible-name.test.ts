import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visibleName, visiblePath } from './visible-name';

describe('a name that is shown', () => {
  it('is as it is when all of it can be seen', () => {
    for (const name of ['a b.txt', 'naïve.md', '文件.txt', '__proto__', '👩‍💻.png', 'می‌خواهم.txt'])
      expect(visibleName(name)).toBe(name);
  });

  it('shows what turns, hides or breaks text as its code point', () => {
    expect(visibleName('\u202egnp.exe')).toBe('‹U+202E›gnp.exe');
    expect(visibleName('a\nb\u0000\u200bc')).toBe('a‹U+000A›b‹U+0000›‹U+200B›c');
    expect(visibleName('\ud800')).toBe('‹U+D800›');
    expect(visibleName('a\u200d.txt')).toBe('a‹U+200D›.txt');
  });

  it('never holds a mark that is not seen', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(visibleName(name)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u200b\ufeff\p{Cs}]/u);
      }),
    );
  });

  it('is relative inside of the project', () => {
    expect(['/project/src/a.ts', '/tmp/b', '/project', '/project/'].map(visiblePath)).toEqual([
      'src/a.ts',
      '/tmp/b',
      '/project',
      '/project/',
    ]);
  });
});
