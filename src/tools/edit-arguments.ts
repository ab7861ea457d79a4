import { isRecord, parseJson, PATH_NAMES, pickArguments, toArguments } from './arguments';
import type { Edit } from './edit';

const OLD_NAMES = ['old_text', 'old_string', 'oldString'];
const NEW_NAMES = ['new_text', 'new_string', 'newString'];

/**
 * The arguments of `edit` as they were meant: `edits` may be a JSON string or a single object, or a single edit may stand at
 * the top level. What cannot be understood is left as it is, for validation to name.
 */
export function prepareEditArguments(raw: unknown): Record<string, unknown> {
  const { edits: given, ...rest } = pickArguments(raw, { path: PATH_NAMES, edits: [] });
  const edits = typeof given === 'string' ? (parseJson(given) ?? given) : given;
  const single = prepareEdit(toArguments(raw));
  if (edits === undefined) return isEmpty(single) ? rest : { ...rest, edits: [single] };
  if (isRecord(edits)) return { ...rest, edits: [prepareEdit(edits)] };
  if (!Array.isArray(edits)) return { ...rest, edits };
  const list = edits.map((edit: unknown) => {
    const value = typeof edit === 'string' ? (parseJson(edit) ?? edit) : edit;
    return isRecord(value) ? prepareEdit(value) : value;
  });
  return { ...rest, edits: isEmpty(single) ? list : [...list, single] };
}

/** The edits of prepared arguments. Throws when they are no list of edits; the texts in them are checked by `applyEdits`. */
export function editsArgument(args: Record<string, unknown>): Edit[] {
  const { edits } = args;
  const wanted = 'it must be a list of {oldText, newText}';
  if (edits === undefined) throw new Error(`edits is missing: ${wanted}.`);
  if (!Array.isArray(edits))
    throw new Error(
      `edits is ${typeof edits === 'string' ? 'a string that is not JSON' : 'no list'}: ${wanted}.`,
    );
  edits.forEach((edit: unknown, index) => {
    if (!isRecord(edit)) throw new Error(`edits[${index}] is no object: it must be {oldText, newText}.`);
  });
  return edits as Edit[];
}

function prepareEdit(edit: Record<string, unknown>): Record<string, unknown> {
  return pickArguments(edit, { oldText: OLD_NAMES, newText: NEW_NAMES });
}

function isEmpty(edit: Record<string, unknown>): boolean {
  return Object.keys(edit).length === 0;
}
