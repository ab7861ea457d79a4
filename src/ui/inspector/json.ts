/** How JSON is shown: what stands in one line, and what is folded at first. */

export type Json = Record<string, unknown> | unknown[];

/** Characters of a text that is shown without being asked for. */
export const foldedCharacters = 300;
/** Characters of one text that are shown at all. */
export const mostCharacters = 100_000;
/** Children of one value that are shown at once. */
export const childrenPage = 60;

export function isContainer(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

/** The fields of an object, or the elements of a list with their index. */
export function childrenOf(value: Json): [string | number, unknown][] {
  return Array.isArray(value) ? value.map((child, index) => [index, child]) : Object.entries(value);
}

/** The beginning of a value's JSON in one line; of a large value no more than that is looked at. */
export function preview(value: unknown, limit = 140): string {
  const text = beginning(value, limit);
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}

function beginning(value: unknown, limit: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, limit));
  if (!isContainer(value)) return JSON.stringify(value);
  const isList = Array.isArray(value);
  let text = isList ? '[' : '{';
  for (const [key, child] of eachChild(value)) {
    if (text.length > limit) return text;
    text += `${text.length > 1 ? ', ' : ''}${isList ? '' : `${JSON.stringify(key)}: `}`;
    text += beginning(child, limit - text.length);
  }
  return text + (isList ? ']' : '}');
}

/** As `childrenOf`, but one by one: a list of a million is not copied for its first few. */
function* eachChild(value: Json): Generator<[string | number, unknown]> {
  if (Array.isArray(value)) yield* value.entries();
  else yield* Object.entries(value);
}

/** JSON with a real line feed behind each that its texts name. */
export function brokenLines(json: string): string {
  // A backslash that is escaped itself is no beginning of a line feed.
  return json.replace(/\\[^]/g, (escape) => (escape === '\\n' ? '\\n\n' : escape));
}

/** Whether a value is small enough to be unfolded at first: no more than `limit` characters of JSON. */
export function isSmall(value: unknown, limit = 400): boolean {
  return beginning(value, limit + 1).length <= limit;
}
