/** Looks for a text in the contents of the files: literally, in any case. */
import type { FileState } from '../../trace';
import type { ContentReader } from './contents';
import { linesOf, lower, matchesIn } from './text';

export interface Hit {
  path: string;
  /** From 1. */
  line: number;
  /** The line, or the part of it around the match. */
  text: string;
  /** Where in `text` the match begins. */
  at: number;
}

export interface Hits {
  /** The first ones. */
  list: Hit[];
  /** Lines that match, and the files they are in. */
  lines: number;
  files: number;
  /** Not all files were read yet. */
  searching: boolean;
}

const mostShown = 300;
const around = 60;

/**
 * Reads file by file and tells what was found so far, until `signal` aborts it. Between files the page gets its turn.
 */
export async function searchContents(
  files: readonly FileState[],
  find: string,
  contents: ContentReader,
  tell: (hits: Hits) => void,
  signal: AbortSignal,
): Promise<void> {
  const hits: Hits = { list: [], lines: 0, files: 0, searching: true };
  let told = performance.now();
  for (const { path, now } of files) {
    const text = now && (await contents.read(now));
    if (performance.now() - told > 30) {
      tell({ ...hits, list: [...hits.list] });
      await new Promise((resolve) => setTimeout(resolve));
      told = performance.now();
    }
    if (signal.aborted) return;
    if (typeof text === 'string') addHits(hits, path, text, find);
  }
  tell({ ...hits, searching: false });
}

function addHits(hits: Hits, path: string, text: string, find: string): void {
  // Most files have none, and need no lines.
  if (find === '' || !lower(text).includes(lower(find))) return;
  const before = hits.lines;
  linesOf(text).forEach((line, index) => {
    const [at] = matchesIn(line, find);
    if (at === undefined) return;
    hits.lines++;
    if (hits.list.length < mostShown)
      hits.list.push({ path, line: index + 1, ...excerpt(line, at, find.length) });
  });
  if (hits.lines > before) hits.files++;
}

function excerpt(line: string, at: number, length: number): { text: string; at: number } {
  const start = at > around ? at - around / 2 : 0;
  const end = at + length + 4 * around;
  const before = start > 0 ? '…' : '';
  return {
    text: before + line.slice(start, end) + (end < line.length ? '…' : ''),
    at: at - start + before.length,
  };
}
