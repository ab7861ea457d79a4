import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GrowingMarkdown } from './markdown-blocks';
import type { MarkdownBlock } from './markdown-blocks';

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

function letters(blocks: MarkdownBlock[]): string {
  return blocks
    .map(({ text }) => text)
    .join('')
    .replace(/\s/g, '');
}

const lettersOf = (text: string) => letters([{ text }]);

describe('the blocks of Markdown', () => {
  it('are the text when joined, but for white space', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        expect(letters(new GrowingMarkdown().update(text))).toBe(lettersOf(text));
      }),
    );
  });

  it('hold the whole text at every moment while it grows', () => {
    fc.assert(
      fc.property(markdown, fc.integer({ min: 1, max: 7 }), (text, step) => {
        const growing = new GrowingMarkdown();
        for (let end = step; end < text.length + step; end += step) {
          const grown = text.slice(0, end);
          expect(letters(growing.update(grown, true))).toBe(lettersOf(grown));
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
    expect(growing.update('zero')).toEqual([{ text: 'zero' }]);
  });

  describe('of a paragraph that is longer than a page', () => {
    const sentence = 'It went on - and *on*, # 1. to the end of it all. ';

    it('are pieces, the last of which alone grows', () => {
      const growing = new GrowingMarkdown();
      let before: MarkdownBlock[] = [];
      let longest = 0;
      for (let text = sentence; text.length < 40_000; text += sentence) {
        const blocks = growing.update(text, true);
        expect(blocks.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
        longest = Math.max(longest, ...blocks.map((block) => block.text.length));
        before = blocks;
      }
      expect(longest).toBeLessThan(6100);
      expect(before.map(({ continues }) => continues ?? false)).toEqual(before.map((_, index) => index > 0));
      expect(before.some(({ plain }) => plain)).toBe(false);
    });

    it('begin with a word each, so that none becomes a list', () => {
      const blocks = new GrowingMarkdown().update(sentence.repeat(500));
      expect(blocks.length).toBeGreaterThan(4);
      expect(blocks.filter(({ text }) => !/^\p{L}/u.test(text))).toEqual([]);
    });
  });

  it('of a long list are plain while it grows, and the list at its end', () => {
    const growing = new GrowingMarkdown();
    const list = '- one thing\n'.repeat(1000);
    let text = '';
    for (let end = 100; end < list.length; end += 100) {
      text = list.slice(0, end);
      expect(letters(growing.update(text, true))).toBe(lettersOf(text));
    }
    const open = growing.update(text, true);
    expect(open.every(({ plain }) => plain)).toBe(true);
    expect(Math.max(...open.map((block) => block.text.length))).toBeLessThanOrEqual(6000);
    expect(growing.update(text)).toEqual([{ text }]);
  });
});
