/** What looks like a secret by its name never enters a record. */

const secretName = /auth|cookie|token|secret|key|passw|credential|session/i;
/** Stands for such a value in what is recorded. */
export const hidden = '[hidden]';

export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** Data as it may be recorded. Numbers and switches are no secrets, and `max_tokens` is one of many innocent names. */
export function withHidden<T>(data: T): T {
  return changed(data, (value) => (isPlain(value) ? value : hidden)) as T;
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
    const next = isSecretName(name) ? change(value) : changed(value, change);
    return next === undefined ? [] : [[name, next]];
  });
  return Object.fromEntries(entries) as unknown;
}

function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isPlain);
  return ['number', 'boolean', 'undefined'].includes(typeof value) || value === null;
}
