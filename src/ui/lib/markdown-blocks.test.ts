import fc from 'fast-check';
import { lexer } from 'marked';
import { describe, expect, it } from 'vitest';
import { GrowingMarkdown } from './markdown-blocks';
import type { MarkdownBlock } from './markdown-blocks';

/** Its blocks without their chunks. */
class Growing extends GrowingMarkdown {
  blocks(text: string, growing = false): MarkdownBlock[] {
    return this.update(text, growing).flat();
  }
}

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
        expect(letters(new Growing().blocks(text))).toBe(lettersOf(text));
      }),
    );
  });

  it('hold the whole text at every moment while it grows', () => {
    fc.assert(
      fc.property(markdown, fc.integer({ min: 1, max: 7 }), (text, step) => {
        const growing = new Growing();
        for (let end = step; end < text.length + step; end += step) {
          const grown = text.slice(0, end);
          expect(letters(growing.blocks(grown, true))).toBe(lettersOf(grown));
        }
      }),
    );
  });

  it('keep what is settled when more comes', () => {
    const growing = new Growing();
    const before = growing.blocks('one\n\ntwo\n\nthree');
    const after = growing.blocks('one\n\ntwo\n\nthree and more\n\nfour');
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
    expect(after[0]).toBe(before[0]);
  });

  it('begin again when the text is another one', () => {
    const growing = new Growing();
    growing.blocks('one\n\ntwo\n\nthree\n\nfour');
    expect(growing.blocks('zero')).toEqual([{ text: 'zero' }]);
  });

  describe('of a paragraph that is longer than a page', () => {
    const sentence = 'It went on - and *on*, # 1. to the end of it all. ';

    it('are pieces, the last of which alone grows', () => {
      const growing = new Growing();
      let before: MarkdownBlock[] = [];
      let longest = 0;
      for (let text = sentence; text.length < 40_000; text += sentence) {
        const blocks = growing.blocks(text, true);
        expect(blocks.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
        longest = Math.max(longest, ...blocks.map((block) => block.text.length));
        before = blocks;
      }
      expect(longest).toBeLessThan(6100);
      expect(before.map(({ continues }) => continues ?? false)).toEqual(before.map((_, index) => index > 0));
      expect(before.some(({ plain }) => plain)).toBe(false);
    });

    it('begin with a word each, so that none becomes a list', () => {
      const blocks = new Growing().blocks(sentence.repeat(500));
      expect(blocks.length).toBeGreaterThan(4);
      expect(blocks.filter(({ text }) => !/^\p{L}/u.test(text))).toEqual([]);
    });
  });

  describe('of a list, code, a table or a quote that is longer than a page', () => {
    const growth: Record<string, [line: (index: number) => string, first?: string]> = {
      'a list': [(index) => `- thing *${index}*\n`],
      'a numbered list': [(index) => `1. thing ${index}\n`],
      code: [(index) => `const value${index} = ${index}; // and so on\n`, '```js\n'],
      'a table': [(index) => `| cell ${index} | other |\n`, '| a | b |\n| - | - |\n'],
      'a quote': [(index) => `> line ${index} of it\n`],
    };

    it.each(Object.entries(growth))('come in pieces that stay, as in %s', (_, [line, first = '']) => {
      const growing = new Growing();
      let text = first;
      let before: MarkdownBlock[] = [];
      for (let index = 0; text.length < 30_000; index += 20) {
        for (let more = index; more < index + 20; more++) text += line(more);
        const blocks = growing.blocks(text, true);
        expect(blocks.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
        before = blocks;
      }
      const whole = growing.blocks(text);
      expect(letters(whole)).toBe(lettersOf(text));
      expect(whole.length).toBeGreaterThan(4);
      expect(whole.filter(({ plain }) => plain)).toEqual([]);
      expect(Math.max(...whole.map((block) => block.text.length))).toBeLessThan(6100);
    });

    it.each(Object.entries(growth))('are drawn as what they are, as in %s', (_, [line, first = '']) => {
      const text = first + Array.from({ length: 2000 }, (_, index) => line(index)).join('');
      const kinds = new Growing().blocks(text).map((block) => lexer(block.draw ?? block.text)[0]?.type);
      expect(new Set(kinds)).toEqual(new Set([lexer(text)[0]?.type]));
    });

    it('go on with the numbers of the list', () => {
      const list = '1. a thing of some length, told at length\n'.repeat(500);
      const begins = new Growing()
        .blocks(list)
        .map(({ text, draw }) => [
          text.split('\n').filter((line) => line !== '').length,
          Number.parseInt(draw ?? text),
        ]);
      let next = 1;
      for (const [count = 0, number] of begins) {
        expect(number).toBe(next);
        next += count;
      }
      expect(next).toBe(501);
    });

    it('let what comes behind them be itself', () => {
      const growing = new Growing();
      let text = '```js\n' + 'const one = 1;\n'.repeat(1000);
      growing.update(text, true);
      text += '```\n\nAnd then *this*.';
      growing.update(text, true);
      expect(growing.blocks(text).at(-1)).toEqual({ text: 'And then *this*.' });
    });
  });

  it('that are long and have no parts are plain', () => {
    const line = `# ${'word '.repeat(8000)}`;
    const blocks = new Growing().blocks(line);
    expect(blocks.every(({ plain }) => plain)).toBe(true);
    expect(letters(blocks)).toBe(lettersOf(line));
  });

  it('come in chunks, of which those that are full stay the same', () => {
    const growing = new GrowingMarkdown();
    let text = '';
    let before = growing.update(text, true);
    for (let part = 0; part < 200; part++) {
      text += `## Part ${part}\n\nOf all that was *said* it is this that stays.\n\n- one\n- two\n\n`;
      const chunks = growing.update(text, true);
      before.slice(0, -1).forEach((chunk, index) => expect(chunks[index]).toBe(chunk));
      before = chunks;
    }
    expect(before.length).toBeGreaterThan(5);
    const lengths = before.map((chunk) => letters([...chunk]).length);
    expect(Math.max(...lengths)).toBeLessThan(3000);
    expect(letters(before.flat())).toBe(lettersOf(text));
  });
});
