import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines } from './diff';
import { linesOf } from './text';

const drawn = (before: string | undefined, after: string | undefined) =>
  diffLines(before, after).lines.map((line) => {
    if (line.type === 'gap') return `… ${line.before} ${line.after}`;
    if (line.type === 'noNewline') return '\\';
    return { same: ' ', added: '+', removed: '-' }[line.type] + line.text;
  });

describe('a diff', () => {
  it('shows what changed with three lines around it, and where lines are left out', () => {
    const before = Array.from({ length: 20 }, (_, index) => `${index + 1}\n`);
    const after = [...before];
    after[9] = 'ten\n';
    expect(drawn(before.join(''), after.join(''))).toEqual([
      '… 7 7',
      ' 7',
      ' 8',
      ' 9',
      '-10',
      '+ten',
      ' 11',
      ' 12',
      ' 13',
    ]);
  });

  it('of a new file, or one that is gone, has all of its lines', () => {
    expect(drawn(undefined, 'a\nb\n')).toEqual(['+a', '+b']);
    expect(drawn('a\r\n', undefined)).toEqual(['-a']);
  });

  it('shows that only the last line feed, or a carriage return, changed', () => {
    expect(drawn('a\n', 'a')).toEqual(['-a', '+a', '\\']);
    expect(diffLines('a\r\n', 'a\n')).toMatchObject({ added: 1, removed: 1 });
  });

  it('gives both texts, and right numbers of lines', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 30 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { lines, added, removed } = diffLines(before, after);
        for (const line of lines) {
          if ('before' in line && 'text' in line) expect(linesOf(before)[line.before - 1]).toBe(line.text);
          if ('after' in line && 'text' in line) expect(linesOf(after)[line.after - 1]).toBe(line.text);
        }
        expect(added - removed).toBe(linesOf(after).length - linesOf(before).length);
        if (before === after) expect(lines).toEqual([]);
      }),
    );
  });

  it('of texts that differ too much is coarse, and takes little time', () => {
    const lines = (word: string) =>
      Array.from({ length: 20_000 }, (_, index) => `${word}${index}\n`).join('');
    const diff = diffLines(lines('a'), lines('b'));
    expect(diff).toMatchObject({ coarse: true, added: 20_000, removed: 20_000 });
  });
});
