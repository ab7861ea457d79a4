import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GrowingMarkdown, markdownBlocks } from './markdown-blocks';

const markdown = fc
  .array(
    fc.constantFrom(
      'word ',
      '\n',
      '\n\n',
      '# ',
      '- ',
      '1. ',
      '```',
      '```js\n',
      '> ',
      '| a | b |\n| - | - |\n',
      '    ',
      '<b>',
      '---\n',
      '**',
      '\r\n',
      '===\n',
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

function letters(blocks: string[]): string {
  return blocks.join('').replace(/\s/g, '');
}

describe('the blocks of Markdown', () => {
  it('are the text when joined, but for white space', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        expect(letters(markdownBlocks(text))).toBe(letters([text]));
      }),
    );
  });

  it('hold the whole text at every moment while it grows', () => {
    fc.assert(
      fc.property(markdown, fc.integer({ min: 1, max: 7 }), (text, step) => {
        const growing = new GrowingMarkdown();
        for (let end = step; end < text.length + step; end += step) {
          const grown = text.slice(0, end);
          expect(letters(growing.update(grown))).toBe(letters([grown]));
        }
      }),
    );
  });

  it('keep what is settled when more comes', () => {
    const growing = new GrowingMarkdown();
    const before = growing.update('one\n\ntwo\n\nthree');
    const after = growing.update('one\n\ntwo\n\nthree and more\n\nfour');
    expect(after.slice(0, 4)).toEqual(before.slice(0, 4));
  });

  it('begin again when the text is another one', () => {
    const growing = new GrowingMarkdown();
    growing.update('one\n\ntwo\n\nthree\n\nfour');
    expect(growing.update('zero')).toEqual(['zero']);
  });
});
