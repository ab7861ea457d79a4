/** Texts as the lines that a page can show. */

/** Characters of a text that are shown; what is longer is shown in part. */
export const shownCharacters = 2_000_000;
/** Characters of a line that are shown. */
export const lineCharacters = 2000;

/** The lines without their line feeds; a line feed at the very end begins no line. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** The whole lines at the start that fit in what is shown, or all. */
export function shownPart(text: string): string {
  if (text.length <= shownCharacters) return text;
  const end = text.lastIndexOf('\n', shownCharacters);
  return text.slice(0, end > 0 ? end + 1 : shownCharacters);
}

/** How wide lines are, in characters of a fixed-width font: wide ones count twice, a tab as four. */
export function widthOf(lines: readonly string[]): number {
  let width = 0;
  for (const line of lines) {
    if (line.length * 4 <= width) continue;
    width = Math.max(width, columns(line.slice(0, lineCharacters)));
  }
  return width;
}

function columns(line: string): number {
  if (/^[ -~]*$/.test(line)) return line.length;
  let count = 0;
  for (const character of line) {
    const code = character.codePointAt(0) ?? 0;
    count += character === '\t' ? 4 : code >= 0x1100 ? 2 : 1;
  }
  return count;
}

/**
 * A text that was edited in a field, which knows line feeds only: what was not touched keeps its line endings, and new
 * lines take the one that is most common.
 */
export function keepLineEndings(before: string, edited: string): string {
  if (!before.includes('\r')) return edited;
  const plain = before.replace(/\r\n?/g, '\n');
  const start = sameAtStart(plain, edited);
  const end = sameAtEnd(plain, edited, start);
  const middle = edited.slice(start, edited.length - end).replaceAll('\n', commonEnding(before));
  const head = before.slice(0, rawLength(before, start));
  const tail = before.slice(rawLength(before, plain.length - end));
  return joined(joined(head, middle), tail);
}

/** A lone carriage return that comes to stand before a line feed would be one ending with it: it becomes whole. */
function joined(first: string, second: string): string {
  const meet = first.endsWith('\r') && second.startsWith('\n');
  return meet ? `${first}\n${second}` : first + second;
}

function sameAtStart(a: string, b: string): number {
  let count = 0;
  while (count < Math.min(a.length, b.length) && a[count] === b[count]) count++;
  return count;
}

function sameAtEnd(a: string, b: string, taken: number): number {
  const most = Math.min(a.length, b.length) - taken;
  let count = 0;
  while (count < most && a.at(-1 - count) === b.at(-1 - count)) count++;
  return count;
}

/** How many characters the first `count` characters of the plain text have with their real line endings. */
function rawLength(raw: string, count: number): number {
  let at = 0;
  for (let left = count; left > 0; left--) at += raw.startsWith('\r\n', at) ? 2 : 1;
  return at;
}

function commonEnding(text: string): string {
  const counts = new Map<string, number>();
  for (const [ending] of text.matchAll(/\r\n|\r|\n/g)) counts.set(ending, (counts.get(ending) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? '\n';
}

/** Where a text is found in a line, in any case. */
export function matchesIn(line: string, find: string): number[] {
  const found: number[] = [];
  if (find === '') return found;
  const [haystack, needle] = [lower(line), lower(find)];
  for (let at = haystack.indexOf(needle); at !== -1; at = haystack.indexOf(needle, at + needle.length))
    found.push(at);
  return found;
}

/** In lower case, where that keeps the length: places in one are places in the other. */
export function lower(text: string): string {
  const all = text.toLowerCase();
  if (all.length === text.length) return all;
  return text.replace(/./gsu, (character) => {
    const small = character.toLowerCase();
    return small.length === character.length ? small : character;
  });
}
