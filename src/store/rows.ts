/** Rows become records again: whatever a database, another version or a person did to them. */
import { readRows as parseRows } from '../records/index';
import type { Row } from './db';
import type { ReadRecords } from './sessions';

/**
 * The records after `after` of consecutive rows. Reading stops at the first row or record that is damaged or missing: what comes
 * before it is kept, and the problem `session.damaged {seq, detail}` says from which sequence number on nothing could be read.
 */
export function readRows(rows: readonly Row[], after = 0): ReadRecords {
  const { records, problem } = parseRows(
    rows.map((row) => rowAfter(row, after)),
    { seq: after, at: 0 },
  );
  if (!problem) return { records };
  const { path, message } = problem.params ?? {};
  const detail = path ? `${path}: ${message}` : String(message);
  return {
    records,
    problem: { code: 'session.damaged', params: { seq: after + records.length + 1, detail } },
  };
}

function rowAfter(row: Row, after: number): Row {
  if (row.firstSeq > after || !Array.isArray(row.records)) return row;
  return { ...row, records: row.records.slice(after + 1 - row.firstSeq) };
}
