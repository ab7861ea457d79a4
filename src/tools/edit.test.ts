import { applyPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits } from './edit';

const edited = (text: string, ...pairs: [oldText: string, newText: string][]) =>
  applyEdits(
    text,
    pairs.map(([oldText, newText]) => ({ oldText, newText })),
    'f.txt',
  ).text;

describe('what matches', () => {
  it('is the exact text before anything like it', () => {
    expect(edited("x = \u2018a\u2019\nx = 'a'\n", ["x = 'a'", 'y'])).toBe('x = \u2018a\u2019\ny\n');
    expect(edited('a \r\nb\r\na\r\nb\r\n', ['a\nb', 'c'])).toBe('a \r\nb\r\nc\r\n');
  });

  it('may differ in quotes, dashes, spaces, compatibility forms and composition', () => {
    expect(edited('say(\u201chi\u201d) \u2014 ok', ['say("hi") - ok', 'x'])).toBe('x');
    expect(edited('a\u3000b\u2009c', ['a b c', 'x'])).toBe('x');
    expect(edited('\uff21\uff22\u2460', ['AB1', 'x'])).toBe('x');
    expect(edited('cafe\u0301 \uff76\uff9e', ['caf\u00e9 \u30ac', 'x'])).toBe('x');
    expect(edited('\u1112\u1161\u11ab\u00a0x', ['\ud55c x', 'y'])).toBe('y');
  });

  it('may have blanks at the ends of lines in the file or in oldText', () => {
    expect(edited('a\t\u3000\nb\nc', ['a\nb', 'x'])).toBe('x\nc');
    expect(edited('a\nb\nc', ['a  \nb  ', 'x'])).toBe('x\nc');
  });

  it('takes blanks at the end of oldText where the file has them, so that none are left behind', () => {
    expect(edited('let\u00a0a =\u00a01', ['let a = ', 'let b = '])).toBe('let b = 1');
    expect(edited('\u2018a\u2019\u00a0\nb', ["'a' ", 'x '])).toBe('x \nb');
  });

  it('never cuts a character, a ligature or a CRLF', () => {
    expect(() => edited('\ufb01\u00a0', ['f', 'x'])).toThrow('not found');
    expect(() => edited('e\u0301\u00a0a', ['e a', 'x'])).toThrow('not found');
    expect(() => edited('😀', ['\ude00', 'x'])).toThrow('not found');
    expect(edited('a\r\nb', ['\nb', '\nc'])).toBe('a\r\nc');
    expect(() => edited('a\r\nb', ['a\r', 'c'])).toThrow('not found');
  });

  it('counts overlapping matches', () => {
    expect(() => edited('aaa', ['aa', 'b'])).toThrow('edits[0].oldText was found 2 times in f.txt (line 1)');
  });
});

describe('new text', () => {
  it('takes the line ending of the line it lands on', () => {
    const mixed = 'a\r\nb\nc';
    expect(edited(mixed, ['a', 'a1\na2'])).toBe('a1\r\na2\r\nb\nc');
    expect(edited(mixed, ['b', 'b1\r\nb2'])).toBe('a\r\nb1\nb2\nc');
    expect(edited(mixed, ['c', 'c1\nc2'])).toBe('a\r\nb\nc1\nc2');
    expect(edited('a\r\nb', ['b', 'b1\nb2'])).toBe('a\r\nb1\r\nb2');
    expect(edited('a\rb', ['b', 'b1\nb2'])).toBe('a\rb1\rb2');
    expect(edited('a', ['a', 'a1\na2'])).toBe('a1\na2');
  });

  it('keeps the endings of the lines it replaces, in their order', () => {
    expect(edited('a\r\nb\nc\r\n', ['a\nb\nc', 'A\nB\nC'])).toBe('A\r\nB\nC\r\n');
    expect(edited('a\r\nb\n', ['a\n', 'a\nx\n'])).toBe('a\r\nx\r\nb\n');
  });

  it('keeps a lone CR that the model wrote', () => {
    expect(edited('a\n', ['a', 'x\ry'])).toBe('x\ry\n');
  });

  it('neither adds nor removes a BOM', () => {
    expect(edited('\ufeffa\n', ['\ufeffa', 'b'])).toBe('\ufeffb\n');
    expect(edited('\ufeffa\n', ['a', '\ufeffb'])).toBe('\ufeffb\n');
    expect(edited('a\n', ['\ufeffa', '\ufeffb'])).toBe('b\n');
    expect(() => edited('\ufeffa\n', ['\ufeffa', 'a'])).toThrow('changes nothing');
  });
});

describe('errors', () => {
  const failure = (text: string, edits: unknown[]) => () => applyEdits(text, edits as never, 'f.txt');

  it('name the edit and the reason', () => {
    expect(failure('a', [])).toThrow('edits is empty');
    expect(failure('a', [{ oldText: 'a' }])).toThrow(
      'edits[0].newText is missing: it must be a string (an empty text deletes).',
    );
    expect(failure('a', [{ oldText: 'a', newText: null }])).toThrow('edits[0].newText is no text');
    expect(failure('a', [{ newText: 'a' }])).toThrow('edits[0].oldText is missing');
    expect(failure('ab', [{ oldText: 'a', newText: 'a' }])).toThrow('edits[0] changes nothing in f.txt');
    expect(
      failure('ab', [
        { oldText: 'a', newText: 'a' },
        { oldText: 'b', newText: 'b' },
      ]),
    ).toThrow('All edits together change nothing in f.txt');
    expect(
      failure('a b c', [
        { oldText: 'b c', newText: '' },
        { oldText: 'x', newText: '' },
        { oldText: 'a b', newText: '' },
      ]),
    ).toThrow('edits[1].oldText was not found in f.txt');
    expect(
      failure('a b c', [
        { oldText: 'c', newText: '' },
        { oldText: 'b c', newText: '' },
      ]),
    ).toThrow('edits[0] and edits[1] overlap in f.txt');
  });

  it('point at a line that is like the first one of oldText', () => {
    expect(failure('x\n\tif (a) {\n', [{ oldText: 'if (a) {\n  b', newText: '' }])).toThrow(
      'Line 2 is like its first line',
    );
  });

  it('tell the lines of an ambiguous match', () => {
    expect(failure('b\na\r\n\r\na', [{ oldText: 'a', newText: '' }])).toThrow(
      'found 2 times in f.txt (line 2, 4)',
    );
    expect(failure('a'.repeat(2000), [{ oldText: 'a', newText: '' }])).toThrow('found 1000 times or more');
  });
});

describe('for any text', () => {
  const pieces = [
    'a',
    'Zz',
    ' ',
    '\t',
    '\r\n',
    '\n',
    '\u2018',
    '\u201d',
    '\u2013',
    '\u00a0',
    '\u3000',
    '\ufb01',
    '中',
    'e\u0301',
    '😀',
    '\uff21',
    '  \n',
  ];
  const anyText = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''));
  /** What a model may make of a text that it has read. */
  const simplified = (text: string) =>
    text
      .replace(/\r\n/g, '\n')
      .normalize('NFKC')
      .replace(/[\u2018\u2019]/g, "'")
      .replace(/[\u201c\u201d]/g, '"')
      .replace(/\u2013/g, '-')
      .replace(/[ \t]+$/gm, '');

  it('every byte outside the matches stays as it was', () => {
    const target = fc.record({ before: anyText, inside: anyText, exact: fc.boolean(), newText: anyText });
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.array(target, { minLength: 1, maxLength: 4 }),
        anyText,
        (bom, targets, rest) => {
          const marked = targets.map((each, index) => ({
            ...each,
            inside: `<${index}|${each.inside}|${index}>`,
          }));
          const text =
            (bom ? '\ufeff' : '') + marked.map(({ before, inside }) => before + inside).join('') + rest;
          const edits = marked.map(({ inside, exact, newText }, index) => ({
            oldText: exact ? inside : simplified(inside),
            newText: `[${index}${newText}${index}]`,
          }));
          const result = applyEdits(text, [...edits].reverse(), 'f.txt');

          const outside = result.text.split(/\[\d[^\]]*\]/);
          expect(outside).toEqual([
            ...marked.map(({ before }, index) => (bom && index === 0 ? '\ufeff' : '') + before),
            rest,
          ]);
          const inserted = result.text.match(/\[\d[^\]]*\]/g)?.map((part) => part.replace(/\r\n/g, '\n'));
          expect(inserted).toEqual(edits.map(({ newText }) => newText.replace(/\r\n/g, '\n')));
          expect(applyPatch(text, result.patch, { autoConvertLineEndings: false })).toBe(result.text);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('new line endings are of a kind that the text has', () => {
    const ending = fc.constantFrom('\n', '\r\n', '\r');
    fc.assert(
      fc.property(ending, anyText, (end, newText) => {
        const text = ['one', 'two', 'three', ''].join(end);
        const result = edited(text, ['two', `<${newText}>`]);
        const endings = new Set(result.match(/\r\n|\r|\n/g));
        expect([...endings]).toEqual([end]);
      }),
    );
  });
});
