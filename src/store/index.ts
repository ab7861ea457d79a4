/** Where sessions and settings are kept: the browser's database, or memory when there is none. */
import type { BlobHash, Problem, SessionInfo } from '../records/types';
import { readBlob } from './blobs';
import { cloneable } from './cloneable';
import { Database } from './db';
import type { DatabaseOptions } from './db';
import { memoryStore } from './memory';
import { errorDetail, ProblemError } from './problem';
import {
  commit,
  deleteSession,
  listSessions,
  readRecords,
  readSession,
  setAside,
  updateSession,
} from './sessions';
import type { Commit, ReadRecords } from './sessions';
import { readSetting, writeSetting } from './settings';

export { cloneable } from './cloneable';
export { memoryStore } from './memory';
export { errorDetail, problem, problemOf, ProblemError } from './problem';
export type { BlobBytes } from './blobs';
export type { Commit, ReadRecords } from './sessions';

/**
 * Every method may reject with a ProblemError: `storage.blocked` (another tab holds an older version open: close it),
 * `storage.silent`, `storage.newer` (reload), `storage.full`, `storage.failed {detail}`.
 */
export interface Store {
  /** False: memory only; `problem` says why. */
  readonly stored: boolean;
  readonly problem?: Problem;
  /** The last used first; without their scenarios. */
  listSessions(): Promise<SessionInfo[]>;
  /** With its scenario. */
  readSession(session: string): Promise<SessionInfo | undefined>;
  /** Changes what is known of a session, if it is still there. */
  updateSession(session: string, change: Partial<SessionInfo>): Promise<void>;
  /** Writes records, their blobs and what is known of the session, all or nothing. Only the worker does. */
  commit(commit: Commit): Promise<void>;
  /** The records after `after`, up to the first damage, which `problem` tells: `session.damaged {seq, detail}`. */
  readRecords(session: string, after?: number): Promise<ReadRecords>;
  /** Takes what is stored from a damaged record on out of the way. */
  setAside(session: string, firstSeq: number): Promise<void>;
  /** With its records, and the blobs that no other session uses. */
  deleteSession(session: string): Promise<void>;
  readBlob(hash: BlobHash): Promise<Uint8Array | undefined>;
  readSetting(key: string): Promise<unknown>;
  /** `undefined` removes it. */
  writeSetting(key: string, value: unknown): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the database, or falls back to memory with the problem `storage.none {detail}` where browsers refuse one. A
 * database that another tab blocks is no reason to fall back: the operations reject until it opens, and `onBlocked` tells both.
 */
export async function openStore(options: DatabaseOptions = {}): Promise<Store> {
  const reason = unavailable();
  if (reason !== undefined) return memoryStore({ code: 'storage.none', params: { detail: reason } });
  const database = new Database(options);
  try {
    await database.open();
  } catch (error) {
    const code = error instanceof ProblemError ? error.problem.code : '';
    if (code === 'storage.newer') return memoryStore({ code });
    if (code !== 'storage.blocked' && code !== 'storage.silent') {
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      return memoryStore({ code: 'storage.none', params: { detail: errorDetail(cause) } });
    }
  }
  return databaseStore(database);
}

/** Why there is no database at all. Reading the property itself throws where storage is forbidden. */
function unavailable(): string | undefined {
  try {
    return (globalThis as { indexedDB?: unknown }).indexedDB ? undefined : 'indexedDB';
  } catch (error) {
    return errorDetail(error);
  }
}

function databaseStore(database: Database): Store {
  // Asked for now, so that it is there when the first records are.
  import('./rows').catch(() => undefined);
  return {
    stored: true,
    listSessions: () => listSessions(database),
    readSession: (session) => readSession(database, session),
    updateSession: (session, change) => updateSession(database, session, change),
    commit: (whole) => commit(database, whole),
    readRecords: (session, after) => readRecords(database, session, after),
    setAside: (session, firstSeq) => setAside(database, session, firstSeq),
    deleteSession: (session) => deleteSession(database, session),
    readBlob: (hash) => readBlob(database, hash),
    readSetting: (key) => readSetting(database, key),
    writeSetting: (key, value) => writeSetting(database, key, cloneable(value)),
    close: () => database.close(),
  };
}
