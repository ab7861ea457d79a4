import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { highlightLines } from './highlight';
import type { Token } from './highlight';
import { languageOf } from './language';
import type { Language } from './language';
import { linesOf } from './text';

const plain = (lines: Token[][]) => lines.map((line) => line.map(({ text }) => text).join(''));

describe('highlighting', () => {
  it('says of each piece what it is', () => {
    expect(highlightLines('const a = "x"; // why\n', 'typescript')).toEqual([
      [
        { text: 'const', kind: 'keyword' },
        { text: ' a = ' },
        { text: '"x"', kind: 'string' },
        { text: '; ' },
        { text: '// why', kind: 'comment' },
      ],
    ]);
  });

  it('goes on over lines', () => {
    expect(highlightLines('/* a\nb */ 1', 'javascript')).toEqual([
      [{ text: '/* a', kind: 'comment' }],
      [{ text: 'b */', kind: 'comment' }, { text: ' ' }, { text: '1', kind: 'value' }],
    ]);
  });

  it('reads a language inside of another', () => {
    const [line] = highlightLines('<script>let a = 1</script>', 'xml');
    expect(line).toContainEqual({ text: 'let', kind: 'keyword' });
    expect(plain([line ?? []])).toEqual(['<script>let a = 1</script>']);
  });

  it('changes no text, whatever the text is', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '`',
      '${',
      '}',
      '/*',
      '*/',
      '//',
      '\n',
      '\r\n',
      'a',
      '#',
      '&',
      ' ',
    );
    const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
    const language = fc.constantFrom<Language>(
      'typescript',
      'awk',
      'xml',
      'markdown',
      'python',
      'bash',
      'css',
      'json',
    );
    fc.assert(
      fc.property(text, language, (source, as) => {
        expect(plain(highlightLines(source, as))).toEqual(linesOf(source));
      }),
    );
  });
});

it('the language is known by the end of the name, unless the text is too long for it', () => {
  expect(languageOf('a.test.TS', 'x')).toBe('typescript');
  expect([languageOf('a', 'x'), languageOf('constructor', ''), languageOf('a.constructor', '')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(languageOf('a.js', 'x'.repeat(6000))).toBeUndefined();
  expect(languageOf('a.js', 'x\n'.repeat(200_000))).toBeUndefined();
});
