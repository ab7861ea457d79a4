/** Where an oldText occurs in a file: exactly, else in views that forgive more and more. */
import { isHighSurrogate, isLowSurrogate } from './encoding';
import type { MatchingView } from './matching-view';
import { lineEndingView, normalizedView } from './matching-view';

export interface Range {
  start: number;
  end: number;
}

/** Matches are counted up to here. */
export const MAX_MATCHES = 1000;

export class SearchableText {
  /** Files that have no LF at all end their lines with CR. */
  private readonly loneCarriageReturns: boolean;
  private lineEndings: MatchingView | undefined;
  private normalized: MatchingView | undefined;

  constructor(readonly text: string) {
    this.loneCarriageReturns = !text.includes('\n');
  }

  /** All matches, overlapping ones too, of the first way of matching that finds any. */
  find(wanted: string): Range[] {
    const exact = exactMatches(this.text, wanted);
    if (exact.length > 0) return exact;
    const { loneCarriageReturns } = this;
    if (wanted.includes('\r') || this.text.includes('\r')) {
      this.lineEndings ??= lineEndingView(this.text, { loneCarriageReturns });
      const matches = viewMatches(this.lineEndings, lineEndingView(wanted, { loneCarriageReturns }).text);
      if (matches.length > 0) return matches;
    }
    this.normalized ??= normalizedView(this.text, { loneCarriageReturns });
    const withBlanks = normalizedView(wanted, { loneCarriageReturns, keepFinalBlanks: true });
    const matches = viewMatches(this.normalized, withBlanks.text);
    if (matches.length > 0) return matches;
    const withoutBlanks = normalizedView(wanted, { loneCarriageReturns });
    if (withoutBlanks.text.length === withBlanks.text.length) return [];
    return this.withBlanksAfter(viewMatches(this.normalized, withoutBlanks.text));
  }

  /** oldText had blanks at its end, so the blanks that the file has there belong to the match. */
  private withBlanksAfter(matches: Range[]): Range[] {
    return matches.map(({ start, end }) => {
      let blanksEnd = end;
      while (/[\p{Zs}\t\v\f]/u.test(this.text.charAt(blanksEnd))) blanksEnd++;
      return { start, end: blanksEnd };
    });
  }
}

function exactMatches(text: string, wanted: string): Range[] {
  const matches: Range[] = [];
  for (let start = text.indexOf(wanted); start !== -1; start = text.indexOf(wanted, start + 1)) {
    const end = start + wanted.length;
    if (cutsPair(text, start) || cutsPair(text, end)) continue;
    matches.push({ start, end });
    if (matches.length === MAX_MATCHES) break;
  }
  return matches;
}

/** Whether an offset is inside a CRLF or a surrogate pair: a match there would leave half of it behind. */
function cutsPair(text: string, offset: number): boolean {
  const before = text.charCodeAt(offset - 1);
  const after = text.charCodeAt(offset);
  return (before === 13 && after === 10) || (isHighSurrogate(before) && isLowSurrogate(after));
}

function viewMatches(view: MatchingView, wanted: string): Range[] {
  const matches: Range[] = [];
  if (wanted === '') return matches;
  for (let index = view.text.indexOf(wanted); index !== -1; index = view.text.indexOf(wanted, index + 1)) {
    const start = view.starts[index] ?? -1;
    const end = view.ends[index + wanted.length - 1] ?? -1;
    if (start === -1 || end === -1) continue;
    matches.push({ start, end });
    if (matches.length === MAX_MATCHES) break;
  }
  return matches;
}
