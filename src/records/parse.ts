/** Records at the edge: what comes from the database or a file is looked at once, here. */
import * as v from 'valibot';
import { recordSchemas } from './schema-records';
import type { Problem, TraceRecord } from './types';

/** A value that is no record, or not the one that must come next: `record.invalid` with `seq`, `path`, `message`. */
export class RecordError extends Error implements Problem {
  readonly code = 'record.invalid';
  readonly params: { seq: number; path: string; message: string };

  constructor(seq: number, path: string, message: string) {
    super(`Record ${seq}${path && `, ${path}`}: ${message}`);
    this.name = 'RecordError';
    this.params = { seq, path, message };
  }
}

/** The record that the next one follows. */
export interface Place {
  seq: number;
  at: number;
}

const START: Place = { seq: 0, at: 0 };

/** The value itself when it is a record; throws a RecordError that names the place of the first fault. */
export function parseRecord(value: unknown): TraceRecord {
  if (typeof value !== 'object' || value === null) throw new RecordError(0, '', 'Expected an object');
  const { seq, at, type } = value as Record<string, unknown>;
  if (typeof seq !== 'number' || !Number.isSafeInteger(seq) || seq < 1)
    throw new RecordError(0, 'seq', 'Expected a whole number from 1');
  if (typeof at !== 'number' || !Number.isFinite(at) || at < 0)
    throw new RecordError(seq, 'at', 'Expected a number of milliseconds from 0');
  if (typeof type !== 'string' || !Object.hasOwn(recordSchemas, type))
    throw new RecordError(seq, 'type', `Unknown record type ${JSON.stringify(type)}`);
  if (type === 'message_update' && isPlainDelta(value)) return value as TraceRecord;
  const outcome = v.safeParse(recordSchemas[type as keyof typeof recordSchemas], value, { abortEarly: true });
  if (outcome.success) return value as TraceRecord;
  const [issue] = outcome.issues;
  throw new RecordError(seq, v.getDotPath(issue) ?? '', issue.message);
}

/**
 * Nine of ten records of a long session are deltas, and to look at one by its schema takes ten times as long. So this
 * takes what is certainly one; the schema judges everything else, and takes all that this takes.
 */
function isPlainDelta(record: object): boolean {
  const { message, index, event } = record as Record<string, unknown>;
  if (typeof message !== 'string' || !isCount(index)) return false;
  if (event !== 'text_delta' && event !== 'thinking_delta' && event !== 'toolcall_delta') return false;
  for (const key in record) {
    if (usualOfDelta.has(key)) continue;
    const value = (record as Record<string, unknown>)[key];
    if (key === 'delta' ? typeof value !== 'string' : key !== 'joined' || !isCount(value)) return false;
  }
  return true;
}

const usualOfDelta: ReadonlySet<string> = new Set(['seq', 'at', 'type', 'message', 'index', 'event']);

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** All of `values` as records that follow `after` (default: a session's start) without a gap; else a RecordError. */
export function parseRecords(values: Iterable<unknown>, after: Place = START): TraceRecord[] {
  const records: TraceRecord[] = [];
  readInto(records, values, after);
  return records;
}

/**
 * The records of a session's rows in order, up to the first damage; `problem` tells what and where it is. A row that
 * is missing shows as a gap before the next one.
 */
export function readRows(
  rows: Iterable<unknown>,
  after: Place = START,
): { records: TraceRecord[]; problem?: Problem } {
  const records: TraceRecord[] = [];
  try {
    for (const row of rows)
      readInto(records, recordsOf(row, records.at(-1) ?? after), records.at(-1) ?? after);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    return { records, problem: { code: error.code, params: error.params } };
  }
  return { records };
}

function recordsOf(row: unknown, last: Place): unknown[] {
  const records = typeof row === 'object' && row !== null && 'records' in row ? row.records : undefined;
  if (!Array.isArray(records)) throw new RecordError(last.seq + 1, '', 'Expected a row of records');
  return records;
}

function readInto(records: TraceRecord[], values: Iterable<unknown>, after: Place): void {
  let last = after;
  for (const value of values) {
    const record = parseRecord(value);
    if (record.seq !== last.seq + 1)
      throw new RecordError(record.seq, 'seq', `Expected ${last.seq + 1}: records are missing or repeated`);
    if (record.at < last.at)
      throw new RecordError(
        record.seq,
        'at',
        `Expected no less than ${last.at}, the time of the record before`,
      );
    records.push(record);
    last = record;
  }
}
