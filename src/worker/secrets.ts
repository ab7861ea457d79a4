/** What looks like a secret by its name never enters a record. */
import { isInnocent, looksLikeSecret } from '../json/secret-name';

/** Stands for such a value in what is recorded. */
export const hidden = '[hidden]';

/** Data as it may be recorded. */
export function withHidden<T>(data: T): T {
  return changed(data, (value) => (isInnocent(value) ? value : hidden)) as T;
}

/** What can be used of data that was recorded with `withHidden`: without what is hidden. */
export function withoutHidden<T>(data: T): T {
  return changed(data, (value) => (value === hidden ? undefined : value)) as T;
}

/** Changes what stands under names that look secret; `undefined` leaves it out. */
function changed(data: unknown, change: (value: unknown) => unknown): unknown {
  if (Array.isArray(data)) return data.map((entry) => changed(entry, change));
  if (typeof data !== 'object' || data === null) return data;
  const entries = Object.entries(data).flatMap(([name, value]: [string, unknown]) => {
    const next = looksLikeSecret(name) ? change(value) : changed(value, change);
    return next === undefined ? [] : [[name, next]];
  });
  return Object.fromEntries(entries) as unknown;
}
