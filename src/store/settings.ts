/** Small settings of the page, by key: theme, language, endpoint. Never a key or a secret. */
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
