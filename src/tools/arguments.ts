/** What models send as arguments, read with patience. */

/** An object of the arguments; a JSON string of one is read, and anything else has no arguments. */
export function toArguments(raw: unknown): Record<string, unknown> {
  const value = typeof raw === 'string' ? parseJson(raw) : raw;
  return isRecord(value) ? value : {};
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text, `undefined` when it is none. Raw control characters inside strings are read as they are. */
export function parseJson(text: string): unknown {
  for (const candidate of [text, escapeControlCharacters(text)]) {
    try {
      return JSON.parse(candidate);
    } catch {
      // the next candidate may be JSON; the caller says what it needs when none is
    }
  }
  return undefined;
}

function escapeControlCharacters(json: string): string {
  return json.replace(/"(?:[^"\\]|\\[^])*"/g, (string) =>
    string.replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

/** The named arguments that are there, under their first name; `null` counts as not there, and other keys are left out. */
export function pickArguments(raw: unknown, names: Record<string, string[]>): Record<string, unknown> {
  const args = toArguments(raw);
  const picked: Record<string, unknown> = {};
  for (const [name, others] of Object.entries(names)) {
    const key = [name, ...others].find(
      (candidate) => Object.hasOwn(args, candidate) && args[candidate] != null,
    );
    if (key !== undefined) picked[name] = args[key];
  }
  return picked;
}

/** Other names under which models give a path. */
export const PATH_NAMES = ['file_path', 'filePath', 'filename'];

/** A number that came as a string of digits; anything else unchanged. */
export function toNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value) ? Number(value) : value;
}

/** True or false that came as a word; anything else unchanged. */
export function toBoolean(value: unknown): unknown {
  return value === 'true' ? true : value === 'false' ? false : value;
}

/** A text argument. Throws when it is missing or something else. */
export function textArgument(args: Record<string, unknown>, name: string): string {
  const value = args[name];
  if (typeof value === 'string') return value;
  throw new Error(`${name} ${value === undefined ? 'is missing' : 'is no text'}: it must be a string.`);
}

/** A path argument: a text that is not empty. */
export function pathArgument(args: Record<string, unknown>): string {
  const path = textArgument(args, 'path');
  if (path !== '') return path;
  throw new Error('path is empty: give the path of a file.');
}

/** A whole number from `least`, or `undefined` when it is not given. */
export function wholeNumberArgument(
  args: Record<string, unknown>,
  name: string,
  least: number,
): number | undefined {
  const value = toNumber(args[name]);
  if (value === undefined || (typeof value === 'number' && Number.isInteger(value) && value >= least))
    return value;
  throw new Error(`${name} must be a whole number from ${least}, and is ${JSON.stringify(value)}.`);
}
