/** What may come next: a value, a key, a colon, a comma, or nothing more. */
type Expected = 'value' | 'firstValue' | 'key' | 'firstKey' | 'colon' | 'comma' | 'end';

const WORD = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * Where a text stops being JSON, as line and column from 1. Engines word this differently or not at all, so the place is
 * found here. Does not recurse. For a text that is JSON: its end.
 */
export function jsonErrorPosition(text: string): { line: number; column: number } {
  const before = text.slice(0, jsonErrorOffset(text));
  const lines = before.split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/** The offset of the first character that cannot follow what is before it; the text's length when it ends too early. */
export function jsonErrorOffset(text: string): number {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let at = 0;
  const afterValue = (): Expected => (open.length > 0 ? 'comma' : 'end');
  for (;;) {
    while (at < text.length && ' \t\n\r'.includes(text.charAt(at))) at++;
    const char = text.charAt(at);
    if (char === '') return text.length;
    const inObject: boolean = open.at(-1) === '{';
    if (expected === 'colon') {
      if (char !== ':') return at;
      expected = 'value';
      at++;
    } else if (closes(char, inObject, expected)) {
      open.pop();
      expected = afterValue();
      at++;
    } else if (expected === 'comma') {
      if (char !== ',') return at;
      expected = inObject ? 'key' : 'value';
      at++;
    } else if (expected === 'end') {
      return at;
    } else if (char === '"') {
      const string = stringEnd(text, at + 1);
      if (!string.whole) return string.end;
      at = string.end;
      expected = isKey(expected) ? 'colon' : afterValue();
    } else if (isKey(expected)) {
      return at;
    } else if (char === '{' || char === '[') {
      open.push(char);
      expected = char === '{' ? 'firstKey' : 'firstValue';
      at++;
    } else {
      WORD.lastIndex = at;
      const word = WORD.exec(text)?.[0] ?? '';
      if (word === '') return at;
      at += word.length;
      expected = afterValue();
    }
  }
}

function isKey(expected: Expected): boolean {
  return expected === 'key' || expected === 'firstKey';
}

function closes(char: string, inObject: boolean, expected: Expected): boolean {
  if (char === '}') return inObject && (expected === 'firstKey' || expected === 'comma');
  return char === ']' && !inObject && (expected === 'firstValue' || expected === 'comma');
}

function stringEnd(text: string, from: number): { whole: boolean; end: number } {
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') return { whole: true, end: at + 1 };
    if (char < ' ') return { whole: false, end: at };
    if (char !== '\\') continue;
    at++;
    const escaped = text.charAt(at);
    if (escaped === '') break;
    if (!'"\\/bfnrtu'.includes(escaped)) return { whole: false, end: at };
    if (escaped !== 'u') continue;
    for (let digit = 0; digit < 4; digit++) {
      at++;
      if (at < text.length && !/[0-9a-fA-F]/.test(text.charAt(at))) return { whole: false, end: at };
    }
  }
  return { whole: false, end: text.length };
}
