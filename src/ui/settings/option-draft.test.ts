import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withHidden } from '../../worker/secrets';
import {
  ignoredFields,
  numberOf,
  optionProblems,
  optionsDraft,
  optionsOf,
  secretFields,
} from './option-draft';

const empty = optionsDraft();

describe('options as they are typed', () => {
  it('come out of their draft as they went in', () => {
    const option = fc.record(
      {
        temperature: fc.integer({ min: 0, max: 40 }).map((tenths) => tenths / 20),
        maxTokens: fc.integer({ min: 1, max: 1_000_000 }),
        extraBody: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), {
          minKeys: 1,
          noNullPrototype: true,
        }),
        tellFailures: fc.constant(true),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(option, (options) => {
        const draft = optionsDraft(options);
        expect(optionProblems(draft)).toEqual({});
        // As JSON has no −0.
        expect(JSON.stringify(optionsOf(draft))).toBe(JSON.stringify(options));
      }),
    );
  });

  it('are none at all when nothing was typed', () => expect(optionsOf(empty)).toEqual({}));

  it.each([
    ['0,7', 0.7],
    [' .5 ', 0.5],
    ['0', 0],
    ['', undefined],
    ['1e3', NaN],
    ['-1', NaN],
    ['0x10', NaN],
    ['.', NaN],
  ])('the text %j is the number %s', (text, number) => expect(numberOf(text)).toBe(number));

  it.each([
    ['temperature', 'warm', { kind: 'number' }],
    ['maxTokens', '1.5', { kind: 'whole' }],
    ['maxTokens', '0', { kind: 'whole' }],
    ['extraBody', '[1]', { kind: 'noObject' }],
    ['extraBody', '{\n  "a": x\n}', { kind: 'noJson', line: 2, column: 8 }],
  ])('are told to be wrong: %s %j', (field, text, problem) =>
    expect(optionProblems({ ...empty, [field]: text })).toEqual({ [field]: problem }),
  );

  it('name the extra fields that look like secrets, and those that the request sets itself', () => {
    const extraBody = '{"user": {"api_key": "k"}, "stream": false, "model": "other", "top_k": 3}';
    expect(secretFields(extraBody)).toEqual(['api_key']);
    expect(ignoredFields(extraBody)).toEqual(['stream', 'model']);
    expect([secretFields('{"key'), ignoredFields('[]')]).toEqual([[], []]);
  });

  it('warn of a secret exactly when the records would hide one', () => {
    const names = fc.constantFrom('a', 'api_key', 'max_tokens', 'user');
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<unknown>('x', 1, true, null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(names, tie('value'), { maxKeys: 3, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(names, value, { noNullPrototype: true }), (fields) => {
        const hides = JSON.stringify(withHidden(fields)) !== JSON.stringify(fields);
        expect(secretFields(JSON.stringify(fields)).length > 0).toBe(hides);
      }),
    );
  });
});
