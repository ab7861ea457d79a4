import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Problem, SessionInfo, TraceRecord } from '../records/types';
import { memoryStore, openStore, ProblemError } from './index';
import type { Store } from './index';
import { databaseName } from './db';

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const info = (id: string, more: Partial<SessionInfo> = {}): SessionInfo => ({
  id,
  title: id,
  createdAt: 0,
  updatedAt: 0,
  seq: 0,
  at: 0,
  state: 'idle',
  ...more,
});
const records = (from: number, to: number): TraceRecord[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    seq: from + index,
    at: from + index,
    type: 'resume',
  }));
const bytes = (...values: number[]) => new Uint8Array(values);
const codeOf = async (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no problem',
    (error: unknown) =>
      error instanceof ProblemError ? error.problem.code : `no ProblemError: ${String(error)}`,
  );
const open = (options = {}) => openDB<Record<string, never>>(databaseName, 1, options);

describe.each([
  ['the database', () => openStore()],
  ['memory', () => Promise.resolve(memoryStore())],
])('a store in %s', (_, make: () => Promise<Store>) => {
  let store: Store;
  beforeEach(async () => {
    store = await make();
  });

  test('gives back what was committed, in order, however it was cut', async () => {
    await store.commit({ info: info('a', { seq: 2 }), records: records(1, 2) });
    await store.commit({ info: info('a', { seq: 5 }), records: records(3, 5) });
    expect(await store.readRecords('a')).toEqual({ records: records(1, 5) });
    expect(await store.readRecords('a', 1)).toEqual({ records: records(2, 5) });
    expect(await store.readRecords('a', 3)).toEqual({ records: records(4, 5) });
    expect(await store.readRecords('a', 5)).toEqual({ records: [] });
    expect(await store.readSession('a')).toMatchObject({ seq: 5 });
  });

  test('writes a batch that is retried with more records over the first try', async () => {
    await store.commit({ info: info('a'), records: records(1, 2) });
    await store.commit({ info: info('a'), records: records(1, 4) });
    expect(await store.readRecords('a')).toEqual({ records: records(1, 4) });
  });

  test('keeps sessions apart and lists the last used first', async () => {
    await store.commit({ info: info('a', { updatedAt: 1 }), records: records(1, 1) });
    await store.commit({ info: info('b', { updatedAt: 2 }), records: records(1, 3) });
    expect((await store.listSessions()).map(({ id }) => id)).toEqual(['b', 'a']);
    expect((await store.readRecords('a')).records).toHaveLength(1);
  });

  test('removes a session with its records and the blobs that no other uses', async () => {
    const shared = ['shared', bytes(1)] as const;
    await store.commit({ info: info('a'), records: records(1, 1), blobs: [shared, ['own', bytes(2)]] });
    await store.commit({ info: info('b'), records: records(1, 1), blobs: [shared] });
    await store.deleteSession('a');
    expect(await store.readSession('a')).toBeUndefined();
    expect(await store.readRecords('a')).toEqual({ records: [] });
    expect(await store.readBlob('own')).toBeUndefined();
    expect(await store.readBlob('shared')).toEqual(bytes(1));
    await store.deleteSession('b');
    expect(await store.readBlob('shared')).toBeUndefined();
  });

  test('keeps the scenario of a session, which is written once and listed nowhere', async () => {
    const scenario = { title: 'A' };
    await store.commit({ info: info('a', { scenario }), records: records(1, 1) });
    await store.commit({ info: info('a', { seq: 2 }), records: records(2, 2) });
    expect(await store.readSession('a')).toEqual(info('a', { seq: 2, scenario }));
    expect(await store.listSessions()).toEqual([info('a', { seq: 2 })]);
  });

  test('does not bring a removed session back by changing it', async () => {
    await store.commit({ info: info('a'), records: [] });
    await store.updateSession('a', { title: 'new' });
    expect(await store.readSession('a')).toMatchObject({ title: 'new' });
    await store.deleteSession('a');
    await store.updateSession('a', { title: 'newer' });
    expect(await store.listSessions()).toEqual([]);
  });

  test('keeps settings as plain data, and removes them', async () => {
    await store.writeSetting('theme', { name: 'dark', fn() {} });
    expect(await store.readSetting('theme')).toEqual({ name: 'dark' });
    await store.writeSetting('theme', undefined);
    expect(await store.readSetting('theme')).toBeUndefined();
  });
});

describe('damage', () => {
  test.each([
    ['a row that is no list', { session: 'a', firstSeq: 3, records: 'x' }, 3],
    [
      'a record without a type',
      { session: 'a', firstSeq: 3, records: [...records(3, 3), { seq: 4, at: 4 }] },
      4,
    ],
    [
      'a record of an unknown type',
      { session: 'a', firstSeq: 3, records: [{ seq: 3, at: 3, type: 'fly' }] },
      3,
    ],
    ['a wrong sequence number', { session: 'a', firstSeq: 3, records: records(4, 5) }, 3],
  ])('is told for %s, and what is before it is kept', async (_, row, seq) => {
    const store = await openStore();
    await store.commit({ info: info('a'), records: records(1, 2) });
    await store.commit({ info: info('a'), records: records(3, 4) });
    await store.commit({ info: info('a'), records: records(5, 6) });
    const db = await open();
    await db.put('rows' as never, row as never);
    const read = await store.readRecords('a');
    expect(read.problem).toMatchObject({ code: 'session.damaged', params: { seq } });
    expect(read.records).toEqual(records(1, seq - 1));
    // It can be written on, and what was damaged is kept aside.
    await store.setAside('a', seq);
    await store.commit({ info: info('a'), records: records(seq, 9) });
    expect(await store.readRecords('a')).toEqual({ records: records(1, 9) });
    expect(await db.count('damaged' as never)).toBe(2);
    db.close();
  });

  test('is told for a row that is missing', async () => {
    const store = await openStore();
    await store.commit({ info: info('a'), records: records(1, 2) });
    await store.commit({ info: info('a'), records: records(5, 6) });
    const { records: read, problem } = await store.readRecords('a');
    expect(read).toEqual(records(1, 2));
    expect(problem?.params).toMatchObject({ seq: 3 });
  });
});

describe('the connection', () => {
  test('is one for operations that start in the same task (D-05)', async () => {
    const opening = vi.spyOn(indexedDB, 'open');
    const store = await openStore();
    await Promise.all([store.listSessions(), store.readSession('a'), store.readRecords('a')]);
    expect(opening).toHaveBeenCalledTimes(1);
  });

  test('that another tab blocks is told in time, and opens when that tab closes (D-03)', async () => {
    await (await openStore()).close();
    const deaf = indexedDB.open(databaseName);
    await new Promise((resolve) => (deaf.onsuccess = resolve));
    const told: (Problem | undefined)[] = [];
    const options = { version: 2, blockedAfterMs: 10, onBlocked: (problem?: Problem) => told.push(problem) };
    const store = await openStore(options);
    expect(store.stored).toBe(true);
    expect(told).toEqual([{ code: 'storage.blocked' }]);
    expect(await codeOf(store.listSessions())).toBe('storage.blocked');
    deaf.result.close();
    await vi.waitFor(() => expect(told).toHaveLength(2));
    expect(told[1]).toBeUndefined();
    expect(await store.listSessions()).toEqual([]);
  });

  test('gives way to another tab that upgrades, and says then that a newer version is at work', async () => {
    const store = await openStore();
    await store.commit({ info: info('a'), records: records(1, 2) });
    const newer = await openDB(databaseName, 2);
    expect(await codeOf(store.readRecords('a'))).toBe('storage.newer');
    newer.close();
  });

  test('that the browser closed is opened once more, and the operation is done (D-07)', async () => {
    const store = await openStore();
    await store.commit({ info: info('a'), records: records(1, 2) });
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');
    transaction.mockImplementationOnce(() => {
      throw new DOMException('The database connection is closing.', 'InvalidStateError');
    });
    const opening = vi.spyOn(indexedDB, 'open');
    expect((await store.readRecords('a')).records).toHaveLength(2);
    expect(opening).toHaveBeenCalledTimes(1);
    transaction.mockImplementation(() => {
      throw new DOMException('The database connection is closing.', 'InvalidStateError');
    });
    expect(await codeOf(store.readRecords('a'))).toBe('storage.failed');
    expect(opening).toHaveBeenCalledTimes(2);
    transaction.mockRestore();
    expect((await store.readRecords('a')).records).toHaveLength(2);
  });

  test('says that the disk is full, and commits nothing of a batch that did not fit', async () => {
    const store = await openStore();
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called on the store it was called on
    const original = IDBObjectStore.prototype.put;
    const put = vi.spyOn(IDBObjectStore.prototype, 'put');
    put.mockImplementation(function (this: IDBObjectStore, value: unknown, key?: IDBValidKey) {
      if (this.name === 'sessions') throw new DOMException('full', 'QuotaExceededError');
      return original.call(this, value, key);
    });
    expect(await codeOf(store.commit({ info: info('a'), records: records(1, 2) }))).toBe('storage.full');
    put.mockRestore();
    expect(await store.listSessions()).toEqual([]);
    expect(await store.readRecords('a')).toEqual({ records: [] });
    await store.commit({ info: info('a'), records: records(1, 2) });
    expect((await store.readRecords('a')).records).toHaveLength(2);
  });
});

describe('without a database (D-15)', () => {
  test('everything works in memory, and says so', async () => {
    vi.stubGlobal('indexedDB', undefined);
    const store = await openStore();
    expect(store).toMatchObject({ stored: false, problem: { code: 'storage.none' } });
    await store.commit({ info: info('a'), records: records(1, 2) });
    expect((await store.readRecords('a')).records).toHaveLength(2);
  });

  test.each(['SecurityError', 'UnknownError'])('the same when opening fails with %s', async (name) => {
    vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('no', name);
    });
    expect(await openStore()).toMatchObject({
      stored: false,
      problem: { code: 'storage.none', params: { detail: 'no' } },
    });
  });

  test('a database of a newer version of the page is left alone', async () => {
    (await openDB(databaseName, 99)).close();
    expect(await openStore()).toMatchObject({ stored: false, problem: { code: 'storage.newer' } });
  });
});
