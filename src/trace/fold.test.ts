import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRecords } from '../records';
import type { TraceRecord } from '../records/types';
import { emptyTrace, fold, foldInto } from './fold';
import { randomSession } from './testing/random-session';
import { Recording, userBody } from './testing/recording';

/** Each record on its own: what the page does in the smallest steps that it can. */
function foldOneByOne(records: TraceRecord[]) {
  const trace = emptyTrace();
  for (const record of records) foldInto(trace, [record]);
  return trace;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}

describe('any session', () => {
  it('gives the same trace in whatever pieces its records come', () => {
    fc.assert(
      fc.property(randomSession(), fc.array(fc.nat(), { maxLength: 20 }), ({ records }, cuts) => {
        const at = [...cuts.map((cut) => cut % (records.length + 1)), records.length].sort((a, b) => a - b);
        const trace = emptyTrace();
        at.forEach((end, index) => foldInto(trace, records.slice(at[index - 1] ?? 0, end)));
        expect(trace).toEqual(fold(records));
      }),
    );
  });

  it('shows at each record what the fold of the records up to it shows', () => {
    fc.assert(
      fc.property(randomSession(), fc.nat(), ({ records }, cut) => {
        const prefix = records.slice(0, cut % (records.length + 1));
        const live = foldOneByOne(prefix);
        expect(live).toEqual(fold(prefix));
        foldInto(live, records.slice(prefix.length));
        expect(live).toEqual(fold(records));
      }),
    );
  });

  it('keeps the transcript and the queues that the session really had', () => {
    fc.assert(
      fc.property(randomSession(), ({ records, transcript, queues }) => {
        const trace = fold(records);
        expect(trace.transcript).toEqual(transcript);
        expect(trace.queues.steering.map(({ id }) => id)).toEqual(queues.steering);
        expect(trace.queues.followUp.map(({ id }) => id)).toEqual(queues.followUp);
      }),
    );
  });

  it('leaves nothing open once it is idle', () => {
    fc.assert(
      fc.property(randomSession(), ({ records }) => {
        const trace = fold(records);
        expect(trace.state).toBe('idle');
        const open = [
          ...trace.runs.filter((run) => run.status === 'running' || run.endAt === undefined || !run.settled),
          ...[...trace.turns.values()].filter((turn) => turn.endAt === undefined),
          ...[...trace.messages.values()].filter((message) => message.status === 'streaming'),
          ...[...trace.calls.values()].filter((call) => call.status === 'running'),
          ...[...trace.asks.values()].filter((ask) => ask.state === 'asked'),
        ];
        expect(open).toEqual([]);
      }),
    );
  });

  it('is folded without a change to its records, all of which the schema takes', () => {
    fc.assert(
      fc.property(randomSession(), ({ records }) => {
        expect(parseRecords(records)).toEqual(records);
        expect(() => fold(deepFreeze(structuredClone(records)))).not.toThrow();
      }),
    );
  });

  it('is folded without an error when records are missing from it', () => {
    fc.assert(
      fc.property(
        randomSession(),
        fc.array(fc.nat(), { minLength: 1, maxLength: 30 }),
        ({ records }, gone) => {
          const missing = new Set(gone.map((index) => index % records.length));
          expect(() => fold(records.filter((_, index) => !missing.has(index)))).not.toThrow();
        },
      ),
    );
  });
});

describe('a run', () => {
  it.each([
    ['stop', 'done'],
    ['length', 'done'],
    ['error', 'error'],
    ['aborted', 'aborted'],
  ] as const)('whose last message says %s is %s', (stopReason, status) => {
    const recording = new Recording();
    const run = recording.startRun();
    const turn = recording.startTurn(run);
    const message = recording.assistant(run, turn, { blocks: [{ type: 'text', text: 'Hm.' }], stopReason });
    recording.endTurn(turn, message);
    recording.endRun(run);
    expect(fold(recording.records).runs[0]).toMatchObject({ status, stopReason, settled: true, turns: 1 });
  });

  it('is settling between its end and the word that its records are stored', () => {
    const recording = new Recording();
    const run = recording.startRun();
    recording.add({ type: 'agent_end', run, messages: [] });
    const trace = fold(recording.records);
    expect(trace.state).toBe('settling');
    recording.add({ type: 'settled', run });
    expect(foldInto(trace, recording.records.slice(-1)).state).toBe('idle');
  });

  it('counts requests, turns, tokens and its messages', () => {
    const recording = new Recording();
    const run = toolRun(recording);
    recording.endRun(run);
    const [node] = fold(recording.records).runs;
    expect(node).toMatchObject({
      turns: 2,
      requests: 2,
      usage: { input: 200, output: 20, totalTokens: 220 },
    });
    expect(node?.messages).toEqual(recording.transcript);
  });

  it.each([
    ['error', false, 'error'],
    ['aborted', false, 'aborted'],
    ['error', true, 'aborted'],
  ] as const)(
    'that ends as %s (abort asked for: %s) leaves an open call as %s',
    (stopReason, asked, status) => {
      const recording = new Recording();
      const { run, turn, call } = openCall(recording);
      if (asked) recording.add({ type: 'abort', run });
      recording.message({ turn, origin: 'failure' }, failure(stopReason));
      recording.endRun(run);
      expect(fold(recording.records).calls.get(call)).toMatchObject({
        status,
        endSeq: recording.records.length - 1,
      });
    },
  );
});

describe('a call that code makes', () => {
  it('stands below the call whose code made it, in its turn, and is no call of the model', () => {
    const recording = new Recording();
    const { turn, call } = openCall(recording);
    const nested = recording.startNested(call, 'write', { path: 'a.txt' });
    recording.add({ type: 'file_change', path: '/a.txt', by: 'tool', call: nested, after: { text: 'x' } });
    recording.endNested(nested, 'Written.');
    const trace = fold(recording.records);
    expect(trace.calls.get(call)).toMatchObject({ status: 'running', calls: [nested], notes: [] });
    expect(trace.calls.get(nested)).toMatchObject({
      parent: call,
      turn,
      given: { path: 'a.txt' },
      status: 'ok',
      durationMs: 10,
      notes: [{ note: { type: 'file', path: '/a.txt' } }],
    });
    expect([...trace.messages.values()].flatMap(({ calls }) => calls)).toEqual([call]);
  });

  it('is closed with its run when it has no end', () => {
    const recording = new Recording();
    const { run, call } = openCall(recording);
    const nested = recording.startNested(call, 'write');
    recording.endCall(call, 'Aborted.', true);
    recording.add({ type: 'abort', run });
    recording.endRun(run);
    expect(fold(recording.records).calls.get(nested)?.status).toBe('aborted');
  });
});

describe('an interrupted session', () => {
  it('has nothing open, and says of all that was open that it was interrupted', () => {
    const recording = new Recording();
    const { run, turn, call } = openCall(recording);
    const subject = { toolName: 'read', args: {} };
    recording.add({ type: 'permission', ask: 'ask', call, state: 'asked', subject });
    const message = recording.request(run, turn);
    recording.add({ type: 'message_start', message, turn, role: 'assistant', origin: 'model' });
    recording.add({ type: 'pause' });
    recording.add({ type: 'interrupted' });
    const trace = fold(recording.records);
    expect(trace).toMatchObject({ state: 'idle', paused: false });
    expect(trace.runs[0]).toMatchObject({ status: 'interrupted', settled: true });
    expect(trace.turns.get(turn)?.endAt).toBe(trace.at);
    expect(trace.messages.get(message)?.status).toBe('interrupted');
    expect(trace.calls.get(call)?.status).toBe('interrupted');
    expect(trace.asks.get('ask')?.state).toBe('interrupted');
    expect(trace.transcript).not.toContain(message);
  });

  it('keeps the status of a run that had ended before its records were stored', () => {
    const recording = new Recording();
    const run = recording.startRun();
    recording.add({ type: 'agent_end', run, messages: [] });
    recording.add({ type: 'interrupted' });
    expect(fold(recording.records).runs[0]).toMatchObject({ status: 'done', settled: true });
  });
});

describe('notes', () => {
  it('stand in the turn that is open when their records name no place', () => {
    const recording = new Recording();
    const { run, turn } = openCall(recording);
    recording.add({ type: 'config', set: { thinkingLevel: 'high' } });
    recording.add({ type: 'abort', run });
    const trace = fold(recording.records);
    const notes = trace.turns.get(turn)?.children.filter((child) => child.kind === 'note') ?? [];
    expect(notes.map(({ index }) => trace.notes[index]?.note.type)).toEqual(['config', 'abort']);
    expect(trace.runs[0]?.abortedAt).toBe(trace.at);
  });

  it('of a call stand in the call: its hooks apart from its questions and file changes', () => {
    const recording = new Recording();
    const { run, turn, call } = openCall(recording);
    recording.add({ type: 'hook', run, turn, call, name: 'beforeToolCall', durationMs: 3 });
    recording.add({ type: 'file_change', path: '/a', by: 'tool', call, after: { text: 'x' } });
    const trace = fold(recording.records);
    expect(trace.calls.get(call)?.hooks.map(({ note }) => note.type)).toEqual(['hook']);
    expect(trace.calls.get(call)?.notes.map(({ note }) => note.type)).toEqual(['file']);
    expect(trace.turns.get(turn)?.children.some((child) => child.kind === 'note')).toBe(false);
    expect(trace.files.get('/a')).toMatchObject({ changedBy: 'tool', call, content: { text: 'x' } });
  });

  it('of a pause end when it is resumed', () => {
    const recording = new Recording();
    recording.add({ type: 'pause' });
    recording.add({ type: 'resume' }, 700);
    const trace = fold(recording.records);
    expect(trace.paused).toBe(false);
    expect(trace.notes).toMatchObject([{ at: 1, note: { type: 'pause', endAt: 701 } }]);
  });

  it('take up no room in the outline for files that were there at the start', () => {
    const recording = new Recording();
    recording.add({ type: 'file_change', path: '/a', by: 'start', after: { text: 'x' } });
    recording.add({ type: 'file_change', path: '/b', by: 'person', after: { text: 'y' } });
    recording.add({ type: 'file_change', path: '/a', by: 'person' });
    const trace = fold(recording.records);
    expect([...trace.files.keys()]).toEqual(['/b']);
    expect(trace.notes).toHaveLength(2);
  });
});

describe('a rewind', () => {
  it('takes the tail out of the transcript and marks it', () => {
    const recording = new Recording();
    recording.message({ origin: 'history' }, userBody('one'));
    const second = recording.message({ origin: 'history' }, userBody('two'));
    recording.add({ type: 'rewind', why: 'retry', drop: [second] });
    const trace = fold(recording.records);
    expect(trace.transcript).not.toContain(second);
    expect(trace.messages.get(second)?.dropped).toBe(true);
  });
});

function failure(stopReason: 'error' | 'aborted') {
  const recording = new Recording();
  const message = recording.assistant('run', 'turn', { blocks: [], stopReason });
  const end = recording.records.find((record) => record.type === 'message_end' && record.message === message);
  if (end?.type !== 'message_end') throw new Error('The recording has no such message.');
  return end.body;
}

function openCall(recording: Recording) {
  const run = recording.startRun();
  const turn = recording.startTurn(run);
  recording.user(turn, 'Read it.');
  const blocks = [{ type: 'toolCall' as const, name: 'read', arguments: { path: '/a' } }];
  const message = recording.assistant(run, turn, { blocks });
  return { run, turn, message, call: recording.startCall(run, turn, message, 0, 'read') };
}

function toolRun(recording: Recording): string {
  const { run, turn, message, call } = openCall(recording);
  recording.endCall(call, 'all of it');
  recording.endTurn(turn, message, [recording.result(turn, call, 'read')]);
  const next = recording.startTurn(run);
  recording.endTurn(next, recording.assistant(run, next, { blocks: [{ type: 'text', text: 'Done.' }] }));
  return run;
}
