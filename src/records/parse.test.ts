import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { recordSchemas } from './schema-records';
import { parseRecord, parseRecords, readRows, RecordError } from './index';

const start = { seq: 1, at: 0, type: 'agent_start', run: 'r', how: 'prompt' };
const turn = { seq: 2, at: 5, type: 'turn_start', turn: 't', run: 'r' };
const end = { seq: 3, at: 5, type: 'agent_end', run: 'r', messages: [] };

function fault(parse: () => unknown): RecordError['params'] {
  try {
    parse();
  } catch (error) {
    if (error instanceof RecordError) return error.params;
    throw error;
  }
  throw new Error('Nothing was thrown.');
}

describe('a record', () => {
  it('comes back as the same object when it is valid', () => {
    expect(parseRecord(turn)).toBe(turn);
  });

  it('may say undefined where JSON would leave a key out', () => {
    const value = { seq: 1, at: 0, type: 'step', run: 'r', turn: undefined, step: poll };
    expect(parseRecord(value)).toBe(value);
  });

  it('may carry a message of a role that is not ours, with whatever belongs to it', () => {
    const body = { role: 'artifact', timestamp: 1, html: '<b>' };
    const value = { seq: 1, at: 0, type: 'message_end', message: 'm', body };
    expect(parseRecord(value)).toBe(value);
  });

  const poll = { type: 'poll', queue: 'steering', at: 'start', count: 0 };
  const assistant = {
    role: 'assistant',
    content: [{ type: 'text', text: 7 }],
    api: 'a',
    provider: 'p',
    model: 'm',
    usage: {},
    stopReason: 'stop',
    timestamp: 1,
  };

  it.each([
    ['no object', 'agent_start', 0, ''],
    ['null', null, 0, ''],
    ['of an unknown type', { ...start, type: 'agent_begin' }, 1, 'type'],
    ['of a type that every object inherits', { ...start, type: 'constructor' }, 1, 'type'],
    ['without a number', { ...start, seq: undefined }, 0, 'seq'],
    ['with a number that is not whole', { ...start, seq: 1.5 }, 0, 'seq'],
    ['without a time', { ...start, at: NaN }, 1, 'at'],
    ['without a key that it needs', { ...start, run: undefined }, 1, 'run'],
    ['with a word that is not in the list', { ...start, how: 'magic' }, 1, 'how'],
    ['with a key that nobody knows', { ...start, colour: 'red' }, 1, 'colour'],
    [
      'with a fault deep inside',
      { seq: 4, at: 0, type: 'message_end', message: 'm', body: assistant },
      4,
      'body.content.0.text',
    ],
    [
      'with a step that is none',
      { seq: 4, at: 0, type: 'step', run: 'r', step: { ...poll, count: -1 } },
      4,
      'step.count',
    ],
    [
      'with a hash that is none',
      {
        seq: 4,
        at: 0,
        type: 'file_change',
        path: '/a',
        by: 'start',
        after: { blob: '../x', bytes: 1, binary: false },
      },
      4,
      'after',
    ],
  ])('is refused when it is %s, and the place is named', (_fault, value, seq, path) => {
    const params = fault(() => parseRecord(value));
    expect(params).toMatchObject({ seq, path });
    expect(params.message).not.toBe('');
  });
});

describe('a delta', () => {
  const odd = fc.constantFrom<unknown>(
    undefined,
    null,
    '',
    'x',
    -1,
    0,
    1.5,
    2,
    NaN,
    {},
    'text_end',
    'text_delta',
  );

  it('is looked at without its schema, and judged as the schema would judge it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('text_delta', 'thinking_delta', 'toolcall_delta', 'text_start'),
        fc.dictionary(
          fc.constantFrom('message', 'index', 'event', 'delta', 'joined', 'toolCallId', 'colour'),
          odd,
          {
            maxKeys: 3,
          },
        ),
        (event, more) => {
          const value = { seq: 1, at: 0, type: 'message_update', message: 'm', index: 0, event, ...more };
          const isTaken = v.safeParse(recordSchemas.message_update, value).success;
          if (isTaken) expect(parseRecord(value)).toBe(value);
          else expect(() => parseRecord(value)).toThrow(RecordError);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('a list of records', () => {
  it('is taken when numbers count up by one and time does not go back', () => {
    expect(parseRecords([start, turn, end])).toEqual([start, turn, end]);
  });

  it('may follow records that were read before', () => {
    expect(parseRecords([end], turn)).toEqual([end]);
  });

  it.each([
    ['does not begin with the first', [turn], 2, 'seq'],
    ['has a gap', [start, end], 3, 'seq'],
    ['has a record twice', [start, start], 1, 'seq'],
    ['goes back in time', [start, turn, { ...end, at: 4 }], 3, 'at'],
  ])('is refused when it %s', (_fault, values, seq, path) => {
    expect(fault(() => parseRecords(values))).toMatchObject({ seq, path });
  });
});

describe('the rows of a session', () => {
  it('give all records when nothing is damaged', () => {
    expect(readRows([{ records: [start] }, { records: [turn, end] }])).toEqual({
      records: [start, turn, end],
    });
  });

  it.each([
    [
      'a record in the middle of a row is damaged',
      [{ records: [start, turn, { ...end, messages: 'none' }] }],
      2,
      3,
    ],
    ['a row is missing', [{ records: [start] }, { records: [end] }], 1, 3],
    ['a row is no row', [{ records: [start] }, { records: 'gone' }, { records: [turn] }], 1, 2],
    ['a row is nothing', [undefined], 0, 1],
  ])('give the records before the damage, and the problem, when %s', (_damage, rows, count, seq) => {
    const { records, problem } = readRows(rows);
    expect(records).toEqual([start, turn, end].slice(0, count));
    expect(problem).toMatchObject({ code: 'record.invalid', params: { seq } });
  });
});
