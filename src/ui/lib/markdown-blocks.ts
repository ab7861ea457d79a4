/** Markdown in its top-level blocks (paragraphs, lists, code …), also while it grows. Needs no DOM. */
import { Lexer } from 'marked';
import type { Token } from 'marked';
import { longBlock, piecesOf, plainPieces } from './markdown-pieces';
import type { Carried, MarkdownBlock } from './markdown-pieces';

export type { MarkdownBlock } from './markdown-pieces';
/** Neighbouring blocks that are drawn together: about what fills a screen. */
export type MarkdownChunk = readonly MarkdownBlock[];

/** Characters that fill a chunk. */
const chunkLength = 2000;
/** Of a block that cannot be taken apart: beyond it, it is plain. */
const longestWhole = 16_000;

/**
 * The blocks of a text that grows. Blocks before the last two are settled: only the rest is read again, so that a long
 * answer costs the same for each delta from its beginning to its end. A paragraph, list, table, quote or code that is
 * longer than a page comes in pieces, so that each is drawn once; other long blocks are plain pieces until they end.
 */
export class GrowingMarkdown {
  #text = '';
  #full: MarkdownChunk[] = [];
  #filling: MarkdownBlock[] = [];
  #fillingLength = 0;
  #settledLength = 0;
  #chunks: MarkdownChunk[] = [];
  /** The settled blocks end within one that goes on: what its next piece must know. */
  #carried: Carried | undefined;
  /** How much of the rest was read as Markdown when it was last read. */
  #readLength = 0;
  #hasPlain = false;
  #growing = false;
  /** The blocks of the last chunk as they were: those that stay the same are not drawn again. */
  #before: MarkdownChunk = [];

  /** `growing`: more may come. A chunk that stays the same is the same object. */
  update(grown: string, growing = false): MarkdownChunk[] {
    const text = grown.includes('\r') ? grown.replace(/\r\n?/g, '\n') : grown;
    const isSame = text === this.#text && (growing === this.#growing || !this.#hasPlain);
    this.#growing = growing;
    if (isSame) return this.#chunks;
    if (!text.startsWith(this.#text)) this.#restart();
    this.#text = text;
    this.#before = this.#chunks.length > this.#full.length ? (this.#chunks.at(-1) ?? []) : [];
    const rest = text.slice(this.#settledLength);
    // A long open block is read again only when it has grown by much, and at its end.
    const isLong = growing && this.#readLength > longBlock;
    const open =
      isLong && rest.length < this.#readLength * 1.25 ? plainPieces(rest) : this.#read(rest, growing);
    this.#hasPlain = open.some(({ plain }) => plain);
    const count = this.#filling.length;
    const opened = open.map((block, index) => sameOr(block, this.#before[count + index]));
    const last = [...this.#filling, ...opened];
    this.#chunks = last.length > 0 ? [...this.#full, last] : this.#full.slice();
    return this.#chunks;
  }

  #restart(): void {
    this.#full = [];
    this.#filling = [];
    this.#chunks = [];
    this.#fillingLength = 0;
    this.#settledLength = 0;
    this.#readLength = 0;
    this.#carried = undefined;
  }

  /** Settles what it can of the rest; the blocks that stay open. */
  #read(rest: string, growing: boolean): MarkdownBlock[] {
    const tokens = this.#tokensOf(rest);
    const keep = (tokens.at(-1)?.raw.length ?? 0) > longBlock ? 1 : 2;
    let settledNow = tokens.slice(0, Math.max(0, tokens.length - keep));
    // Where the lexer changed white space, its blocks do not tell where the rest begins.
    if (!rest.startsWith(settledNow.map(({ raw }) => raw).join(''))) settledNow = [];
    for (const token of settledNow) this.#settle(token);
    const open = tokens.slice(settledNow.length);
    const blocks = this.#breakOff(open).flatMap((block) =>
      block.text.length > (growing ? longBlock : longestWhole) ? plainPieces(block.text) : [block],
    );
    this.#readLength = blocks.reduce((sum, { text }) => sum + text.length, 0);
    return blocks.filter(isSeen);
  }

  #tokensOf(rest: string): Token[] {
    const before = this.#carried?.before;
    if (before === undefined) return new Lexer().blockTokens(rest);
    const tokens = new Lexer().blockTokens(before + rest);
    const [first] = tokens;
    if (first && first.raw.length > before.length) {
      // What was put before the rest is no part of it.
      first.raw = first.raw.slice(before.length);
      return tokens;
    }
    // It was at its end.
    this.#carried = undefined;
    return new Lexer().blockTokens(rest);
  }

  #settle(token: Token): void {
    const { pieces } = piecesOf(token, this.#carried);
    for (const piece of pieces)
      if (piece.text.length > longestWhole) plainPieces(piece.text).forEach((plain) => this.#push(plain));
      else this.#push(piece);
    this.#settledLength += token.raw.length;
    this.#carried = undefined;
  }

  /** Settles the first pieces of a long block that stands at the beginning of what is open; the blocks that stay so. */
  #breakOff([first, ...others]: readonly Token[]): MarkdownBlock[] {
    if (!first) return [];
    const rest = others.map(({ raw: text }) => ({ text }));
    if (!this.#text.startsWith(first.raw, this.#settledLength)) return [{ text: first.raw }, ...rest];
    const { pieces, carried } = piecesOf(first, this.#carried);
    const last = pieces.pop();
    for (const piece of pieces) {
      this.#push(piece);
      this.#settledLength += piece.text.length;
      this.#carried = carried;
    }
    return last ? [last, ...rest] : rest;
  }

  #push(block: MarkdownBlock): void {
    if (!isSeen(block)) return;
    this.#filling.push(sameOr(block, this.#before[this.#filling.length]));
    this.#fillingLength += block.text.length;
    if (this.#fillingLength < chunkLength) return;
    this.#full.push(this.#filling);
    this.#filling = [];
    this.#fillingLength = 0;
    this.#before = [];
  }
}

function isSeen({ text }: MarkdownBlock): boolean {
  return /\S/.test(text);
}

/** What has not changed is the same object, and is not drawn again. */
function sameOr(block: MarkdownBlock, before: MarkdownBlock | undefined): MarkdownBlock {
  const isSame =
    before?.text === block.text &&
    before.draw === block.draw &&
    before.plain === block.plain &&
    before.continues === block.continues &&
    before.goesOn === block.goesOn;
  return isSame ? before : block;
}
