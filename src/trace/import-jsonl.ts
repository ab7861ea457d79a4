/** Reads our own session file. Everything is validated here, once; the caller gives the session a new id. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import * as v from 'valibot';
import { parseRecords, RecordError, type Place } from '../records';
import type { BlobHash, Problem, SessionInfo, TraceRecord } from '../records/types';
import { fromBase64 } from '../json/base64';
import { FORMAT } from './export-jsonl';
import { foreignFault } from './foreign-data';

/** The last moment that a date can say, in ms since the epoch. */
const END_OF_TIME = 8.64e15;

/**
 * Why a file cannot be imported. Codes and parameters: `import.empty`, `import.notOurs`, `import.version {version}`,
 * `import.json {line}`, `import.tooDeep {line}`, `import.badKey {line}` (`__proto__`), `import.header {path, message}`,
 * `import.blob {line}` (not what its hash says), `import.record {line, path, message}`, `import.cutOff {found, expected}`,
 * `import.tooLong {line}`.
 */
export class ImportError extends Error implements Problem {
  constructor(
    readonly code: string,
    readonly params: Record<string, string | number> = {},
  ) {
    super(`${code} ${JSON.stringify(params)}`);
    this.name = 'ImportError';
  }
}

export interface ImportedSession {
  /** All of a session's info but its id, and when it was changed. `scenario` is not yet validated. */
  info: Omit<SessionInfo, 'id' | 'updatedAt'>;
  records: TraceRecord[];
  blobs: Map<BlobHash, Uint8Array>;
}

const wholeCount = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const headerSchema = v.object({
  epicycle: v.literal(FORMAT),
  title: v.pipe(v.string(), v.maxLength(10_000)),
  createdAt: v.pipe(v.number(), v.minValue(0), v.maxValue(END_OF_TIME)),
  blobs: wholeCount,
  records: wholeCount,
  scenarioId: v.optional(v.string()),
  scenario: v.optional(v.unknown()),
});
const blobSchema = v.object({ blob: v.string(), base64: v.string() });

/** The session in the file's text; throws an ImportError. */
export function importJsonl(text: string): ImportedSession {
  const lines = linesOf(text.startsWith('\uFEFF') ? text.slice(1) : text);
  const first = lines.next();
  if (first.done) throw new ImportError('import.empty');
  const { blobs: blobCount, records: recordCount, ...header } = readHeader(first.value);
  const blobs = new Map<BlobHash, Uint8Array>();
  const records: TraceRecord[] = [];
  for (const { line, value } of lines) {
    if (blobs.size < blobCount) readBlob(blobs, line, value);
    else if (records.length < recordCount) readRecord(records, header.createdAt, { line, value });
    else throw new ImportError('import.tooLong', { line });
  }
  const found = blobs.size + records.length;
  const expected = blobCount + recordCount;
  if (found < expected) throw new ImportError('import.cutOff', { found, expected });
  return { info: infoOf(header, records), records, blobs };
}

interface Line {
  /** From 1. */
  line: number;
  value: unknown;
}

/** Lazily, so that a long file is not held twice. Empty lines are skipped. */
function* linesOf(text: string): Generator<Line, undefined> {
  let line = 0;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    const content = text.slice(start, end);
    line++;
    start = end + 1;
    if (content.trim() === '') continue;
    const value = parseLine(content, line);
    const fault = foreignFault(value);
    if (fault) throw new ImportError(`import.${fault}`, { line });
    yield { line, value };
  }
  return undefined;
}

function parseLine(content: string, line: number): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // A first line that is no JSON belongs to some other kind of file.
    throw line === 1 ? new ImportError('import.notOurs') : new ImportError('import.json', { line });
  }
}

function readHeader({ value }: Line): v.InferOutput<typeof headerSchema> {
  const version =
    typeof value === 'object' && value !== null && 'epicycle' in value ? value.epicycle : undefined;
  if (typeof version !== 'number') throw new ImportError('import.notOurs');
  if (version !== FORMAT) throw new ImportError('import.version', { version });
  const outcome = v.safeParse(headerSchema, value, { abortEarly: true });
  if (outcome.success) return outcome.output;
  const [issue] = outcome.issues;
  throw new ImportError('import.header', { path: v.getDotPath(issue) ?? '', message: issue.message });
}

/** A blob is stored under its hash for all sessions: one that is not what it says must not get in. */
function readBlob(blobs: Map<BlobHash, Uint8Array>, line: number, value: unknown): void {
  const outcome = v.safeParse(blobSchema, value);
  if (!outcome.success) throw new ImportError('import.blob', { line });
  const { blob, base64 } = outcome.output;
  const bytes = bytesOf(base64, line);
  if (blobs.has(blob) || bytesToHex(sha256(bytes)) !== blob) throw new ImportError('import.blob', { line });
  blobs.set(blob, bytes);
}

function bytesOf(base64: string, line: number): Uint8Array {
  try {
    return fromBase64(base64);
  } catch {
    throw new ImportError('import.blob', { line });
  }
}

function readRecord(records: TraceRecord[], createdAt: number, { line, value }: Line): void {
  const after: Place = records.at(-1) ?? { seq: 0, at: 0 };
  try {
    records.push(...parseRecords([value], after));
    const { seq, at } = records.at(-1) ?? after;
    if (createdAt + at > END_OF_TIME) throw new RecordError(seq, 'at', 'Expected a time that a date can say');
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    const { path, message } = error.params;
    throw new ImportError('import.record', { line, path, message });
  }
}

function infoOf(
  header: Pick<v.InferOutput<typeof headerSchema>, 'title' | 'createdAt' | 'scenario' | 'scenarioId'>,
  records: readonly TraceRecord[],
): ImportedSession['info'] {
  const { title, createdAt, scenario, scenarioId } = header;
  const last = records.at(-1);
  const open = records.findLast(
    ({ type }) => type === 'agent_start' || type === 'settled' || type === 'interrupted',
  );
  return {
    title,
    createdAt,
    seq: last?.seq ?? 0,
    at: last?.at ?? 0,
    state: open?.type === 'agent_start' ? 'running' : 'idle',
    ...(scenario === undefined ? {} : { scenario }),
    ...(scenarioId === undefined ? {} : { scenarioId }),
  };
}
