/** A block of Markdown that is longer than a page, in pieces that are drawn one by one. */
import type { Token, Tokens } from 'marked';

export interface MarkdownBlock {
  text: string;
  /** The Markdown that draws it, where its text alone would say something else. */
  draw?: string;
  /** Shown as it is, since it is too long to be drawn as a whole. */
  plain?: true;
  /** Goes on where the block before it broke off. */
  continues?: true;
  /** Breaks off: the block behind it goes on. */
  goesOn?: true;
}

/** What the next piece of a block that broke off must know. */
export interface Carried {
  /** Stands before the rest when it is read: the fence of code, the head of a table. */
  before?: string;
  /** The number of the next item of a list. */
  number?: number;
}

/** Characters that a block may have to be drawn as a whole, and those of a piece of a longer one. */
export const longBlock = 6000;
const pieceLength = 4000;

/** The pieces of a block, and what must be known to go on behind the last but one. `carried`: it broke off before. */
export function piecesOf(token: Token, carried?: Carried): { pieces: MarkdownBlock[]; carried: Carried } {
  const { texts, next, draw } = cut(token, carried);
  let number = carried?.number ?? next?.number;
  const pieces = texts.map((text, index): MarkdownBlock => {
    const continues = index > 0 || carried !== undefined;
    const drawn = continues ? draw?.(text, number) : undefined;
    if (index < texts.length - 1 && number !== undefined) number += next?.counts?.[index] ?? 0;
    return {
      text,
      ...(drawn === undefined ? {} : { draw: drawn }),
      ...(continues ? { continues } : {}),
      ...(index < texts.length - 1 ? { goesOn: true as const } : {}),
    };
  });
  return { pieces, carried: { ...next?.carried, ...(number === undefined ? {} : { number }) } };
}

interface Cut {
  texts: string[];
  next?: { carried?: Carried; number?: number; counts?: number[] };
  draw?: (text: string, number: number | undefined) => string;
}

function cut(token: Token, carried: Carried | undefined): Cut {
  const { raw } = token;
  switch (token.type) {
    case 'paragraph':
      return { texts: cutWords(raw) };
    case 'blockquote':
      return { texts: cutLines(raw, (at) => raw[at] === '>') };
    case 'code':
      return cutCode(raw, carried);
    case 'table': {
      const head = carried?.before ?? /^[^\n]*\n[^\n]*\n/.exec(raw)?.[0] ?? '';
      return {
        texts: cutLines(raw, () => true),
        next: { carried: { before: head } },
        draw: (text) => head + text,
      };
    }
    case 'list':
      return cutList(token as Tokens.List);
    default:
      return { texts: [raw] };
  }
}

function cutCode(raw: string, carried: Carried | undefined): Cut {
  const fence = carried?.before ?? /^ {0,3}(?:`{3,}|~{3,})[^\n]*\n/.exec(raw)?.[0];
  // By indentation: each piece tells what it is.
  if (fence === undefined)
    return { texts: cutLines(raw, (at) => /^(?: {4}|\t)/.test(raw.slice(at, at + 4))) };
  // The line that ends it stands behind the code, not alone.
  const isCode = (at: number) => !/^ {0,3}(?:`{3,}|~{3,})\s*$/.test(raw.slice(at));
  return {
    texts: cutLines(raw, isCode),
    next: { carried: { before: fence } },
    draw: (text) => fence + text,
  };
}

function cutList({ raw, items, ordered, start }: Tokens.List): Cut {
  const texts: string[] = [];
  const counts: number[] = [];
  let length = 0;
  let count = 0;
  let from = 0;
  for (const item of raw.length > longBlock ? items : []) {
    const isFull = length > from && length - from + item.raw.length > pieceLength;
    if (isFull) {
      texts.push(raw.slice(from, length));
      counts.push(count);
      count = 0;
      from = length;
    }
    // Where the items are not what the list says, it stays as it is from here on.
    if (!raw.startsWith(item.raw.trimEnd(), length)) break;
    length += item.raw.length;
    count++;
  }
  texts.push(raw.slice(from));
  return { texts, ...numbered(ordered, start, counts) };
}

/** Lists number their items from the first one's number, whatever the others say. */
function numbered(ordered: boolean, start: number | '', counts: number[]): Omit<Cut, 'texts'> {
  if (!ordered) return {};
  return {
    next: { number: Number(start), counts },
    draw: (text, number) => text.replace(/^(\s*)\d+/, (_, space: string) => `${space}${number}`),
  };
}

/** Cut before words, so that no piece begins like a list or a heading. */
function cutWords(paragraph: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (paragraph.length - start > longBlock) {
    const at = paragraph.slice(start + pieceLength, start + longBlock).search(/(?<= )\p{L}/u);
    if (at === -1) break;
    pieces.push(paragraph.slice(start, start + pieceLength + at));
    start += pieceLength + at;
  }
  pieces.push(paragraph.slice(start));
  return pieces;
}

/** Cut before lines that may begin a piece. `mayBegin` is asked for the place where the line begins. */
function cutLines(text: string, mayBegin: (at: number) => boolean): string[] {
  const pieces: string[] = [];
  let start = 0;
  let from = start + pieceLength;
  while (text.length - start > longBlock) {
    const at = text.indexOf('\n', from) + 1;
    if (at === 0 || at >= text.length) break;
    from = at;
    if (!mayBegin(at)) continue;
    pieces.push(text.slice(start, at));
    start = at;
    from = start + pieceLength;
  }
  pieces.push(text.slice(start));
  return pieces;
}

/** Cut behind lines where there are some. */
export function plainPieces(text: string): MarkdownBlock[] {
  const pieces: MarkdownBlock[] = [];
  for (let start = 0; start < text.length;) {
    const line = text.indexOf('\n', start + pieceLength) + 1;
    const end = line > 0 && line < start + longBlock ? line : start + pieceLength;
    pieces.push({ text: text.slice(start, end), plain: true, ...(start > 0 ? { continues: true } : {}) });
    start = end;
  }
  return pieces;
}
