import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { argumentsOf, fieldProblem, fieldsOf, propertyOf } from './fields';
import type { Field } from './fields';

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'The file.' },
    note: { type: 'string' },
    offset: { type: 'integer' },
    timeout: { type: 'number' },
    literal: { type: 'boolean' },
    mode: { enum: ['fast', 'slow', 3, null] },
    edits: { type: 'array', items: { type: 'object' } },
  },
  required: ['path', 'edits'],
};

const kinds = (fields: readonly Field[]) => Object.fromEntries(fields.map(({ name, kind }) => [name, kind]));
const field = (name: string, text: string): Field => ({
  ...(fieldsOf(schema, {}).find((each) => each.name === name) ?? expect.unreachable()),
  text,
});

describe('the fields of a schema', () => {
  it('are one for each property, in its order and as its type is written', () => {
    expect(kinds(fieldsOf(schema, {}))).toEqual({
      path: 'text',
      note: 'text',
      offset: 'number',
      timeout: 'number',
      literal: 'boolean',
      mode: 'choice',
      edits: 'json',
    });
  });

  it('know what is required and what the tool says of it', () => {
    expect(propertyOf(schema, 'path')).toMatchObject({ required: true, description: 'The file.' });
    expect(propertyOf(schema, 'note')).toMatchObject({ required: false, options: [] });
    expect(propertyOf(schema, 'mode').options).toEqual(['fast', 'slow', 3, null]);
  });

  it('are JSON where a value is not what the schema says, or has no property', () => {
    const fields = fieldsOf(schema, { path: 5, offset: 1.5, mode: 'other', extra: true });
    expect(kinds(fields)).toMatchObject({ path: 'json', offset: 'json', mode: 'json', extra: 'json' });
  });

  it('are none of a schema that is no schema', () => {
    for (const none of [undefined, null, true, [], 'object', { properties: 3 }])
      expect(fieldsOf(none, {})).toEqual([]);
  });
});

describe('what the fields say', () => {
  it('leaves out what is empty, but for a required text', () => {
    expect(argumentsOf(schema, fieldsOf(schema, {}))).toEqual({ path: '' });
  });

  it('is typed', () => {
    const fields = [
      field('path', 'a.txt'),
      field('offset', '12'),
      field('literal', 'false'),
      field('mode', '3'),
      field('edits', '[{"oldText": "a"}]'),
    ];
    expect(argumentsOf(schema, fields)).toEqual({
      path: 'a.txt',
      offset: 12,
      literal: false,
      mode: 3,
      edits: [{ oldText: 'a' }],
    });
  });

  it('is what they were filled in with, whatever that was', () => {
    const values = fc.dictionary(
      fc.oneof(fc.constantFrom(...Object.keys(schema.properties)), fc.string()),
      fc.oneof(fc.constantFrom('', 'fast', 'slow', 3, null), fc.jsonValue()),
    );
    fc.assert(
      fc.property(values, (made) => {
        // As it comes out of a JSON text; without a required text it would be an empty one.
        const args = { path: '', ...(JSON.parse(JSON.stringify(made)) as Record<string, unknown>) };
        expect(argumentsOf(schema, fieldsOf(schema, args))).toEqual(args);
      }),
    );
  });
});

describe('a field has a problem', () => {
  it.each([
    ['path', '', 'missing'],
    ['edits', '', 'missing'],
    ['offset', '1.5', 'notInteger'],
    ['offset', 'three', 'notInteger'],
    ['timeout', 'three', 'notNumber'],
    ['timeout', ' ', 'notNumber'],
    ['edits', '[{', 'notJson'],
  ])('%s: %j is %s', (name, text, problem) => {
    expect(fieldProblem(schema, field(name, text))).toBe(problem);
  });

  it.each([
    ['note', ''],
    ['offset', ''],
    ['timeout', '1.5'],
    ['edits', '[]'],
    ['path', 'a'],
  ])('%s: %j has none', (name, text) => {
    expect(fieldProblem(schema, field(name, text))).toBeUndefined();
  });
});
