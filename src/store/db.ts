/** The database: its schema, and one connection that survives what browsers do to connections. */
import { openDB } from 'idb';
import type { DBSchema, IDBPDatabase, OpenDBCallbacks } from 'idb';
import type { BlobHash, Problem, SessionInfo } from '../records/types';
import { errorDetail, problem } from './problem';

export const databaseName = 'epicycle';
const version = 1;
const blockedAfterMs = 2000;
/** How long it waits for a database that does not answer at all. */
const silentAfterMs = 10_000;

/** Many records of a session under one key: one row per record would be forty times slower. */
export interface Row {
  session: string;
  /** Sequence number of the first record. */
  firstSeq: number;
  /** TraceRecords as far as nobody damaged them. */
  records: unknown;
}

export interface Schema extends DBSchema {
  /** Without their scenarios, which are written once and may be large. */
  sessions: { key: string; value: SessionInfo };
  scenarios: { key: string; value: unknown };
  rows: { key: [session: string, firstSeq: number]; value: Row };
  /** Rows that could not be read, kept when their session was written on. */
  damaged: { key: [session: string, firstSeq: number]; value: unknown };
  blobs: { key: BlobHash; value: Uint8Array };
  /** Which session uses which blob. */
  blobUses: {
    key: [session: string, hash: BlobHash];
    value: { session: string; hash: BlobHash };
    indexes: { hash: BlobHash };
  };
  settings: { key: string; value: unknown };
}
export type Connection = IDBPDatabase<Schema>;

/** One function a version, in order: what it adds to the version before. */
const upgrades: ((db: Connection) => void)[] = [
  (db) => {
    db.createObjectStore('sessions', { keyPath: 'id' });
    db.createObjectStore('scenarios');
    db.createObjectStore('rows', { keyPath: ['session', 'firstSeq'] });
    db.createObjectStore('damaged');
    db.createObjectStore('blobs');
    db.createObjectStore('blobUses', { keyPath: ['session', 'hash'] }).createIndex('hash', 'hash');
    db.createObjectStore('settings');
  },
];

export interface DatabaseOptions {
  name?: string;
  /** For tests. */
  version?: number;
  /** How long an operation waits for an upgrade that another tab blocks, in ms. */
  blockedAfterMs?: number;
  /** Another tab blocks the opening (`storage.blocked`), or (`undefined`) it opened after all. */
  onBlocked?: (problem: Problem | undefined) => void;
}

/** The key range of everything under a session, of keys `[session, …]`. */
export function ofSession(session: string, from?: number): IDBKeyRange {
  return IDBKeyRange.bound(from === undefined ? [session] : [session, from], [session, []]);
}

/**
 * The one connection of this page or worker. It opens when it is first needed; a connection that the browser or another
 * tab closed is opened again.
 */
export class Database {
  readonly #options: DatabaseOptions;
  /** Stored before the first await, so that two operations in one tick share it. */
  #opening: Promise<Connection> | undefined;
  #blocked = false;
  /** Told when the opening turns out to be blocked. */
  #onBlocked = new Set<() => void>();

  constructor(options: DatabaseOptions = {}) {
    this.#options = options;
  }

  /**
   * Runs one operation. When its connection turns out to be closed, it reopens once and runs the operation once more.
   * Rejects with a ProblemError: `storage.blocked`, `storage.silent`, `storage.newer`, `storage.full` or
   * `storage.failed {detail}`. An operation must make its requests in the task in which it begins its transaction.
   */
  async run<T>(operation: (db: Connection) => Promise<T>): Promise<T> {
    try {
      return await this.#once(operation);
    } catch (error) {
      if (!isClosed(error)) throw storageProblem(error);
    }
    this.#opening = undefined;
    try {
      return await this.#once(operation);
    } catch (error) {
      throw storageProblem(error);
    }
  }

  /** Opens the connection, if it is not open. Rejects as `run` does. */
  async open(): Promise<void> {
    await this.run(() => Promise.resolve());
  }

  /** Closes the connection; a later operation opens it again. */
  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    // What could not be opened needs no closing, and was reported to whoever opened it.
    (await opening?.catch(() => undefined))?.close();
  }

  async #once<T>(operation: (db: Connection) => Promise<T>): Promise<T> {
    return operation(await this.#connection());
  }

  async #connection(): Promise<Connection> {
    this.#opening ??= this.#open();
    return this.#inTime(this.#opening);
  }

  #open(): Promise<Connection> {
    const callbacks: OpenDBCallbacks<Schema> = {
      upgrade: (db, oldVersion) => {
        for (const upgrade of upgrades.slice(oldVersion)) upgrade(db);
      },
      blocked: () => this.#setBlocked(true),
      // Another tab wants to upgrade: it shall not wait for us.
      blocking: () => void this.close(),
      terminated: () => {
        this.#opening = undefined;
      },
    };
    const opening = openDB<Schema>(
      this.#options.name ?? databaseName,
      this.#options.version ?? version,
      callbacks,
    );
    opening.then(
      () => this.#setBlocked(false),
      () => {
        // Whoever waits gets the error; the next operation tries again.
        if (this.#opening === opening) this.#opening = undefined;
        this.#setBlocked(false);
      },
    );
    return opening;
  }

  #setBlocked(blocked: boolean): void {
    if (this.#blocked === blocked) return;
    this.#blocked = blocked;
    this.#options.onBlocked?.(blocked ? { code: 'storage.blocked' } : undefined);
    if (blocked) for (const tell of this.#onBlocked) tell();
  }

  /** Waiting for another tab must end: the opening goes on, and a later operation finds it done. */
  #inTime(opening: Promise<Connection>): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const timers: ReturnType<typeof setTimeout>[] = [];
      const giveUpAfter = (ms: number, code: string) =>
        timers.push(setTimeout(() => reject(problem(code)), ms));
      const onBlocked = () => giveUpAfter(this.#options.blockedAfterMs ?? blockedAfterMs, 'storage.blocked');
      const done = () => {
        timers.forEach(clearTimeout);
        this.#onBlocked.delete(onBlocked);
      };
      if (this.#blocked) onBlocked();
      else this.#onBlocked.add(onBlocked);
      giveUpAfter(silentAfterMs, 'storage.silent');
      opening.then(resolve, reject).finally(done);
    });
  }
}

function isClosed(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'InvalidStateError';
}

function storageProblem(error: unknown): Error {
  const name = error instanceof Error ? error.name : '';
  if (name === 'ProblemError') return error as Error;
  if (name === 'QuotaExceededError') return problem('storage.full', undefined, error);
  if (name === 'VersionError') return problem('storage.newer', undefined, error);
  return problem('storage.failed', { detail: errorDetail(error) }, error);
}
