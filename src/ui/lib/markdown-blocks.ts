/** Markdown in its top-level blocks (paragraphs, lists, code …), also while it grows. Needs no DOM. */
import { lexer } from 'marked';
import type { Token } from 'marked';

export interface MarkdownBlock {
  text: string;
  /** Shown as it is, since it still grows and is too long to be drawn anew each time. */
  plain?: true;
  /** Goes on where the block before it broke off. */
  continues?: true;
}

/** Characters that a block may have to be drawn as a whole, and those of a piece of a longer one. */
const longBlock = 6000;
const pieceLength = 4000;

/**
 * The blocks of a text that grows. Blocks before the last two are settled: only the rest is read again, so that a long
 * answer costs the same for each delta from its beginning to its end. A paragraph that is longer than a page comes in
 * pieces, so that each is drawn once; other long blocks are plain pieces until they end.
 */
export class GrowingMarkdown {
  #text = '';
  #settled: MarkdownBlock[] = [];
  #settledLength = 0;
  #blocks: MarkdownBlock[] = [];
  /** The settled blocks end within a paragraph. */
  #broken = false;
  /** How much of the rest was read as Markdown when it was last read. */
  #readLength = 0;

  /** `growing`: more may come. */
  update(grown: string, growing = false): MarkdownBlock[] {
    const text = grown.includes('\r') ? grown.replace(/\r\n?/g, '\n') : grown;
    const isSame = text === this.#text;
    if (isSame && (growing || !this.#blocks.some(({ plain }) => plain))) return this.#blocks;
    if (!text.startsWith(this.#text)) this.#restart();
    this.#text = text;
    const rest = text.slice(this.#settledLength);
    // A long open block is read again only when it has grown by much, and at its end.
    const isLong = growing && this.#readLength > longBlock;
    const open = isLong && rest.length < this.#readLength * 1.25 ? [rest] : this.#read(rest);
    const before = this.#blocks;
    const count = this.#settled.length;
    const opened = this.#opened(open, growing).map((block, index) => sameOr(block, before[count + index]));
    this.#blocks = [...this.#settled, ...opened];
    return this.#blocks;
  }

  #restart(): void {
    this.#settled = [];
    this.#settledLength = 0;
    this.#readLength = 0;
    this.#broken = false;
  }

  /** Settles what it can of the rest; the texts of the blocks that stay open. */
  #read(rest: string): string[] {
    const tokens = lexer(rest);
    let settledNow = tokens.slice(0, Math.max(0, tokens.length - 2));
    // Where the lexer changed white space, its blocks do not tell where the rest begins.
    if (!rest.startsWith(settledNow.map(({ raw }) => raw).join(''))) settledNow = [];
    for (const token of settledNow) this.#settle(token);
    const open = tokens.slice(settledNow.length);
    const texts = this.#breakOff(open);
    this.#readLength = texts.reduce((sum, { length }) => sum + length, 0);
    return texts;
  }

  #settle({ type, raw }: Token): void {
    this.#settledLength += raw.length;
    const pieces = type === 'paragraph' ? piecesOf(raw) : [raw];
    for (const [index, text] of pieces.entries())
      this.#settled.push(index > 0 || this.#broken ? { text, continues: true } : { text });
    this.#broken = false;
  }

  /** Settles the first pieces of a long paragraph that stands at the beginning of what is open. */
  #breakOff(open: readonly Token[]): string[] {
    const texts = open.map(({ raw }) => raw);
    const [first] = open;
    if (first?.type !== 'paragraph' || !this.#text.startsWith(first.raw, this.#settledLength)) return texts;
    const pieces = piecesOf(first.raw);
    const last = pieces.pop() ?? '';
    for (const text of pieces) {
      this.#settled.push(this.#broken ? { text, continues: true } : { text });
      this.#settledLength += text.length;
      this.#broken = true;
    }
    return [last, ...texts.slice(1)];
  }

  #opened(texts: readonly string[], growing: boolean): MarkdownBlock[] {
    const blocks = texts.flatMap((text): MarkdownBlock[] =>
      growing && text.length > longBlock ? plainPieces(text) : [{ text }],
    );
    const [first, ...others] = blocks;
    return first && this.#broken ? [{ ...first, continues: true }, ...others] : blocks;
  }
}

/** What has not changed is the same object, and is not drawn again. */
function sameOr(block: MarkdownBlock, before: MarkdownBlock | undefined): MarkdownBlock {
  const { text, plain, continues } = block;
  return before?.text === text && before.plain === plain && before.continues === continues ? before : block;
}

/** Cut before words, so that no piece begins like a list or a heading. */
function piecesOf(paragraph: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (paragraph.length - start > longBlock) {
    const cut = paragraph.slice(start + pieceLength, start + longBlock).search(/(?<= )\p{L}/u);
    if (cut === -1) break;
    pieces.push(paragraph.slice(start, start + pieceLength + cut));
    start += pieceLength + cut;
  }
  pieces.push(paragraph.slice(start));
  return pieces;
}

/** Cut behind lines where there are some. */
function plainPieces(text: string): MarkdownBlock[] {
  const pieces: MarkdownBlock[] = [];
  for (let start = 0; start < text.length;) {
    const line = text.indexOf('\n', start + pieceLength) + 1;
    const end = line > 0 && line < start + longBlock ? line : start + pieceLength;
    pieces.push({ text: text.slice(start, end), plain: true, ...(start > 0 ? { continues: true } : {}) });
    start = end;
  }
  return pieces;
}
