import { describe, expect, test } from 'vitest';
import { validateArguments } from './index';

const check = (parameters: object, args: unknown) => validateArguments({ name: 'read', parameters }, args);
const one = (x: object, required = true) => ({
  type: 'object',
  properties: { x },
  ...(required ? { required: ['x'] } : {}),
});
const message = (parameters: object, args: unknown): string => {
  try {
    check(parameters, args);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('The arguments were accepted.');
};

describe('coercion', () => {
  test.each<[string, object, unknown, unknown]>([
    ['a number written as text', { type: 'number' }, '5', 5],
    ['a number with spaces', { type: 'number' }, ' 5.5 ', 5.5],
    ['a boolean for a number', { type: 'integer' }, true, 1],
    ['a number for a text', { type: 'string' }, 5, '5'],
    ['a boolean for a text', { type: 'string' }, false, 'false'],
    ['a boolean written as text', { type: 'boolean' }, 'True', true],
    ['a number for a boolean', { type: 'boolean' }, 0, false],
    ['null written as text', { type: 'null' }, 'null', null],
    ['the first type that fits', { type: ['boolean', 'number'] }, '7', 7],
    ['an alternative', { anyOf: [{ type: 'number' }, { type: 'null' }] }, '5', 5],
    ['a listed value', { enum: [1, 2] }, '2', 2],
    ['a constant', { const: 1 }, '1', 1],
    ['one value where a list is wanted', { type: 'array', items: { type: 'number' } }, '5', [5]],
    ['one object where a list is wanted', { type: 'array', items: { type: 'object' } }, { a: 1 }, [{ a: 1 }]],
    ['items of a list', { type: 'array', items: { type: 'number' } }, ['1', 2], [1, 2]],
    ['properties of an object', one({ type: 'number' }), { x: '1' }, { x: 1 }],
    [
      'values that have no name of their own',
      { type: 'object', additionalProperties: { type: 'number' } },
      { q: '1' },
      { q: 1 },
    ],
  ])('understands %s', (_, schema, given, expected) => {
    expect(check(one(schema), { x: given })).toEqual({ x: expected });
  });

  test.each<[string, object, unknown]>([
    ['a text that is no number', { type: 'number' }, 'five'],
    ['an empty text for a number', { type: 'number' }, ''],
    ['an infinite number', { type: 'number' }, 'Infinity'],
    ['a fraction for an integer', { type: 'integer' }, '5.5'],
    ['a list for a text', { type: 'string' }, ['a']],
    ['an object for a text', { type: 'string' }, {}],
    ['null for a required text', { type: 'string' }, null],
    ['null for a required number', { type: 'number' }, null],
    ['a number other than 0 and 1 for a boolean', { type: 'boolean' }, 2],
    ['a wrong value where a list is wanted', { type: 'array', items: { type: 'object' } }, 'a'],
  ])('refuses %s', (_, schema, given) => {
    expect(message(one(schema), { x: given })).toMatch(/^Invalid arguments for tool "read":\n- x: /);
  });

  test('touches nothing that the schema allows as it is', () => {
    expect(check(one({ type: ['string', 'number'] }), { x: '5' })).toEqual({ x: '5' });
    expect(check(one({ anyOf: [{ type: 'array' }, { type: 'string' }] }), { x: 'a' })).toEqual({ x: 'a' });
    expect(check({ type: 'object' }, { q: '5' })).toEqual({ q: '5' });
  });

  test('drops null for an optional property', () => {
    expect(check(one({ type: 'number' }, false), { x: null })).toEqual({});
  });

  test('keeps null where the schema allows null', () => {
    for (const schema of [
      { type: ['string', 'null'] },
      { anyOf: [{ type: 'number' }, { type: 'null' }] },
      {},
    ]) {
      expect(check(one(schema, false), { x: null })).toEqual({ x: null });
    }
  });

  test('follows references to definitions', () => {
    const schema = { ...one({ $ref: '#/$defs/count' }), $defs: { count: { type: 'number' } } };
    expect(check(schema, { x: '5' })).toEqual({ x: 5 });
  });

  test('survives a reference that leads to itself', () => {
    const schema = {
      ...one({ $ref: '#/$defs/node' }),
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
    };
    expect(check(schema, { x: { next: { next: {} } } })).toEqual({ x: { next: { next: {} } } });
  });

  test('changes a copy: the call in the transcript keeps what the model wrote', () => {
    const args = { x: '5', list: [{ y: null }] };
    const copy = check(one({ type: 'number' }), args);
    expect(copy).not.toBe(args);
    expect(args).toEqual({ x: '5', list: [{ y: null }] });
  });

  test('leaves prototypes alone', () => {
    const args = JSON.parse('{"__proto__": {"a": "5"}, "constructor": {"a": "6"}}') as unknown;
    const inner = { type: 'object', properties: { a: { type: 'number' } } };
    const copy = check(
      { type: 'object', additionalProperties: { anyOf: [inner, { type: 'object' }] } },
      args,
    );
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(Object.keys(copy)).toEqual(['__proto__', 'constructor']);
  });
});

describe('what the model reads of its mistakes', () => {
  test('names each path', () => {
    const schema = {
      type: 'object',
      properties: {
        path: { type: 'string' },
        edits: {
          type: 'array',
          items: { type: 'object', properties: { newText: { type: 'string' } }, required: ['newText'] },
        },
      },
      required: ['path', 'edits'],
      additionalProperties: false,
    };
    expect(message(schema, { edits: [{}], extra: 1 }).split('\n')).toEqual([
      'Invalid arguments for tool "read":',
      '- path: is required',
      '- extra: is not a known property',
      '- edits.0.newText: is required',
    ]);
  });

  test('says which values are allowed', () => {
    expect(message(one({ enum: ['a', 'b'] }), { x: 'c' })).toContain('x: must be one of ["a","b"]');
  });

  test('stops after ten mistakes', () => {
    const schema = { type: 'object', required: Array.from({ length: 30 }, (_, index) => `p${index}`) };
    expect(message(schema, {}).split('\n')).toHaveLength(12);
    expect(message(schema, {})).toContain('and 20 more');
  });

  test('says that arguments must be an object', () => {
    expect(message({}, [1])).toBe('Invalid arguments for tool "read": they must be an object.');
  });

  test('says that a schema cannot be used, when the schema is at fault', () => {
    expect(message(one({ type: 'string', pattern: '(' }), { x: 'a' })).toMatch(
      /^Invalid arguments .* could not be checked/,
    );
  });
});
