import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold, foldInto, emptyTrace } from './fold';
import { LANE_KINDS, lanesOf, Lanes, type LaneKind } from './lanes';
import { ROWS_OF_SHORT_CALLS } from './lanes-pack';
import { foundBy } from './lanes-nodes';
import { BarFlag, type LaneRow } from './lanes-row';
import { longSession } from './testing/long-session';
import { STREAM_STEPS } from './lanes-clock';
import { randomSession } from './testing/random-session';
import { Recording, userBody } from './testing/recording';

describe('the lanes', () => {
  it('have a bar for each run, turn, answer, call, queued message and hook', () => {
    fc.assert(
      fc.property(randomSession(), ({ records }) => {
        const trace = fold(records);
        const lanes = lanesOf(trace);
        const answers = [...trace.messages.values()].filter(({ role }) => role === 'assistant').length;
        expect(counts(lanes)).toEqual({
          run: trace.runs.length,
          turn: trace.turns.size,
          model: answers,
          tool: trace.calls.size,
          queues: [...trace.queueItems.values()].reduce((sum, { moves = [] }) => sum + 1 + moves.length, 0),
          hook: trace.notes.filter(({ note }) => note.type === 'hook').length,
        });
      }),
    );
  });

  it('are the same in whatever pieces the records come', () => {
    fc.assert(
      fc.property(randomSession(), fc.array(fc.integer({ min: 1, max: 40 })), ({ records }, sizes) => {
        const trace = emptyTrace();
        let lanes = lanesOf(trace);
        let at = 0;
        for (const size of [...sizes, records.length]) {
          foldInto(trace, records.slice(at, at + size));
          lanes = lanesOf(trace, lanes);
          at += size;
        }
        const whole = lanesOf(fold(records));
        expect(content(lanes)).toEqual(content(whole));
        expect(lanes.scale('folded', lanes.end.at).gaps).toEqual(whole.scale('folded', whole.end.at).gaps);
      }),
    );
  });

  it('never let two bars of a row overlap, neither by time nor by records', () => {
    fc.assert(
      fc.property(randomSession(), ({ records }) => {
        const lanes = lanesOf(fold(records));
        for (const row of LANE_KINDS.flatMap((kind) => lanes.rows[kind])) {
          for (let index = 1; index < row.count; index++) {
            expect(row.endAt[index - 1]).toBeLessThanOrEqual(row.at[index]!);
            expect(row.endSeq[index - 1]).toBeLessThanOrEqual(row.seq[index]!);
          }
        }
      }),
    );
  });

  it('have as many rows as there are calls at the same time', () => {
    fc.assert(
      fc.property(randomSession(), ({ records }) => {
        const lanes = lanesOf(fold(records));
        const most = mostAtOnce(lanes.rows.tool, 'records');
        expect(lanes.rows.tool.length).toBeGreaterThanOrEqual(most);
        expect(lanes.rows.tool.length).toBeLessThanOrEqual(Math.max(most, ROWS_OF_SHORT_CALLS));
        expect(lanes.rows.hook).toHaveLength(mostAtOnce(lanes.rows.hook, 'time'));
      }),
    );
  });

  it('give a call that is over at once a row beside the one that begins then', () => {
    const recording = new Recording();
    const { run, turn, message, call } = startCall(recording);
    const result = { content: [{ type: 'text' as const, text: 'blocked' }] };
    recording.add({ type: 'tool_execution_end', call, isError: true, result }, 0);
    const other = { call: 'c', turn, message, index: 1, toolCallId: 't', toolName: 'write' };
    recording.add({ type: 'tool_execution_start', ...other }, 0);
    recording.endCall('c', 'done');
    expect(lanesOf(fold(recording.records)).rows.tool.map(({ count }) => count)).toEqual([1, 1]);
    recording.startCall(run, turn, message, 2, 'read');
    expect(lanesOf(fold(recording.records)).rows.tool.map(({ count }) => count)).toEqual([2, 1]);
  });

  it('need no row more than hooks that overlap, in whatever order they end', () => {
    const span = fc.record({ wait: fc.nat(20), durationMs: fc.integer({ min: 1, max: 60 }) });
    fc.assert(
      fc.property(fc.array(span, { maxLength: 40 }), (spans) => {
        const recording = new Recording();
        const run = recording.startRun();
        recording.add({ type: 'pause' }, 100);
        for (const { wait, durationMs } of spans)
          recording.add({ type: 'hook', run, name: 'afterToolCall', durationMs }, wait);
        const { hook } = lanesOf(fold(recording.records)).rows;
        expect(hook).toHaveLength(mostAtOnce(hook, 'time'));
      }),
    );
  });

  it('take over lanes of the same trace, and begin anew for another', () => {
    const { records } = longSession({ runs: 1, turnsPerRun: 2, deltasPerTurn: 3 });
    const trace = fold(records);
    const lanes = lanesOf(trace);
    expect(lanesOf(trace, lanes)).toBe(lanes);
    expect(lanesOf(fold(records), lanes)).not.toBe(lanes);
  });

  it('cost by what is new: what has ended is not read again', () => {
    const { records } = longSession({ runs: 3, turnsPerRun: 20, deltasPerTurn: 5 });
    const trace = fold(records);
    const lanes = lanesOf(trace);
    const reads = { count: 0 };
    for (const call of trace.calls.values()) countReads(call, reads);
    for (const turn of trace.turns.values()) countReads(turn, reads);
    const next = { seq: trace.seq + 1, at: trace.at + 1 };
    foldInto(trace, [{ ...next, type: 'agent_start', run: 'another', how: 'prompt' }]);
    lanesOf(trace, lanes);
    expect(reads.count).toBe(0);
    expect(lanes.rows.run[0]?.flags[3]).toBe(BarFlag.open);
  });
});

describe('a bar', () => {
  it('of an answer begins at its request and has its first token', () => {
    const recording = new Recording();
    const run = recording.startRun();
    const turn = recording.startTurn(run);
    recording.assistant(run, turn, { blocks: [{ type: 'text', text: 'Hello there.' }] });
    const lanes = lanesOf(fold(recording.records));
    const [row] = lanes.rows.model;
    const request = lanes.trace.requests[0]!;
    expect(row?.at[0]).toBe(request.at);
    expect(row?.midAt[0]).toBe(lanes.trace.messages.get(request.message)?.firstTokenAt);
  });

  it('is open until its end is known, and keeps its row', () => {
    const recording = new Recording();
    const { call } = startCall(recording);
    const trace = fold(recording.records);
    const lanes = lanesOf(trace);
    const [row] = lanes.rows.tool;
    expect([row?.endAt[0], row?.flags[0]]).toEqual([Infinity, BarFlag.open]);
    const known = recording.records.length;
    recording.endCall(call, 'no such file', true);
    foldInto(trace, recording.records.slice(known));
    expect(lanesOf(trace, lanes).rows.tool).toEqual([row]);
    expect([row?.endAt[0], row?.flags[0]]).toEqual([trace.at, BarFlag.failed]);
    expect(row?.failedIn(0, 0)).toBe(1);
  });

  it('of a call that was blocked says that it never ran', () => {
    const recording = new Recording();
    const { run, turn, message } = startCall(recording);
    const blocked = { call: 'c', turn, message, index: 1, toolCallId: 't', toolName: 'write' };
    recording.add({ type: 'tool_execution_start', ...blocked });
    const decision = { block: true };
    recording.add({ type: 'hook', run, turn, call: 'c', name: 'beforeToolCall', durationMs: 0, decision });
    const result = { content: [{ type: 'text' as const, text: 'blocked' }] };
    recording.add({ type: 'tool_execution_end', call: 'c', isError: true, result });
    const [, row] = lanesOf(fold(recording.records)).rows.tool;
    expect(row?.flags[0]).toBe(BarFlag.failed | BarFlag.asked);
  });

  it('of a queued message ends where a poll took it', () => {
    const recording = new Recording();
    const run = recording.startRun();
    const id = recording.enqueue('steering', 'stop that');
    const turn = recording.startTurn(run);
    recording.unqueue('steering', 'drain', [id]);
    recording.user(turn, 'stop that', 'steering', id);
    const trace = fold(recording.records);
    const [row] = lanesOf(trace).rows.steering;
    const { leftAt, leftSeq } = trace.queueItems.get(id) ?? {};
    expect([row?.endAt[0], row?.endSeq[0]]).toEqual([leftAt, leftSeq]);
    expect(recording.records[(leftSeq ?? 0) - 1]?.type).toBe('queue');
  });

  it('of a queued message is stranded when the run ended before its poll, until a poll takes it', () => {
    const recording = new Recording();
    const run = recording.startRun();
    const id = recording.enqueue('followUp', 'and then');
    const trace = fold(recording.records);
    let lanes = lanesOf(trace);
    const flags = () => lanes.rows.followUp[0]?.flags[0];
    expect(flags()).toBe(BarFlag.open);
    const grow = (add: () => void) => {
      const known = recording.records.length;
      add();
      foldInto(trace, recording.records.slice(known));
      lanes = lanesOf(trace, lanes);
    };
    grow(() => recording.endRun(run));
    expect(flags()).toBe(BarFlag.open | BarFlag.stranded);
    grow(() => recording.startRun());
    expect(flags()).toBe(BarFlag.open);
    grow(() => recording.unqueue('followUp', 'drain', [id]));
    expect(flags()).toBe(0);
  });

  it('of an answer that was cut off by length says so', () => {
    const recording = new Recording();
    const run = recording.startRun();
    const turn = recording.startTurn(run);
    recording.assistant(run, turn, { blocks: [{ type: 'text', text: 'And so' }], stopReason: 'length' });
    expect(lanesOf(fold(recording.records)).rows.model[0]?.flags[0]).toBe(BarFlag.cut);
  });

  it('of a message that moves to the other queue ends there, and goes on in that one', () => {
    const recording = new Recording();
    recording.startRun();
    const id = recording.enqueue('followUp', 'now');
    const trace = fold(recording.records);
    const lanes = lanesOf(trace);
    const known = recording.records.length;
    const add = [{ id, message: userBody('now'), index: 0 }];
    recording.add({ type: 'queue', queue: 'steering', why: 'move', add });
    foldInto(trace, recording.records.slice(known));
    lanesOf(trace, lanes);
    const { steering, followUp } = lanes.rows;
    const moved = recording.records.at(-1);
    expect([followUp[0]?.at[0], followUp[0]?.endAt[0]]).toEqual([trace.queueItems.get(id)?.at, moved?.at]);
    expect([steering[0]?.at[0], steering[0]?.endAt[0]]).toEqual([moved?.at, Infinity]);
  });

  it('of a pause is hatched until somebody resumes', () => {
    const recording = new Recording();
    recording.startRun();
    recording.add({ type: 'pause' });
    const trace = fold(recording.records);
    const { pauses } = lanesOf(trace);
    expect(pauses.endAt[0]).toBe(Infinity);
    const known = recording.records.length;
    recording.add({ type: 'resume' }, 500);
    recording.enqueue('steering', 'at the same time');
    foldInto(trace, recording.records.slice(known));
    expect([lanesOf(trace).pauses.endSeq[0], recording.records[known]?.seq]).toEqual([known + 1, known + 1]);
  });

  it('is there for each poll, with how many messages it found', () => {
    const recording = new Recording();
    const run = recording.startRun();
    recording.step(run, undefined, { type: 'poll', queue: 'steering', at: 'start', count: 0 });
    recording.step(run, undefined, { type: 'poll', queue: 'followUp', at: 'stop', count: 2 });
    const lanes = lanesOf(fold(recording.records));
    const found = [lanes.polls.steering, lanes.polls.followUp].map((row) => foundBy(lanes.nodeAt(row, 0)));
    expect(found).toEqual([0, 2]);
  });
});

describe('the clock of the lanes', () => {
  it('knows when each thing was that the trace tells of, and never runs backwards', () => {
    fc.assert(
      fc.property(randomSession(), ({ records }) => {
        const { clock, trace } = lanesOf(fold(records));
        for (const { seq, at } of [...trace.messages.values(), ...trace.notes]) {
          expect(clock.atOf(seq)).toBe(at);
          expect(clock.seqOf(at)).toBeGreaterThanOrEqual(seq);
        }
        for (let index = 1; index < records.length; index++) {
          const [before, record] = [records[index - 1]!, records[index]!];
          expect(clock.atOf(record.seq)).toBeGreaterThanOrEqual(clock.atOf(before.seq));
          expect(clock.seqOf(record.at)).toBeGreaterThanOrEqual(clock.seqOf(before.at));
        }
      }),
    );
  });
});

describe('the equal steps of a trace', () => {
  it('give a whole stream the room of a few things, and each thing beside it room of its own', () => {
    const recording = new Recording();
    const run = recording.startRun();
    const turn = recording.startTurn(run);
    recording.assistant(run, turn, { blocks: [{ type: 'text', text: 'x'.repeat(300) }], chunk: 1 });
    const end = recording.records.length;
    recording.step(run, turn, { type: 'poll', queue: 'steering', at: 'turnEnd', count: 0 });
    const lanes = lanesOf(fold(recording.records));
    const { place } = lanes.scale('steps', lanes.end.at);
    expect(place(end + 1) - place(end)).toBe(1);
    expect(place(end) - place(end - 300)).toBeLessThanOrEqual(STREAM_STEPS);
  });

  it('never run backwards, and lead back to the record', () => {
    fc.assert(
      fc.property(randomSession(), ({ records }) => {
        const lanes = lanesOf(fold(records));
        const { place, value } = lanes.scale('steps', lanes.end.at);
        for (const { seq } of records) {
          expect(place(seq)).toBeGreaterThan(place(seq - 1));
          expect(value(place(seq))).toBeCloseTo(seq, 6);
        }
      }),
    );
  });
});

describe('the folded axis of a trace', () => {
  it('cuts the time between runs and the wait for a person, but not the work of a tool', () => {
    const recording = new Recording();
    const { call } = startCall(recording);
    recording.add({ type: 'tool_execution_update', call, append: 'working' }, 9000);
    const subject = { toolName: 'read', args: {} };
    recording.add({ type: 'permission', ask: 'a', call, state: 'asked', subject });
    recording.add({ type: 'permission', ask: 'a', state: 'allowed', by: 'person' }, 60_000);
    recording.endCall(call, 'done');
    recording.add({ type: 'pause' }, 5000);
    const trace = fold(recording.records);
    const end = trace.calls.get(call)?.endAt ?? 0;
    const ask = trace.asks.get('a');
    expect(lanesOf(trace).scale('folded', trace.at).gaps).toEqual([
      { from: ask?.at, to: ask?.endAt },
      { from: end, to: trace.at },
    ]);
  });
});

function counts({ rows }: Lanes) {
  const of = (kind: LaneKind) => rows[kind].reduce((sum, { count }) => sum + count, 0);
  return {
    run: of('run'),
    turn: of('turn'),
    model: of('model'),
    tool: of('tool'),
    queues: of('steering') + of('followUp'),
    hook: of('hook'),
  };
}

/** All that is drawn, as plain data, without the numbers of records that the trace does not tell. */
function content(lanes: Lanes) {
  const rowOf = (row: LaneRow) =>
    Array.from({ length: row.count }, (_, index) => {
      const node = lanes.nodeAt(row, index);
      const told = node?.kind !== 'steering' && node?.kind !== 'followUp' && node?.kind !== 'pause';
      const { at, seq, endAt, endSeq, midAt, flags } = row;
      return [node, at[index], seq[index], endAt[index], told && endSeq[index], midAt[index], flags[index]];
    });
  const rows = LANE_KINDS.map((kind) => lanes.rows[kind].map(rowOf));
  return [rows, rowOf(lanes.pauses), rowOf(lanes.polls.steering), rowOf(lanes.polls.followUp), lanes.start];
}

function mostAtOnce(rows: LaneRow[], by: 'records' | 'time'): number {
  const edges = rows.flatMap((row) =>
    Array.from({ length: row.count }, (_, index) => {
      const [start, end] = by === 'records' ? [row.seq, row.endSeq] : [row.at, row.endAt];
      return [
        { value: start[index]!, change: 1, empty: start[index] === end[index] },
        { value: end[index]!, change: -1, empty: false },
      ];
    }).flat(),
  );
  // By time, what ends where another begins does not overlap it.
  edges.sort((a, b) => a.value - b.value || (by === 'time' ? a.change - b.change : b.change - a.change));
  let now = 0;
  let most = 0;
  for (const { change } of edges) most = Math.max(most, (now += change));
  return most;
}

function countReads(node: object, reads: { count: number }): void {
  const end = (node as { endAt?: number }).endAt;
  Object.defineProperty(node, 'endAt', {
    get: () => {
      reads.count++;
      return end;
    },
  });
}

function startCall(recording: Recording) {
  const run = recording.startRun();
  const turn = recording.startTurn(run);
  recording.user(turn, 'Read it.');
  const blocks = [{ type: 'toolCall' as const, name: 'read', arguments: { path: '/a' } }];
  const message = recording.assistant(run, turn, { blocks });
  return { run, turn, message, call: recording.startCall(run, turn, message, 0, 'read') };
}
