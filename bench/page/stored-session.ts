/** A long session in the page's own database, as if the page had recorded it. */
import type { Page } from 'playwright';
import type { SessionInfo, TraceRecord } from '../../src/records/types';
import { databaseName } from '../../src/store/db';

/** As many as gather between two commits of a lively run. */
const recordsOfRow = 500;

/** Writes the session as the one that was used last; the page must have made its database already. */
export async function storeSession(
  page: Page,
  title: string,
  records: readonly TraceRecord[],
): Promise<void> {
  const id = 'bench';
  const info: SessionInfo = {
    id,
    title,
    createdAt: Date.now(),
    updatedAt: Date.now() + 60_000,
    seq: records.length,
    at: records.at(-1)?.at ?? 0,
    state: 'idle',
  };
  const rows = [];
  for (let first = 0; first < records.length; first += recordsOfRow)
    rows.push({
      session: id,
      firstSeq: first + 1,
      records: records.slice(first, first + recordsOfRow),
    });
  const scenario = {
    version: 1,
    title,
    start: 'prompt',
    prompts: ['Go on.'],
    model: { kind: 'scripted', turns: [] },
  };
  await page.evaluate(write, { name: databaseName, info, scenario, text: JSON.stringify(rows) });
}

interface Stored {
  name: string;
  info: SessionInfo;
  scenario: object;
  /** The rows. */
  text: string;
}

async function write({ name, info, scenario, text }: Stored): Promise<void> {
  const settled = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('The database refused.'));
    });
  const database = await settled(indexedDB.open(name));
  const transaction = database.transaction(['sessions', 'scenarios', 'rows'], 'readwrite');
  transaction.objectStore('scenarios').put(scenario, info.id);
  transaction.objectStore('sessions').put(info);
  for (const row of JSON.parse(text) as object[]) transaction.objectStore('rows').put(row);
  await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error ?? new Error('The database gave up.'));
  });
  database.close();
}
