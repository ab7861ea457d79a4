/**
 * A text as it is compared, with the way back: every unit (a line ending, or a character with what combines with it) of the
 * original is some code units of the view. `starts[i]` is where a unit begins in the original when it begins at `i` in the
 * view, else -1; `ends[i]` the same for ends. So a match that cuts a unit can be told.
 */
export interface MatchingView {
  text: string;
  starts: Int32Array;
  ends: Int32Array;
}

export interface ViewOptions {
  /** A lone CR is a line ending too: of files that have no other. */
  loneCarriageReturns: boolean;
  /** Blanks after the last line ending stay, since what they were cut from may go on after them. */
  keepFinalBlanks?: boolean;
}

/** Line endings as LF, and nothing else changed. */
export function lineEndingView(text: string, options: ViewOptions): MatchingView {
  const builder = new ViewBuilder(text.length);
  for (let index = 0; index < text.length;) {
    const ending = lineEndingAt(text, index, options.loneCarriageReturns);
    const next = index + (ending || 1);
    builder.add(ending ? '\n' : text.charAt(index), index, next);
    index = next;
  }
  return builder.view();
}

/** Line endings as LF, NFKC, ASCII quotes and dashes, plain spaces, and no blanks at the ends of lines. */
export function normalizedView(text: string, options: ViewOptions): MatchingView {
  const builder = new ViewBuilder(text.length);
  const normalized = new Map<string, string>();
  let lineLength = 0; // of the view up to the last unit of this line that is no blank
  for (let index = 0; index < text.length;) {
    const ending = lineEndingAt(text, index, options.loneCarriageReturns);
    if (ending) {
      builder.length = lineLength;
      builder.add('\n', index, index + ending);
      index += ending;
      lineLength = builder.length;
      continue;
    }
    const next = unitEnd(text, index);
    const unit = text.slice(index, next);
    let form = normalized.get(unit);
    if (form === undefined) {
      form = normalizeUnit(unit);
      normalized.set(unit, form);
    }
    builder.add(form, index, next);
    index = next;
    if (!/^[ \t\v\f]$/.test(form)) lineLength = builder.length;
  }
  if (!options.keepFinalBlanks) builder.length = lineLength;
  return builder.view();
}

/** The length of the line ending at `index`, 0 when there is none. */
function lineEndingAt(text: string, index: number, loneCarriageReturns: boolean): number {
  const code = text.charCodeAt(index);
  if (code === 10) return 1;
  if (code !== 13) return 0;
  if (text.charCodeAt(index + 1) === 10) return 2;
  return loneCarriageReturns ? 1 : 0;
}

/** Marks, Hangul jamo and half-width sound marks, which NFKC may join with what stands before them. */
const JOINS = /[\p{M}\u1160-\u11ff\u3131-\u318e\ud7b0-\ud7fb\uff9e-\uffdc]/u;

function unitEnd(text: string, start: number): number {
  let end = start + characterLength(text, start);
  while (end < text.length && text.charCodeAt(end) >= 0x300) {
    const length = characterLength(text, end);
    if (!JOINS.test(text.slice(end, end + length))) break;
    end += length;
  }
  return end;
}

function characterLength(text: string, index: number): number {
  return (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
}

function normalizeUnit(unit: string): string {
  return unit
    .normalize('NFKC')
    .replace(/[\u2018-\u201b]/g, "'")
    .replace(/[\u201c-\u201f]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\p{Zs}/gu, ' ');
}

class ViewBuilder {
  /** Code units so far; may be set back. */
  length = 0;
  private codes: Uint16Array;
  private starts: Int32Array;
  private ends: Int32Array;

  constructor(capacity: number) {
    this.codes = new Uint16Array(capacity);
    this.starts = new Int32Array(capacity);
    this.ends = new Int32Array(capacity);
  }

  add(form: string, start: number, end: number): void {
    const last = this.length + form.length - 1;
    if (last >= this.codes.length) this.grow(2 * last + 64);
    for (let index = 0; index < form.length; index++) {
      const at = this.length + index;
      this.codes[at] = form.charCodeAt(index);
      this.starts[at] = index === 0 ? start : -1;
      this.ends[at] = at === last ? end : -1;
    }
    this.length = last + 1;
  }

  view(): MatchingView {
    const chunk = 0x2000;
    let text = '';
    for (let start = 0; start < this.length; start += chunk) {
      text += String.fromCharCode(...this.codes.subarray(start, Math.min(start + chunk, this.length)));
    }
    return { text, starts: this.starts.subarray(0, this.length), ends: this.ends.subarray(0, this.length) };
  }

  private grow(capacity: number): void {
    const { codes, starts, ends } = this;
    this.codes = new Uint16Array(capacity);
    this.starts = new Int32Array(capacity);
    this.ends = new Int32Array(capacity);
    this.codes.set(codes);
    this.starts.set(starts);
    this.ends.set(ends);
  }
}
