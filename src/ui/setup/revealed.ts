import type { RequestOptions } from '../../records/types';

/** What stands in a record where a value is probably a secret. */
const hidden = '[hidden]';

/**
 * The options as they were recorded, with what the record hides taken from those that were typed; what nobody has any
 * more is left out.
 */
export function revealed(
  recorded: RequestOptions | undefined,
  typed: RequestOptions | undefined,
): RequestOptions | undefined {
  return filled(recorded, typed) as RequestOptions | undefined;
}

function filled(recorded: unknown, typed: unknown): unknown {
  if (recorded === hidden) return typed;
  if (Array.isArray(recorded)) return recorded.map((entry, index) => filled(entry, child(typed, index)));
  if (typeof recorded !== 'object' || recorded === null) return recorded;
  const entries = Object.entries(recorded).map(([name, value]) => [name, filled(value, child(typed, name))]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as unknown;
}

function child(of: unknown, name: string | number): unknown {
  return typeof of === 'object' && of !== null && Object.hasOwn(of, name)
    ? (of as Record<string | number, unknown>)[name]
    : undefined;
}
