import { describe, expect, it } from 'vitest';
import { fold } from '../../trace';
import { longSession } from '../../trace/testing/long-session';
import { recordLines, recordsOf } from './records';

const { records } = longSession({ runs: 1, turnsPerRun: 2, deltasPerTurn: 4 });
const trace = fold(records);

describe('the raw records', () => {
  it('of a message are all that name it, in order', () => {
    const id = [...trace.messages.values()].find(({ role }) => role === 'assistant')?.id ?? '';
    const named = records.filter((record) => 'message' in record && record.message === id);
    const shown = recordsOf(records, trace, { kind: 'message', id });
    expect(shown.length).toBeGreaterThan(4);
    expect(named).toEqual(expect.arrayContaining(shown));
    expect(shown[0]?.type).toBe('message_start');
    expect(shown.at(-1)?.type).toBe('message_end');
  });

  it('of a call are its own, from its start to its end', () => {
    const id = [...trace.calls.keys()][0] ?? '';
    const types = recordsOf(records, trace, { kind: 'call', id }).map(({ type }) => type);
    expect([types[0], types.at(-1)]).toEqual(['tool_execution_start', 'tool_execution_end']);
  });

  it('of a turn are everything in it', () => {
    const id = [...trace.turns.keys()][0] ?? '';
    const shown = recordsOf(records, trace, { kind: 'turn', id });
    expect([shown[0]?.type, shown.at(-1)?.type]).toEqual(['turn_start', 'turn_end']);
    expect(shown).toEqual(records.slice((shown[0]?.seq ?? 0) - 1, shown.at(-1)?.seq));
  });

  it('of an event are the one record', () => {
    const seq = trace.notes[0]?.seq ?? 0;
    expect(recordsOf(records, trace, { kind: 'note', seq })).toEqual([records[seq - 1]]);
  });

  it('are none of what is not there', () => {
    expect(recordsOf(records, trace, { kind: 'call', id: 'gone' })).toEqual([]);
  });

  it('are copied as lines of JSON', () => {
    const lines = recordLines(records.slice(0, 3)).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(records.slice(0, 3));
  });
});
