/** The difference of two texts as the lines of a unified diff. Loaded when it is first used. */
import { structuredPatch } from 'diff';
import { linesOf } from './text';

export type DiffLine =
  | { type: 'same'; text: string; before: number; after: number }
  | { type: 'removed'; text: string; before: number }
  | { type: 'added'; text: string; after: number }
  /** Lines that are the same are left out here. */
  | { type: 'gap'; before: number; after: number }
  /** The line above it has no line feed at its end. */
  | { type: 'noNewline' };

export interface Diff {
  lines: DiffLine[];
  added: number;
  removed: number;
  /** They differ too much to look for what stayed: all of the old lines stand before all of the new ones. */
  coarse: boolean;
}

const contextLines = 3;
/** Differing lines up to which the smallest diff is looked for, and for how long. */
const mostEdits = 2000;
const timeoutMs = 400;

/** `undefined`: there was, or is, no file. */
export function diffLines(before: string | undefined, after: string | undefined): Diff {
  if (before === undefined) return whole([], linesOf(after ?? ''));
  if (after === undefined) return whole(linesOf(before), []);
  const options = { context: contextLines, maxEditLength: mostEdits, timeout: timeoutMs };
  const patch = structuredPatch('', '', before, after, undefined, undefined, options);
  if (!patch) return { ...whole(linesOf(before), linesOf(after)), coarse: true };
  const diff: Diff = { lines: [], added: 0, removed: 0, coarse: false };
  let next = { before: 1, after: 1 };
  for (const hunk of patch.hunks) {
    const at = { before: hunk.oldStart, after: hunk.newStart };
    if (at.before > next.before) diff.lines.push({ type: 'gap', ...at });
    next = addHunk(diff, hunk.lines, at);
  }
  return diff;
}

function addHunk(
  diff: Diff,
  lines: readonly string[],
  start: { before: number; after: number },
): typeof start {
  let { before, after } = start;
  for (const line of lines) {
    const text = line.slice(1).replace(/\r$/, '');
    if (line.startsWith('+')) {
      diff.lines.push({ type: 'added', text, after: after++ });
      diff.added++;
    } else if (line.startsWith('-')) {
      diff.lines.push({ type: 'removed', text, before: before++ });
      diff.removed++;
    } else if (line.startsWith('\\')) diff.lines.push({ type: 'noNewline' });
    else diff.lines.push({ type: 'same', text, before: before++, after: after++ });
  }
  return { before, after };
}

function whole(before: readonly string[], after: readonly string[]): Diff {
  return {
    lines: [
      ...before.map((text, index): DiffLine => ({ type: 'removed', text, before: index + 1 })),
      ...after.map((text, index): DiffLine => ({ type: 'added', text, after: index + 1 })),
    ],
    added: after.length,
    removed: before.length,
    coarse: false,
  };
}
