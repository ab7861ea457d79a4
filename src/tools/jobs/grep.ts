import type { VirtualFileSystem } from '../file-system';
import { utf8Length } from '../encoding';
import { displayPath } from '../paths';
import { MAX_BYTES } from '../truncate';
import { deadline } from './deadline';
import { globMatcher } from './globs';
import type { GrepJob, GrepResult, JobContext } from './job';

/** Characters shown of a line. */
export const MAX_LINE_CHARACTERS = 500;

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
    if (files.isText(path))
      await grepFile(found, displayPath(path), files.readText(path), job, isMatch, pause);
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
  const lines = linesOf(text);
  const before = found.matches;
  /** The last line shown, by its index. */
  let shown = -1;
  let showUntil = -1;
  const show = (index: number, separator: ':' | '-') => {
    if (context > 0 && found.lines.length > 0 && (shown === -1 || index > shown + 1)) found.lines.push('--');
    const line = cutLine(lines[index] ?? '');
    if (line.isCut) found.cutLines++;
    add(found, `${path}${separator}${index + 1}${separator} ${line.text}`);
    shown = index;
  };
  for (const [index, line] of lines.entries()) {
    await pause();
    if (isMatch(line)) {
      if (found.matches === limit) {
        found.stoppedAt = 'limit';
        break;
      }
      found.matches++;
      for (let around = Math.max(shown + 1, index - context); around < index; around++) show(around, '-');
      show(index, ':');
      showUntil = index + context;
    } else if (index <= showUntil) show(index, '-');
    if (found.stoppedAt) break;
  }
  if (found.matches > before) found.files++;
}

/** The model gets no more than the limit of bytes, so what is beyond it need not be found. */
function add(found: Search, line: string): void {
  found.lines.push(line);
  found.bytes += utf8Length(line) + 1;
  if (found.bytes > MAX_BYTES) found.stoppedAt = 'bytes';
}

function linesOf(text: string): string[] {
  const lines = (text.startsWith('\ufeff') ? text.slice(1) : text).split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
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
