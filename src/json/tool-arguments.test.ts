import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finalArguments, interruptedArguments, partialArguments } from './tool-arguments';

interface Case {
  id: string;
  mode: 'partial' | 'complete';
  prefix?: string;
  generate?: { repeat?: string; times?: number; deltas?: string[] };
  expect: Record<string, unknown>;
  acceptAlso?: Record<string, unknown>[];
  acceptAny?: boolean;
  forbidInherited?: string[];
  ignoreOwnKeys?: string[];
  timeoutMs?: number;
  why: string;
}

const folder = new URL('./cases/', import.meta.url);
const cases = readdirSync(folder).map(
  (name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Case,
);

function textOf({ prefix, generate }: Case): string {
  if (prefix !== undefined) return prefix;
  return generate?.deltas?.join('') ?? (generate?.repeat ?? '').repeat(generate?.times ?? 0);
}

function withoutKeys(value: Record<string, unknown>, keys: string[] = []): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

/** ms of the fastest of some times: what takes long only once waited for the machine. */
function fastest(work: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  });
  return Math.min(...times);
}

describe('tool arguments from public bug reports', () => {
  it.each(cases.map((each) => [each.id, each] as const))('%s', (_id, each) => {
    const text = textOf(each);
    const read = () => (each.mode === 'partial' ? partialArguments(text) : finalArguments(text).arguments);
    expect(fastest(read)).toBeLessThan(each.timeoutMs ?? 1000);
    const value = read();
    for (const key of each.forbidInherited ?? [])
      expect((value as Record<string, unknown>)[key]).toBeUndefined();
    if (each.acceptAny) expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    else
      expect([each.expect, ...(each.acceptAlso ?? [])]).toContainEqual(
        withoutKeys(value, each.ignoreOwnKeys),
      );
  });

  it('shows a key at the delta after its closing quote', () => {
    const deltas = cases.find(({ id }) => id === 'first-key-visible-early')?.generate?.deltas ?? [];
    const closed = deltas.findIndex((delta) => delta.endsWith('ts"'));
    expect(partialArguments(deltas.slice(0, closed + 1).join(''))).toEqual({ path: 'src/a.ts' });
  });
});

describe('final arguments', () => {
  it.each([
    ['', {}],
    [' \n', {}],
    ['{"a":1}', { a: 1 }],
  ])('takes %j as it is', (text, value) => {
    expect(finalArguments(text)).toEqual({ arguments: value });
  });

  it.each([
    ['raw control characters', '{"a":"x\ny"}', { a: 'x\ny' }],
    ['a missing last bracket', '{"a":{"b":"c"}', { a: { b: 'c' } }],
    ['a comma too many', '{"a":[1,2,],}', { a: [1, 2] }],
    ['junk after the object', '{"a":1}}]</tool_call>', { a: 1 }],
    ['the same object twice', '{"a":1}{"a":1}', { a: 1 }],
    ['an empty object before the real one', '{}{"a":1}', { a: 1 }],
    ['the path of another system', '{"path":"C:\\new\\Users\\table"}', { path: 'C:\\new\\Users\\table' }],
    ['a path without a drive', '{"path":"src\\new\\App.ts"}', { path: 'src\\new\\App.ts' }],
    ['code with one bad escape keeps its newlines', '{"c":"a = \\"\\d\\"\\n"}', { c: 'a = "\\d"\n' }],
    ['words of Python', '{"a":True,"b":None}', { a: true, b: null }],
    ['a fence', '```json\n{"a":1}\n```', { a: 1 }],
    ['half a surrogate pair', '{"a":"x\\ud83d"}', { a: 'x\ufffd' }],
    ['null', 'null', {}],
  ])('repairs %s and says so', (_what, text, value) => {
    expect(finalArguments(text)).toEqual({ arguments: value, repaired: true });
  });

  it.each([
    ['inside a string', '{"path":"a'],
    ['inside a key', '{"path":"a","con'],
    ['inside a word', '{"all":tru'],
    ['at the end of a number', '{"limit":12'],
    ['after a comma', '{"path":"a",'],
    ['after a colon', '{"path":'],
    ['at its first bracket', '{'],
    ['two brackets early', '{"edits":[{"oldText":"a","newText":"b"}'],
    ['as a list', '[{"path":"a"}]'],
    ['as a number', '7'],
    ['as prose', 'I will read the file'],
    ['as two different objects', '{"path":"a"}{"path":"b"}'],
    ['at a quote that was not escaped', '{"text":"say "} hi"}'],
    ['as an identifier with a leading zero', '{"zip":01234}'],
    ['as text in text', '"just text"'],
  ])('never guesses when the text ends or comes %s', (_where, text) => {
    const { arguments: value, argumentsError } = finalArguments(text);
    expect(value).toEqual({});
    expect(argumentsError).toContain(text);
  });

  it('quotes only the two ends of a long text', () => {
    const text = `{"content":"${'x'.repeat(5000)}`;
    const { argumentsError = '' } = finalArguments(text);
    expect(argumentsError.length).toBeLessThan(400);
    expect(argumentsError).toContain('{"content":"xxx');
  });

  it('refuses what is nested so deep that later steps would overflow', () => {
    const text = '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000);
    expect(finalArguments(text)).toMatchObject({
      arguments: {},
      argumentsError: expect.stringContaining('deep'),
    });
  });

  it.each([
    ['spaces in a fence', '```json\n{"a":1' + ' '.repeat(200_000) + 'x'],
    ['a fence that never ends', '```' + '` '.repeat(100_000)],
    ['empty objects', '{}'.repeat(100_000)],
    ['backslashes', `{"a":"${'\\'.repeat(400_000)}`],
  ])('reads a long text of %s in no time', (_what, text) => {
    const started = performance.now();
    finalArguments(text);
    // Quadratic work would take minutes.
    expect(performance.now() - started).toBeLessThan(3000);
  });

  it('keeps __proto__ as an own key, at any depth and in either reading', () => {
    for (const text of ['{"a":{"__proto__":{"polluted":1}}}', '{"a":{"__proto__":{"polluted":1}},}']) {
      const inner = finalArguments(text).arguments.a as Record<string, unknown>;
      expect(inner.polluted).toBeUndefined();
      expect(Object.keys(inner)).toEqual(['__proto__']);
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('reads back any object that JSON can write', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value);
        expect(finalArguments(text)).toEqual({ arguments: JSON.parse(text) as unknown });
        expect(partialArguments(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});

describe('arguments of an answer that was cut off', () => {
  it('keep what is certain, beside an error', () => {
    expect(interruptedArguments('{"command":"cp -r /bac')).toEqual({
      arguments: { command: 'cp -r /bac' },
      argumentsError: expect.stringContaining('cut off') as string,
    });
  });

  it('have no error when they are whole', () => {
    expect(interruptedArguments('{"command":"ls"}')).toEqual({ arguments: { command: 'ls' } });
  });

  it('have an error before their first character', () => {
    expect(interruptedArguments('').argumentsError).toBeDefined();
  });
});

describe('partial arguments', () => {
  it('are a plain, well-formed object at every cut of every object, and never lose what is certain', () => {
    const unicode = fc.string({ unit: 'binary', maxLength: 8 });
    fc.assert(
      fc.property(
        fc.dictionary(
          unicode,
          fc.oneof(unicode, fc.integer(), fc.array(unicode), fc.dictionary(unicode, unicode)),
        ),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (value, fraction) => {
          const text = JSON.stringify(value);
          const cut = text.slice(0, Math.floor(text.length * fraction));
          const partial = partialArguments(cut);
          expect(Object.getPrototypeOf(partial)).toBe(Object.prototype);
          expect(JSON.stringify(partial)).not.toMatch(/\\ud[89a-f]/);
          const whole = Object.keys(JSON.parse(text) as object);
          expect(whole.slice(0, Math.max(0, Object.keys(partial).length - 1))).toEqual(
            Object.keys(partial).slice(0, -1),
          );
        },
      ),
    );
  });

  it('never throw, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'{}[]":,\\ud83a0e.-+tn \n'), maxLength: 40 }),
        (text) => {
          expect(typeof partialArguments(text)).toBe('object');
          expect(typeof finalArguments(text).arguments).toBe('object');
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('take time in proportion to the text', () => {
    const time = (length: number): number => {
      const text = `{"content":"${'line \\"quoted\\" \\\\ \\n'.repeat(length / 20)}`;
      return fastest(() => partialArguments(text));
    };
    time(20_000);
    // Quadratic work would be 400 times as much for 20 times the text.
    expect(time(400_000)).toBeLessThan(100 * Math.max(time(20_000), 0.1));
  });
});
