/** Rows become records again: whatever a database, another version or a person did to them. */
import { readRows } from '../records/index';
import type { Problem, TraceRecord } from '../records/types';
import type { Row } from './db';

/**
 * Reads consecutive rows, some at a time. It stops at the first row or record that is damaged or missing: what comes before
 * it is kept, and the problem `session.damaged {seq, detail}` says from which sequence number on nothing could be read.
 */
export class RowReader {
  readonly records: TraceRecord[] = [];
  problem: Problem | undefined;

  /** `after`: the last sequence number that is not wanted. */
  constructor(private readonly after = 0) {}

  /** Whether more can be read after these. */
  read(rows: readonly Row[]): boolean {
    const last = this.records.at(-1) ?? { seq: this.after, at: 0 };
    const { records, problem } = readRows(
      rows.map((row) => rowAfter(row, this.after)),
      last,
    );
    for (const record of records) this.records.push(record);
    if (!problem) return true;
    const { path, message } = problem.params ?? {};
    const detail = path ? `${path}: ${message}` : String(message);
    this.problem = { code: 'session.damaged', params: { seq: last.seq + records.length + 1, detail } };
    return false;
  }
}

function rowAfter(row: Row, after: number): Row {
  if (row.firstSeq > after || !Array.isArray(row.records)) return row;
  return { ...row, records: row.records.slice(after + 1 - row.firstSeq) };
}
