/** Blobs: bytes by their hash, stored once, kept while a session uses them. */
import type { BlobHash } from '../records/types';
import { ofSession } from './db';
import type { Connection, Database, Schema } from './db';
import type { IDBPTransaction } from 'idb';

export type BlobBytes = readonly [hash: BlobHash, bytes: Uint8Array];

type Writing = IDBPTransaction<
  Schema,
  ('sessions' | 'scenarios' | 'rows' | 'damaged' | 'blobs' | 'blobUses')[],
  'readwrite'
>;

/** The bytes of a hash, or `undefined` when nothing has them. */
export function readBlob(database: Database, hash: BlobHash): Promise<Uint8Array | undefined> {
  return database.run((db: Connection) => db.get('blobs', hash));
}

/** Within a transaction: puts blobs and notes that the session uses them. */
export function putBlobs(
  transaction: Writing,
  session: string,
  blobs: readonly BlobBytes[],
): Promise<unknown>[] {
  return blobs.flatMap(([hash, bytes]) => [
    transaction.objectStore('blobs').put(bytes, hash),
    transaction.objectStore('blobUses').put({ session, hash }),
  ]);
}

/** Within a transaction: a session uses no blobs any more; those that no other uses are removed. */
export async function dropBlobs(transaction: Writing, session: string): Promise<void> {
  const uses = transaction.objectStore('blobUses');
  for (const { hash } of await uses.getAll(ofSession(session))) {
    const users = await uses.index('hash').count(hash);
    await Promise.all([
      uses.delete([session, hash]),
      ...(users === 1 ? [transaction.objectStore('blobs').delete(hash)] : []),
    ]);
  }
}
