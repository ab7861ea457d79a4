import { splitTrailingHalf, wellFormed } from './well-formed';

export interface StringReading {
  text: string;
  repaired: boolean;
}

const SIMPLE: Record<string, string> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const ESCAPE = /\\(?:u([\da-fA-F]{4})|([^]?))/g;
// An escape that the text was cut in: it may still become anything, so it is not shown.
const CUT_ESCAPE = /\\(?:u[\da-fA-F]{0,3})?$/;
const DRIVE_PATH = /^[A-Za-z]:\\(?!\\)[^"\r\n\t]*$/;
const PLAIN_PATH = /^[\w:.\-\\/]+$/;

/** Where the string that starts after the quote at `start - 1` is closed, or -1. Linear: runs of backslashes are disjoint. */
export function closingQuote(text: string, start: number): number {
  for (let quote = text.indexOf('"', start); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (quote - 1 - backslashes >= start && text[quote - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return quote;
  }
  return -1;
}

/**
 * Decodes what stands between the quotes of a JSON string. Raw control characters are taken as they are, a bad escape
 * keeps its backslash. A path in which some backslash was not escaped keeps them all: in `C:\new\Users` the `\n` is
 * no newline either. `cut`: the text ended before the closing quote, so an unfinished escape is left out.
 */
export function decodeString(raw: string, cut: boolean): StringReading {
  const whole = cut ? withoutCutEscape(raw) : raw;
  let badEscapes = false;
  const decoded = whole.replace(ESCAPE, (escape, hex: string | undefined, character: string | undefined) => {
    if (hex !== undefined) return String.fromCharCode(parseInt(hex, 16));
    const simple = SIMPLE[character ?? ''];
    badEscapes ||= simple === undefined;
    return simple ?? escape;
  });
  const isPath = badEscapes && (DRIVE_PATH.test(whole) || PLAIN_PATH.test(whole));
  const joined = isPath ? whole.replace(/\\([\\/])/g, '$1') : decoded;
  const text = wellFormed(cut ? splitTrailingHalf(joined)[0] : joined);
  // eslint-disable-next-line no-control-regex -- raw control characters are what is looked for
  return { text, repaired: badEscapes || /[\u0000-\u001f]/.test(whole) || (!cut && text !== joined) };
}

function withoutCutEscape(raw: string): string {
  const tail = CUT_ESCAPE.exec(raw);
  if (!tail) return raw;
  // The backslash may itself be the second of an escaped pair.
  let before = 0;
  while (tail.index - 1 - before >= 0 && raw[tail.index - 1 - before] === '\\') before++;
  return before % 2 === 0 ? raw.slice(0, tail.index) : raw;
}
