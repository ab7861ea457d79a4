import type { AgentTool, ToolResult } from '../loop/types';
import { PATH_NAMES, pathArgument, pickArguments, toNumber, wholeNumberArgument } from './arguments';
import { formatBytes, imageType, toBase64 } from './encoding';
import type { VirtualFileSystem } from './file-system';
import { displayPath } from './paths';
import { countLines, keepStart, MAX_BYTES, MAX_LINES, truncateHead } from './truncate';

/** Lines from 1; `truncated` when lines after `to` were left out. An empty file has `from` 1 and `to` 0. */
export interface ReadTextDetails {
  path: string;
  from: number;
  to: number;
  totalLines: number;
  truncated: boolean;
}

/** Of a file that is no text; `mimeType` when it is an image that the model gets. */
export interface ReadBinaryDetails {
  path: string;
  bytes: number;
  mimeType?: string;
}

interface Lines {
  from: number;
  limit: number;
}

/** Kept free for the notice, since the limit is for all that the model gets. */
const NOTICE_BYTES = 300;
/** What is shown of a line that is too long. */
const EXCERPT_BYTES = 2048;

function prepareArguments(raw: unknown): Record<string, unknown> {
  const args = pickArguments(raw, { path: PATH_NAMES, offset: [], limit: [] });
  for (const name of ['offset', 'limit']) if (name in args) args[name] = toNumber(args[name]);
  return args;
}

/** `toolNames`: the tools that the model has beside this one, for hints. */
export function createReadTool(fs: VirtualFileSystem, toolNames: readonly string[]): AgentTool {
  return {
    name: 'read',
    label: 'Read',
    description:
      `Read a file. Of a text at most ${MAX_LINES} lines or ${formatBytes(MAX_BYTES)} are shown, from the line offset on. ` +
      'PNG, JPEG, GIF and WebP are shown as images; other binary files are only described.',
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'The file, relative to /project or absolute.' },
        offset: { type: 'integer', minimum: 0, description: 'The line to start with, counted from 1.' },
        limit: { type: 'integer', minimum: 1, description: `How many lines at most (${MAX_LINES}).` },
      },
      required: ['path'],
    },
    prepareArguments,
    async execute(_toolCallId, rawArguments, signal) {
      const args = prepareArguments(rawArguments);
      const path = pathArgument(args);
      const from = Math.max(1, wholeNumberArgument(args, 'offset', 0) ?? 1);
      const limit = Math.min(MAX_LINES, wholeNumberArgument(args, 'limit', 1) ?? MAX_LINES);
      return fs.runExclusive(path, () => {
        signal?.throwIfAborted();
        const resolved = fs.resolve(path);
        if (!fs.isText(resolved)) return readBinary(resolved, fs.readBytes(resolved));
        return readText(resolved, fs.readText(resolved), { from, limit }, toolNames.includes('bash'));
      });
    },
  };
}

function readBinary(path: string, bytes: Uint8Array): ToolResult {
  const mimeType = imageType(bytes);
  const size = formatBytes(bytes.length);
  const details: ReadBinaryDetails = { path, bytes: bytes.length, ...(mimeType && { mimeType }) };
  if (!mimeType) {
    return {
      content: [{ type: 'text', text: `[${displayPath(path)} is a binary file of ${size}: not shown.]` }],
      details,
    };
  }
  return {
    content: [
      { type: 'text', text: `[${displayPath(path)} is an image: ${mimeType}, ${size}.]` },
      { type: 'image', data: toBase64(bytes), mimeType },
    ],
    details,
  };
}

function readText(path: string, file: string, { from, limit }: Lines, hasBash: boolean): ToolResult {
  const text = file.startsWith('\ufeff') ? file.slice(1) : file;
  const totalLines = countLines(text);
  if (from > Math.max(1, totalLines)) {
    const lines = totalLines === 1 ? '1 line' : `${totalLines} lines`;
    throw new Error(`offset ${from} is past the end: ${displayPath(path)} has ${lines}.`);
  }
  const wanted = linesFrom(text, from, limit);
  const whole = from + limit > totalLines && !truncateHead(wanted).truncated;
  const head = truncateHead(wanted, whole ? {} : { maxBytes: MAX_BYTES - NOTICE_BYTES });
  const to = head.firstLineExceedsLimit ? from : from - 1 + head.outputLines;
  const details: ReadTextDetails = {
    path,
    from,
    to,
    totalLines,
    truncated: to < totalLines || head.firstLineExceedsLimit,
  };
  const more = to < totalLines ? ` Use offset=${to + 1} to continue.` : '';
  const result = (content: string): ToolResult => ({ content: [{ type: 'text', text: content }], details });
  if (head.firstLineExceedsLimit) return result(longLine(path, wanted, from, hasBash) + more + ']');
  if (totalLines === 0) return result(`[${displayPath(path)} is empty.]`);
  if (to === totalLines) return result(head.content);
  const left = totalLines - to === 1 ? '1 more line' : `${totalLines - to} more lines`;
  return result(`${head.content}\n\n[Showing lines ${from}-${to} of ${totalLines}: ${left}.${more}]`);
}

/** `count` lines from line `from` on; the final line feed is there when they are the last ones. */
function linesFrom(text: string, from: number, count: number): string {
  let start = 0;
  for (let line = 1; line < from; line++) start = text.indexOf('\n', start) + 1;
  let end = start - 1;
  for (let line = 0; line < count; line++) {
    end = text.indexOf('\n', end + 1);
    if (end === -1 || end === text.length - 1) return text.slice(start);
  }
  return text.slice(start, end);
}

/** The start of a line that is too long, and a notice without its end. */
function longLine(path: string, wanted: string, number: number, hasBash: boolean): string {
  const feed = wanted.indexOf('\n');
  const line = feed === -1 ? wanted : wanted.slice(0, feed);
  const excerpt = keepStart(line, EXCERPT_BYTES);
  const quoted = `'${displayPath(path).replaceAll("'", "'\\''")}'`;
  const hint = hasBash
    ? ` Get another part of it with bash: sed -n ${number}p ${quoted} | tail -c +${EXCERPT_BYTES + 1} | head -c 20000`
    : '';
  const size = formatBytes(truncateHead(line, { maxBytes: Infinity }).totalBytes);
  return (
    `${excerpt}\n\n[Line ${number} is ${size}, over the limit of ${formatBytes(MAX_BYTES)}: read shows its first ` +
    `${formatBytes(EXCERPT_BYTES)} only.${hint}`
  );
}
