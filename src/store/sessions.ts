/** Sessions in the database: their list, and their records as rows of many. */
import type { Problem, SessionInfo, TraceRecord } from '../records/types';
import { dropBlobs, putBlobs } from './blobs';
import type { BlobBytes } from './blobs';
import { ofSession } from './db';
import type { Database, Row } from './db';

/** What could be read of a session: the records before the first damage, and `session.damaged {seq, detail}`. */
export interface ReadRecords {
  records: TraceRecord[];
  problem?: Problem;
}

/** What one commit writes, all or nothing. */
export interface Commit {
  /** Its scenario is written when it is there, and stays when it is not. */
  info: SessionInfo;
  /** Consecutive records that follow those of the commit before. */
  records: readonly TraceRecord[];
  blobs?: readonly BlobBytes[];
}

const written = ['sessions', 'scenarios', 'rows', 'damaged', 'blobs', 'blobUses'] as const;

/** All sessions, the last used first, without their scenarios. */
export async function listSessions(database: Database): Promise<SessionInfo[]> {
  const sessions = await database.run((db) => db.getAll('sessions'));
  return sessions.sort(byLastUse);
}

export function byLastUse(a: SessionInfo, b: SessionInfo): number {
  return b.updatedAt - a.updatedAt;
}

/** With its scenario, if it has one. */
export function readSession(database: Database, session: string): Promise<SessionInfo | undefined> {
  return database.run(async (db) => {
    const transaction = db.transaction(['sessions', 'scenarios']);
    const [info, scenario] = await Promise.all([
      transaction.objectStore('sessions').get(session),
      transaction.objectStore('scenarios').get(session),
    ]);
    return info && scenario !== undefined ? { ...info, scenario } : info;
  });
}

/** Writes over what is known of a session, if it is still there. */
export function updateSession(
  database: Database,
  session: string,
  change: Partial<SessionInfo>,
): Promise<void> {
  return database.run(async (db) => {
    const transaction = db.transaction('sessions', 'readwrite');
    const info = await transaction.store.get(session);
    if (info) await transaction.store.put({ ...info, ...change });
    await transaction.done;
  });
}

/** Everything is put in the task that begins the transaction: it must not go idle in between. */
export function commit(database: Database, { info, records, blobs = [] }: Commit): Promise<void> {
  return database.run(async (db) => {
    const transaction = db.transaction([...written], 'readwrite');
    const { scenario, ...known } = info;
    const first = records[0];
    const row: Row | undefined = first && { session: info.id, firstSeq: first.seq, records };
    const requests: Promise<unknown>[] = [];
    try {
      requests.push(...putBlobs(transaction, info.id, blobs));
      if (row) requests.push(transaction.objectStore('rows').put(row));
      if (scenario !== undefined) requests.push(transaction.objectStore('scenarios').put(scenario, info.id));
      requests.push(transaction.objectStore('sessions').put(known));
      await Promise.all(requests);
    } catch (error) {
      // A request that could not even be made does not abort the others by itself; all that follows is this one error.
      void Promise.allSettled([...requests, transaction.done]);
      abortQuietly(transaction);
      throw error;
    }
    await transaction.done;
  });
}

function abortQuietly(transaction: { abort(): void }): void {
  try {
    transaction.abort();
  } catch {
    // A request that failed has aborted it already.
  }
}

/** How many records are asked for at a time, more or less, and how many rows at most. */
const recordsAtOnce = 8000;
const rowsAtOnce = 2000;

/**
 * The records of a session after `after` (0: all). Never more than what can be read without a gap. They come in parts: a
 * long session stops nothing else for longer than one of them takes, and the database reads ahead meanwhile.
 */
export async function readRecords(database: Database, session: string, after = 0): Promise<ReadRecords> {
  // The schemas are no part of what a page loads before it paints.
  const { RowReader } = await import('./rows');
  return database.run(async (db) => {
    const reader = new RowReader(after);
    const store = db.transaction('rows').store;
    // The row that holds `after + 1` may begin before it.
    const cursor = after > 0 ? await store.openKeyCursor(upTo(session, after + 1), 'prev') : null;
    let part = store.getAll(ofSession(session, cursor?.key[1]), 8);
    for (let rows = await part; rows.length > 0; rows = await part) {
      const last = rows.at(-1)?.firstSeq ?? 0;
      part = store.getAll(behind(session, last), rowCount(rows));
      // Nobody waits for it when what came before is damaged.
      part.catch(() => undefined);
      if (!reader.read(rows)) break;
    }
    const { records, problem } = reader;
    return problem ? { records, problem } : { records };
  });
}

/** As many rows as hold enough records, if they are like these. */
function rowCount(rows: readonly Row[]): number {
  const records = rows.reduce((sum, row) => sum + (Array.isArray(row.records) ? row.records.length : 0), 1);
  return Math.min(rowsAtOnce, Math.ceil((recordsAtOnce * rows.length) / records));
}

function behind(session: string, firstSeq: number): IDBKeyRange {
  return IDBKeyRange.bound([session, firstSeq], [session, []], true);
}

function upTo(session: string, seq: number): IDBKeyRange {
  return IDBKeyRange.bound([session], [session, seq]);
}

/** Takes the rows from `firstSeq` on out of the way, so that a damaged session can be written on. They are kept. */
export function setAside(database: Database, session: string, firstSeq: number): Promise<void> {
  return database.run(async (db) => {
    const transaction = db.transaction(['rows', 'damaged'], 'readwrite');
    const rows = transaction.objectStore('rows');
    for (let cursor = await rows.openCursor(ofSession(session)); cursor; cursor = await cursor.continue()) {
      const kept = before(cursor.value, firstSeq);
      if (kept === cursor.value) continue;
      await transaction.objectStore('damaged').put(cursor.value, cursor.key);
      if (kept) await cursor.update(kept);
      else await cursor.delete();
    }
    await transaction.done;
  });
}

/** The part of a row before `seq`: the row itself, a shorter one, or none. */
function before(row: Row, seq: number): Row | undefined {
  if (row.firstSeq >= seq) return undefined;
  if (!Array.isArray(row.records) || row.firstSeq + row.records.length <= seq) return row;
  return { ...row, records: row.records.slice(0, seq - row.firstSeq) };
}

/** Removes a session: its records, and the blobs that no other session uses. */
export function deleteSession(database: Database, session: string): Promise<void> {
  return database.run(async (db) => {
    const transaction = db.transaction([...written], 'readwrite');
    await Promise.all([
      transaction.objectStore('sessions').delete(session),
      transaction.objectStore('scenarios').delete(session),
      transaction.objectStore('rows').delete(ofSession(session)),
      transaction.objectStore('damaged').delete(ofSession(session)),
      dropBlobs(transaction, session),
    ]);
    await transaction.done;
  });
}
