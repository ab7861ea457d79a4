import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cloneable } from './cloneable';

describe('cloneable', () => {
  test('keeps an error by name and message, and drops what cannot be cloned (D-09)', () => {
    const details = { fn() {}, err: new TypeError('x'), sig: new AbortController().signal, ok: 1 };
    expect(cloneable(details)).toEqual({
      err: { name: 'TypeError', message: 'x' },
      sig: '[AbortSignal]',
      ok: 1,
    });
  });

  test('puts a text in the place of a function in a list, so that the other places stay', () => {
    expect(cloneable([1, () => 2, 3, undefined, Symbol('s')])).toEqual([
      1,
      '[function]',
      3,
      null,
      '[symbol]',
    ]);
  });

  test('ends a cycle with a text, and shows a value that comes twice twice', () => {
    const shared = { a: 1 };
    const value: Record<string, unknown> = { shared, again: shared };
    value.self = value;
    expect(cloneable(value)).toEqual({ shared: { a: 1 }, again: { a: 1 }, self: '[circular]' });
  });

  test('gives dates, big integers, maps, sets, bytes and infinite numbers a plain form', () => {
    expect(
      cloneable({
        date: new Date(0),
        big: 10n,
        map: new Map([['a', 1]]),
        set: new Set([1]),
        bytes: new Uint8Array(3),
        infinite: Infinity,
      }),
    ).toEqual({
      date: '1970-01-01T00:00:00.000Z',
      big: '10',
      map: [['a', 1]],
      set: [1],
      bytes: '[Uint8Array of 3 bytes]',
      infinite: 'Infinity',
    });
  });

  test('survives a getter and a proxy that throw, and nesting without end', () => {
    const thrower = {
      get bad(): never {
        throw new Error('no');
      },
      good: 1,
    };
    expect(cloneable(thrower)).toEqual({ bad: '[unreadable: no]', good: 1 });
    const refusing = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('closed');
        },
      },
    );
    expect(cloneable({ refusing })).toEqual({ refusing: '[unreadable: closed]' });
    let deep: unknown = 'end';
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    expect(JSON.stringify(cloneable(deep))).toContain('[too deep]');
  });

  test('keeps a key named __proto__ a key', () => {
    const value: unknown = JSON.parse('{"__proto__":{"polluted":true}}');
    const copy = cloneable(value) as object;
    expect(Object.keys(copy)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });

  test('leaves JSON values as they are', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(JSON.stringify(cloneable(value))).toBe(JSON.stringify(value));
      }),
    );
  });

  test('whatever it is given, the result can be cloned and reads the same as JSON', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true }),
        (value) => {
          const copy = cloneable(value);
          structuredClone(copy);
          if (copy !== undefined)
            expect(JSON.stringify(cloneable(JSON.parse(JSON.stringify(copy))))).toBe(JSON.stringify(copy));
        },
      ),
    );
  });
});
