/**
 * Output limits. A line ends with a line feed; a final line feed starts no further line, so `a\n` has one line and an empty
 * text none. All functions take time linear in the text.
 */
import { characterBytes, isHighSurrogate, isLowSurrogate, utf8Length } from './encoding';

export const MAX_LINES = 2000;
export const MAX_BYTES = 51_200;

export interface TruncationLimits {
  maxLines?: number;
  /** Bytes of UTF-8. */
  maxBytes?: number;
}

export interface Truncation {
  /** The text itself when nothing was lost, else the kept lines without the line feed after the last one. */
  content: string;
  /** Whether a line or a part of one was lost. */
  truncated: boolean;
  /** Which limit came first. */
  truncatedBy?: 'lines' | 'bytes';
  totalLines: number;
  totalBytes: number;
  /** Lines in `content`; one that is there in part counts. */
  outputLines: number;
  outputBytes: number;
  /** Head only: the first line alone is over the limit of bytes, so `content` is empty. */
  firstLineExceedsLimit: boolean;
  /** Tail only: the last line alone is over the limit of bytes, and `content` is its end. */
  lastLinePartial: boolean;
}

export function countLines(text: string): number {
  let lines = 0;
  for (let feed = text.indexOf('\n'); feed !== -1; feed = text.indexOf('\n', feed + 1)) lines++;
  return text === '' || text.endsWith('\n') ? lines : lines + 1;
}

/** The longest start of a text that fits, cut between characters. */
export function keepStart(text: string, maxBytes: number): string {
  let bytes = 0;
  let index = 0;
  while (index < text.length) {
    const size = characterBytes(text, index);
    bytes += size;
    if (bytes > maxBytes) break;
    index += size === 4 ? 2 : 1;
  }
  return text.slice(0, index);
}

/** The longest end of a text that fits, cut between characters. */
export function keepEnd(text: string, maxBytes: number): string {
  let bytes = 0;
  let index = text.length;
  while (index > 0) {
    const pair = isLowSurrogate(text.charCodeAt(index - 1)) && isHighSurrogate(text.charCodeAt(index - 2));
    const start = index - (pair ? 2 : 1);
    bytes += characterBytes(text, start);
    if (bytes > maxBytes) break;
    index = start;
  }
  return text.slice(index);
}

/** Keeps whole lines from the start: 2,000 lines or 51,200 bytes, whichever comes first, unless told otherwise. */
export function truncateHead(text: string, limits: TruncationLimits = {}): Truncation {
  return truncate(text, limits, (body, maxLines, maxBytes) => {
    let lines = 0;
    let bytes = 0;
    let end = 0;
    for (let start = 0; start <= body.length; lines++) {
      if (lines === maxLines) return { content: body.slice(0, end), lines, by: 'lines' };
      const feed = body.indexOf('\n', start);
      const lineEnd = feed === -1 ? body.length : feed;
      bytes += (lines > 0 ? 1 : 0) + utf8Length(body, start, lineEnd);
      if (bytes > maxBytes) break;
      end = lineEnd;
      start = lineEnd + 1;
    }
    return { content: body.slice(0, end), lines, by: 'bytes' };
  });
}

/**
 * Keeps whole lines from the end, with the limits of `truncateHead`; a last line that is too long by itself is cut at its
 * start, between characters.
 */
export function truncateTail(text: string, limits: TruncationLimits = {}): Truncation {
  return truncate(text, limits, (body, maxLines, maxBytes) => {
    let lines = 0;
    let bytes = 0;
    let start = body.length;
    for (let end = body.length; end >= 0; lines++) {
      if (lines === maxLines) return { content: body.slice(start), lines, by: 'lines' };
      const lineStart = end === 0 ? 0 : body.lastIndexOf('\n', end - 1) + 1;
      bytes += (lines > 0 ? 1 : 0) + utf8Length(body, lineStart, end);
      if (bytes > maxBytes) break;
      start = lineStart;
      end = lineStart - 1;
    }
    if (lines > 0) return { content: body.slice(start), lines, by: 'bytes' };
    return {
      content: keepEnd(body.slice(body.lastIndexOf('\n') + 1), maxBytes),
      lines: 1,
      by: 'bytes',
      partial: true,
    };
  });
}

interface Kept {
  content: string;
  lines: number;
  by: 'lines' | 'bytes';
  partial?: boolean;
}

function truncate(
  text: string,
  { maxLines = MAX_LINES, maxBytes = MAX_BYTES }: TruncationLimits,
  keep: (body: string, maxLines: number, maxBytes: number) => Kept,
): Truncation {
  const totalLines = countLines(text);
  const totalBytes = utf8Length(text);
  const body = text.endsWith('\n') ? text.slice(0, -1) : text;
  const bodyBytes = totalBytes - (text.length - body.length);
  const totals = { totalLines, totalBytes };
  if (totalLines <= maxLines && bodyBytes <= maxBytes) {
    const fits = totalBytes <= maxBytes;
    return {
      content: fits ? text : body,
      truncated: false,
      ...totals,
      outputLines: totalLines,
      outputBytes: fits ? totalBytes : bodyBytes,
      firstLineExceedsLimit: false,
      lastLinePartial: false,
    };
  }
  const kept = keep(body, maxLines, maxBytes);
  return {
    content: kept.content,
    truncated: true,
    truncatedBy: kept.by,
    ...totals,
    outputLines: kept.lines,
    outputBytes: utf8Length(kept.content),
    firstLineExceedsLimit: kept.lines === 0 && kept.by === 'bytes',
    lastLinePartial: kept.partial ?? false,
  };
}
