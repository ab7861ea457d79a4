/**
 * What the sandbox's code finds there: `console`, and `tools`, whose functions call other tools. The script is a function of
 * the host's `print(text)` and `call(name, args)`; it gives back how values are written as text.
 */
export const SANDBOX_PRELUDE = String.raw`(print, call) => {
  const write = (value, quote) => {
    if (typeof value === 'string') return quote ? JSON.stringify(value) : value;
    if (typeof value === 'bigint') return value + 'n';
    if (typeof value === 'function') return '[Function ' + (value.name || 'anonymous') + ']';
    if (typeof value !== 'object' || value === null) return String(value);
    if (value instanceof Error) return value.name + ': ' + value.message;
    if (value instanceof RegExp) return String(value);
    if (value instanceof Promise) return '[Promise: await it]';
    const seen = [];
    try {
      return JSON.stringify(value, function (key, item) {
        if (typeof item === 'bigint' || typeof item === 'function' || typeof item === 'undefined') return write(item);
        if (typeof item !== 'object' || item === null) return item;
        while (seen.length > 0 && seen[seen.length - 1] !== this) seen.pop();
        if (seen.includes(item)) return '[Circular]';
        seen.push(item);
        if (item instanceof Error || item instanceof RegExp) return write(item);
        if (item instanceof Map) return { Map: [...item] };
        if (item instanceof Set) return { Set: [...item] };
        return item;
      }, 2);
    } catch (error) {
      return '[' + error + ']';
    }
  };
  const log = (...values) => print(values.map((value) => write(value)).join(' ') + '\n');
  globalThis.console = { log, info: log, warn: log, error: log, debug: log };
  globalThis.tools = new Proxy({}, {
    get: (_, name) => {
      if (typeof name !== 'string' || name === 'then') return undefined;
      return async (args) => {
        const result = JSON.parse(await call(name, JSON.stringify(args ?? {})));
        if (result.isError) throw new Error(result.text);
        return result.text;
      };
    },
  });
  return (value) => write(value, true);
}`;
