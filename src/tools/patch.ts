import type { StructuredPatchHunk } from 'diff';
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff';

export interface Patch {
  /** A unified diff; empty when nothing differs. */
  patch: string;
  /** Lines. */
  added: number;
  removed: number;
}

const CONTEXT_LINES = 3;
/** Differing lines up to which the smallest diff is looked for. A count gives the same diff on every machine. */
const MAX_EDIT_LENGTH = 2000;
const TIMEOUT_MS = 2000;

/** The unified diff between two versions of a file; `before` is `undefined` for a new file. */
export function unifiedDiff(path: string, before: string | undefined, after: string): Patch {
  const old = before ?? '';
  const oldName = before === undefined ? '/dev/null' : path;
  if (before === after) return { patch: '', added: 0, removed: 0 };
  const options = { context: CONTEXT_LINES, maxEditLength: MAX_EDIT_LENGTH, timeout: TIMEOUT_MS };
  const hunks = structuredPatch(oldName, path, old, after, undefined, undefined, options)?.hunks ?? [
    wholeHunk(old, after),
  ];
  const file = { oldFileName: oldName, newFileName: path, oldHeader: undefined, newHeader: undefined, hunks };
  const count = (sign: string) =>
    hunks.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line.startsWith(sign)).length, 0);
  return { patch: formatPatch(file, FILE_HEADERS_ONLY), added: count('+'), removed: count('-') };
}

/** One hunk from the first to the last line that differs, for texts that differ too much for a search. */
function wholeHunk(before: string, after: string): StructuredPatchHunk {
  const old = linesOf(before);
  const now = linesOf(after);
  const shorter = Math.min(old.length, now.length);
  let same = 0;
  while (same < shorter && old[same] === now[same]) same++;
  let sameAtEnd = 0;
  while (sameAtEnd < shorter - same && old.at(-1 - sameAtEnd) === now.at(-1 - sameAtEnd)) sameAtEnd++;

  const start = Math.max(0, same - CONTEXT_LINES);
  const context = Math.min(CONTEXT_LINES, sameAtEnd);
  const oldEnd = old.length - sameAtEnd;
  const newEnd = now.length - sameAtEnd;
  const marked = (sign: string, lines: string[]) => lines.flatMap((line) => markLine(sign, line));
  return {
    oldStart: start + 1,
    oldLines: oldEnd + context - start,
    newStart: start + 1,
    newLines: newEnd + context - start,
    lines: [
      ...marked(' ', old.slice(start, same)),
      ...marked('-', old.slice(same, oldEnd)),
      ...marked('+', now.slice(same, newEnd)),
      ...marked(' ', old.slice(oldEnd, oldEnd + context)),
    ],
  };
}

/** Lines with their line feeds. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function markLine(sign: string, line: string): string[] {
  return line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, '\\ No newline at end of file'];
}
