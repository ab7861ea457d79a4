import type { VirtualFileSystem } from '../file-system';
import { utf8Length } from '../encoding';
import { displayPath } from '../paths';
import { MAX_BYTES } from '../truncate';
import { deadline } from './deadline';
import { globMatcher } from './globs';
import type { GrepJob, GrepResult, JobContext } from './job';

/** Characters shown of a line. */
const MAX_LINE_CHARACTERS = 500;

interface Search extends GrepResult {
  bytes: number;
}

/** Lines of text files that match, in the order of the paths. Throws when the pattern is no regular expression. */
export async function grep(
  files: VirtualFileSystem,
  job: GrepJob,
  { signal }: JobContext,
): Promise<GrepResult> {
  const isMatch = lineMatcher(job);
  const isWanted = job.glob === undefined ? () => true : globMatcher(job.glob, job.path);
  const pause = deadline(job.timeoutMs, signal);
  const found: Search = { lines: [], matches: 0, files: 0, cutLines: 0, bytes: 0 };
  const paths = files.kind(job.path) === 'file' ? [job.path] : files.list(job.path).filter(isWanted);
  for (const path of paths) {
    if (found.stoppedAt) break;
    if (!files.isText(path)) continue;
    const text = files.readText(path).replace(/^\ufeff/, '');
    await grepFile(found, displayPath(path), text, job, isMatch, pause);
  }
  const { bytes: _bytes, ...result } = found;
  return result;
}

async function grepFile(
  found: Search,
  path: string,
  text: string,
  { context, limit }: GrepJob,
  isMatch: (line: string) => boolean,
  pause: () => Promise<void> | undefined,
): Promise<void> {
  const matches = await matchingLines(text, isMatch, pause, limit - found.matches + 1);
  if (matches.length === 0) return;
  found.files++;
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  /** The index after the last line shown. */
  let next = 0;
  const show = (index: number, separator: ':' | '-') => {
    if (context > 0 && found.lines.length > 0 && (next === 0 || index > next)) found.lines.push('--');
    const line = cutLine(lines[index] ?? '');
    if (line.isCut) found.cutLines++;
    add(found, `${path}${separator}${index + 1}${separator} ${line.text}`);
    next = index + 1;
  };
  for (const [position, index] of matches.entries()) {
    if (found.matches === limit) found.stoppedAt = 'limit';
    if (found.stoppedAt) return;
    found.matches++;
    for (let before = Math.max(next, index - context); before < index; before++) show(before, '-');
    show(index, ':');
    const end = Math.min(index + context + 1, matches[position + 1] ?? Infinity, lines.length);
    while (next < end) show(next, '-');
  }
}

/** Lines between two looks at the clock. */
const STRIDE = 16;

/** Indexes of the first lines that match, at most so many. */
async function matchingLines(
  text: string,
  isMatch: (line: string) => boolean,
  pause: () => Promise<void> | undefined,
  most: number,
): Promise<number[]> {
  const matches: number[] = [];
  let start = 0;
  for (let index = 0; start < text.length && matches.length < most; index++) {
    // An await of nothing, a million times, takes longer than the search.
    const pausing = index % STRIDE === 0 ? pause() : undefined;
    if (pausing) await pausing;
    const feed = text.indexOf('\n', start);
    const end = feed === -1 ? text.length : feed;
    const isCrLf = feed !== -1 && text.charCodeAt(end - 1) === 13 && end > start;
    if (isMatch(text.slice(start, isCrLf ? end - 1 : end))) matches.push(index);
    start = end + 1;
  }
  return matches;
}

/** The model gets no more than the limit of bytes, so what is beyond it need not be found. */
function add(found: Search, line: string): void {
  found.lines.push(line);
  found.bytes += utf8Length(line) + 1;
  if (found.bytes > MAX_BYTES) found.stoppedAt = 'bytes';
}

function cutLine(line: string): { text: string; isCut: boolean } {
  if (line.length <= MAX_LINE_CHARACTERS) return { text: line, isCut: false };
  let end = 0;
  let count = 0;
  for (const character of line) {
    if (count++ === MAX_LINE_CHARACTERS) return { text: `${line.slice(0, end)}…`, isCut: true };
    end += character.length;
  }
  return { text: line, isCut: false };
}

function lineMatcher({ pattern, literal, ignoreCase }: GrepJob): (line: string) => boolean {
  if (literal && !ignoreCase) return (line) => line.includes(pattern);
  const expression = literal ? escapeExpression(pattern) : pattern;
  const regExp = compile(expression, ignoreCase);
  return (line) => regExp.test(line);
}

/** Other tools' patterns may start with `(?i)`. What is no expression with Unicode rules may be one without. */
function compile(pattern: string, ignoreCase: boolean): RegExp {
  const isInsensitive = pattern.startsWith('(?i)');
  const expression = isInsensitive ? pattern.slice('(?i)'.length) : pattern;
  const flags = ignoreCase || isInsensitive ? 'i' : '';
  try {
    return new RegExp(expression, `${flags}u`);
  } catch {
    try {
      return new RegExp(expression, flags);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`${reason}. Use literal: true to find the pattern as it is.`, {
        cause: error,
      });
    }
  }
}

const escapeExpression = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
