const REPLACEMENT = '\uFFFD';

/** The text with every half of a surrogate pair that stands alone replaced by U+FFFD: strict servers refuse such halves. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, REPLACEMENT);
}

/** One escape of a JSON string; the first group is a whole pair, the second a half that stands alone. */
const ESCAPE =
  /\\(?:(u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2})|(u[dD][89a-fA-F][\da-fA-F]{2})|[^])/g;

/** JSON text whose strings hold no lone surrogate, neither raw nor as an escape. Linear, whatever the nesting. */
export function wellFormedJson(json: string): string {
  const text = wellFormed(json);
  if (!/\\u[dD][89a-fA-F]/.test(text)) return text;
  return text.replace(ESCAPE, (escape, _pair, half) => (half === undefined ? escape : '\\ufffd'));
}

/**
 * Cuts text into a part that may be shown now and a trailing first half of a surrogate pair, which has to wait for
 * its second half in the next piece.
 */
export function splitTrailingHalf(text: string): [shown: string, held: string] {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? [text.slice(0, -1), text.slice(-1)] : [text, ''];
}
