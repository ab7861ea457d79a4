/** How deep values are followed: deeper ones end in a text. */
const maxDepth = 400;

/**
 * Plain data of any value: what can be cloned, stored and written as JSON, and reads the same afterwards. Functions and
 * symbols are left out (in lists, where places count, a text stands for them); an Error keeps name, message and its own fields;
 * dates, big integers, maps, sets and bytes become their nearest plain form; a cycle or a property that throws becomes a text.
 * Never throws. The result shares nothing with the value.
 */
export function cloneable(value: unknown): unknown {
  return plain(value, new Set());
}

function plain(value: unknown, above: Set<object>): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'bigint':
      return String(value);
    case 'function':
    case 'symbol':
      return undefined;
    default:
      return value === null ? null : plainObject(value as object, above);
  }
}

function plainObject(value: object, above: Set<object>): unknown {
  if (above.has(value)) return '[circular]';
  if (above.size >= maxDepth) return '[too deep]';
  above.add(value);
  try {
    return ofKnownType(value, above);
  } catch (error) {
    return `[unreadable: ${text(error)}]`;
  } finally {
    above.delete(value);
  }
}

function ofKnownType(value: object, above: Set<object>): unknown {
  if (Array.isArray(value)) return value.map((item) => listItem(item, above));
  if (value instanceof Error) return { name: value.name, message: value.message, ...fieldsOf(value, above) };
  if (value instanceof Map) return [...value].map((entry) => plain(entry, above));
  if (value instanceof Set) return plain([...value], above);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
    return `[${typeName(value)} of ${value.byteLength} bytes]`;
  if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet)
    return `[${typeName(value)}]`;
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return plain((value.toJSON as () => unknown)(), above);
  const fields = fieldsOf(value, above);
  // A host object (an AbortSignal, a Response) shows nothing of itself: its name says more than an empty object.
  const named = Object.keys(fields).length === 0 && !isPlain(value);
  return named ? `[${typeName(value)}]` : fields;
}

function fieldsOf(value: object, above: Set<object>): Record<string, unknown> {
  const entries: [string, unknown][] = [];
  for (const key of Object.keys(value)) {
    let field: unknown;
    try {
      field = plain((value as Record<string, unknown>)[key], above);
    } catch (error) {
      field = `[unreadable: ${text(error)}]`;
    }
    if (field !== undefined) entries.push([key, field]);
  }
  // Not assignments: a key `__proto__` must stay a key.
  return Object.fromEntries(entries);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function listItem(item: unknown, above: Set<object>): unknown {
  const copy = plain(item, above);
  if (copy !== undefined) return copy;
  return item === undefined ? null : `[${typeof item}]`;
}

function typeName(value: object): string {
  const constructor: unknown = value.constructor;
  return typeof constructor === 'function' && constructor.name ? constructor.name : 'object';
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : typeof error === 'string' ? error : typeof error;
}
