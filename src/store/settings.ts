/** Small settings of the page, by key. The keys of endpoints that a person lets this device remember are here and nowhere else. */
import type { Database } from './db';

export function readSetting(database: Database, key: string): Promise<unknown> {
  return database.run((db) => db.get('settings', key));
}

/** `undefined` removes it. */
export async function writeSetting(database: Database, key: string, value: unknown): Promise<void> {
  await database.run<unknown>((db) =>
    value === undefined ? db.delete('settings', key) : db.put('settings', value, key),
  );
}
