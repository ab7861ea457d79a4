import type { Range } from './matching';
import { MAX_MATCHES, SearchableText } from './matching';
import type { Patch } from './patch';
import { unifiedDiff } from './patch';

export interface Edit {
  oldText: string;
  newText: string;
}

export interface EditedText extends Patch {
  text: string;
}

interface Replacement extends Range {
  index: number;
  newText: string;
}

const BOM = '\ufeff';

/**
 * Replaces text in a file. Every oldText is looked for in the text as it is, must occur once, and may not overlap another;
 * everything outside the matches stays as it was, a BOM too, and new text takes the line endings of where it lands. Throws
 * an Error whose message says which edit failed and why; `path` is for messages and the patch.
 */
export function applyEdits(text: string, edits: Edit[], path: string): EditedText {
  if (edits.length === 0)
    throw new Error(`edits is empty: give at least one {oldText, newText} for ${path}.`);
  const bom = text.startsWith(BOM) ? BOM : '';
  const body = text.slice(bom.length);
  edits.forEach(checkEdit);
  const searchable = new SearchableText(body);
  const replacements = edits
    .map((edit, index) => locate(searchable, body.includes(BOM) ? edit : withoutBom(edit), index, path))
    .sort((a, b) => a.start - b.start || a.index - b.index);
  checkOverlaps(replacements, path);

  let result = bom;
  let end = 0;
  for (const replacement of replacements) {
    result += body.slice(end, replacement.start) + withLineEndings(replacement, body);
    end = replacement.end;
  }
  result += body.slice(end);
  if (result === text) {
    const which = edits.length === 1 ? 'edits[0] changes' : 'All edits together change';
    throw new Error(`${which} nothing in ${path}: newText is what is there already.`);
  }
  return { text: result, ...unifiedDiff(path, text, result) };
}

function checkEdit(edit: Edit, index: number): void {
  for (const key of ['oldText', 'newText'] as const) {
    const value: unknown = edit[key];
    if (typeof value === 'string') continue;
    const hint = key === 'newText' ? ' (an empty text deletes)' : '';
    throw new Error(
      `edits[${index}].${key} ${value === undefined ? 'is missing' : 'is no text'}: it must be a string${hint}.`,
    );
  }
  if (edit.oldText === '') {
    throw new Error(
      `edits[${index}].oldText is empty: give the text to replace, with enough around it to occur once.`,
    );
  }
}

/** The mark at the start of a file is no part of what is matched, so no edit adds or removes it. */
function withoutBom({ oldText, newText }: Edit): Edit {
  const strip = (text: string) => (text.startsWith(BOM) && text !== BOM ? text.slice(1) : text);
  return { oldText: strip(oldText), newText: newText === BOM ? '' : strip(newText) };
}

function locate(searchable: SearchableText, edit: Edit, index: number, path: string): Replacement {
  const matches = searchable.find(edit.oldText);
  const [match] = matches;
  if (!match) {
    throw new Error(
      `edits[${index}].oldText was not found in ${path}. It must be text of the file, with the same indentation and line ` +
        `breaks.${similarLine(searchable.text, edit.oldText)}`,
    );
  }
  if (matches.length > 1) {
    const times = matches.length === MAX_MATCHES ? `${MAX_MATCHES} times or more` : `${matches.length} times`;
    const lines = [...new Set(lineNumbers(searchable.text, matches.slice(0, 5)))];
    const more = matches.length > 5 ? ' and more' : '';
    throw new Error(
      `edits[${index}].oldText was found ${times} in ${path} (line ${lines.join(', ')}${more}). It must occur once: ` +
        'give more of the text around it.',
    );
  }
  return { ...match, index, newText: edit.newText };
}

function checkOverlaps(replacements: Replacement[], path: string): void {
  replacements.forEach((replacement, position) => {
    const next = replacements[position + 1];
    if (!next || next.start >= replacement.end) return;
    const [first, second] = [replacement.index, next.index].sort((a, b) => a - b);
    throw new Error(
      `edits[${first}] and edits[${second}] overlap in ${path}: make one edit of them. All edits are matched against the ` +
        'file as it was.',
    );
  });
}

/**
 * The new text with line endings as they are there: those of the matched lines in their order, else the one that ends the
 * line, else the one before it.
 */
function withLineEndings({ start, end, newText }: Replacement, body: string): string {
  if (!newText.includes('\n')) return newText;
  const matched = lineEndings(body, start, end);
  const fallback = matched.at(-1) ?? nextLineEnding(body, end) ?? previousLineEnding(body, start) ?? '\n';
  let line = 0;
  return newText.replace(/\r?\n/g, () => matched[line++] ?? fallback);
}

function lineEndings(body: string, start: number, end: number): string[] {
  const ending = body.includes('\n') ? /\r?\n/g : /\r/g;
  return body.slice(start, end).match(ending) ?? [];
}

function nextLineEnding(body: string, from: number): string | undefined {
  const feed = body.indexOf('\n', from);
  if (feed !== -1) return feed > from && body[feed - 1] === '\r' ? '\r\n' : '\n';
  return !body.includes('\n') && body.includes('\r', from) ? '\r' : undefined;
}

function previousLineEnding(body: string, from: number): string | undefined {
  const feed = from === 0 ? -1 : body.lastIndexOf('\n', from - 1);
  if (feed !== -1) return body[feed - 1] === '\r' ? '\r\n' : '\n';
  return !body.includes('\n') && body.includes('\r') ? '\r' : undefined;
}

function lineNumbers(text: string, matches: Range[]): number[] {
  let line = 1;
  let offset = 0;
  return matches.map(({ start }) => {
    line += (text.slice(offset, start).match(/\r\n|\r|\n/g) ?? []).length;
    offset = start;
    return line;
  });
}

/** A hint for the model: where the first line of what it looked for is, whatever its indentation. */
function similarLine(text: string, oldText: string): string {
  const wanted = oldText
    .split(/\r\n|\r|\n/)
    .find((line) => line.trim() !== '')
    ?.trim();
  if (wanted === undefined) return '';
  const line = text.split(/\r\n|\r|\n/).findIndex((candidate) => candidate.trim() === wanted);
  return line === -1
    ? ' Read the file again.'
    : ` Line ${line + 1} is like its first line: compare the indentation and what follows.`;
}
