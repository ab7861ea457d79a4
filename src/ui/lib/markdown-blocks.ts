/** Splits Markdown into its blocks (paragraphs, lists, code …), also while it grows. Needs no DOM. */
import { lexer } from 'marked';

/** The blocks of a text, with `\n` as line end. Joined again they are the text, but for white space. */
export function markdownBlocks(text: string): string[] {
  return lexer(text).map((token) => token.raw);
}

/**
 * The blocks of a text that grows. Blocks before the last two are settled: only the rest is read again, so that a long
 * answer costs the same for each delta from its beginning to its end.
 */
export class GrowingMarkdown {
  #text = '';
  #settled: string[] = [];
  #settledLength = 0;
  #blocks: string[] = [];

  update(grown: string): string[] {
    const text = grown.replace(/\r\n?/g, '\n');
    if (text === this.#text) return this.#blocks;
    if (!text.startsWith(this.#text)) {
      this.#settled = [];
      this.#settledLength = 0;
    }
    this.#text = text;
    const rest = text.slice(this.#settledLength);
    const open = markdownBlocks(rest);
    let settledNow = open.slice(0, Math.max(0, open.length - 2));
    const settledText = settledNow.join('');
    // Where the lexer changed white space, its blocks do not tell where the rest begins.
    if (rest.startsWith(settledText)) this.#settledLength += settledText.length;
    else settledNow = [];
    this.#settled.push(...settledNow);
    this.#blocks = [...this.#settled, ...open.slice(settledNow.length)];
    return this.#blocks;
  }
}
