import { describe, expect, it } from 'vitest';
import { fold } from '../../trace/fold';
import { lanesOf, type LaneKind } from '../../trace/lanes';
import { Recording, userBody } from '../../trace/testing/recording';
import { barTexts, factsOf } from './describe';
import { tableRows } from './table';
import { wallScale } from '../../trace/lanes-scale';

/** The facts of the first bar of a lane. */
function facts(recording: Recording, kind: LaneKind, now?: number) {
  const lanes = lanesOf(fold(recording.records));
  const [row] = lanes.rows[kind];
  const node = row && lanes.nodeAt(row, 0);
  if (!node) throw new Error('There is no bar.');
  return {
    ...factsOf(node, lanes, now ?? lanes.end.at),
    texts: barTexts(node, lanes.trace, now ?? lanes.end.at),
  };
}

function startCall(recording: Recording) {
  const run = recording.startRun();
  const turn = recording.startTurn(run);
  const blocks = [{ type: 'toolCall' as const, name: 'read', arguments: { path: '/a.txt' } }];
  const message = recording.assistant(run, turn, { blocks });
  return { run, turn, message, call: recording.startCall(run, turn, message, 0, 'read') };
}

describe('the facts of a bar', () => {
  it('of an answer name the wait for its first token, its deltas and its model', () => {
    const recording = new Recording();
    startCall(recording);
    expect(facts(recording, 'model')).toMatchObject({
      name: 'Request 1',
      details: ['first token after 0.07 s', '6 deltas', '100 in, 10 out', 'scripted-1'],
      texts: ['6 deltas'],
    });
  });

  it('of a call name the argument that says most, and how it ended', () => {
    const recording = new Recording();
    const { call } = startCall(recording);
    expect(facts(recording, 'tool')).toMatchObject({ name: 'read /a.txt', state: 'running' });
    recording.endCall(call, 'no such file', true);
    expect(facts(recording, 'tool')).toMatchObject({
      took: 41,
      state: 'error',
      isFailed: true,
      texts: ['read /a.txt', 'read'],
    });
  });

  it('of a call that a person is asked about say so', () => {
    const recording = new Recording();
    const { call } = startCall(recording);
    const subject = { toolName: 'read', args: {} };
    recording.add({ type: 'permission', ask: 'a', call, state: 'asked', subject });
    expect(facts(recording, 'tool')).toMatchObject({
      details: ['waits for an answer'],
      texts: ['read /a.txt, asked', 'read, asked', 'read'],
    });
  });

  it('of an answer that was cut off by length say so', () => {
    const recording = new Recording();
    const run = recording.startRun();
    const blocks = [{ type: 'text' as const, text: 'And so' }];
    recording.assistant(run, recording.startTurn(run), { blocks, stopReason: 'length' });
    expect(facts(recording, 'model').state).toBe('cut off by length');
  });

  it('of a message that was moved say of each queue how long it waited there', () => {
    const recording = new Recording();
    const id = recording.enqueue('followUp', 'now');
    const add = [{ id, message: userBody('now'), index: 0 }];
    recording.add({ type: 'queue', queue: 'steering', why: 'move', add }, 200);
    recording.unqueue('steering', 'drain', [id]);
    expect(facts(recording, 'followUp')).toMatchObject({ took: 200, state: 'moved to Steering' });
    expect(facts(recording, 'steering')).toMatchObject({ took: 5, state: 'taken by a poll' });
  });

  it('of a queued message say how its wait ended', () => {
    const recording = new Recording();
    const run = recording.startRun();
    const id = recording.enqueue('steering', 'Use tabs.');
    const state = () => facts(recording, 'steering').state;
    expect(state()).toBe('still waiting');
    recording.endRun(run);
    expect(state()).toBe('stranded');
    const next = recording.startRun();
    recording.unqueue('steering', 'drain', [id]);
    expect(state()).toBe('taken by a poll');
    recording.user(recording.startTurn(next), 'Use tabs.', 'steering', id);
    expect(state()).toBe('joined turn 1');
    expect(facts(recording, 'steering').texts).toEqual(['Use tabs. · 0.01 s', 'Use tabs.']);
  });

  it('of a removed message say that it was taken out', () => {
    const recording = new Recording();
    const id = recording.enqueue('followUp', 'Later.');
    recording.unqueue('followUp', 'remove', [id]);
    expect(facts(recording, 'followUp')).toMatchObject({ name: 'Later.', state: 'taken out of the queue' });
  });

  it('of a hook say what it decided', () => {
    const recording = new Recording();
    const run = recording.startRun();
    recording.add({ type: 'hook', run, name: 'finishTurn', durationMs: 1, decision: { error: 'It broke.' } });
    expect(facts(recording, 'hook')).toMatchObject({
      name: 'finishTurn',
      took: 1,
      details: ['It broke.'],
      isFailed: true,
    });
  });

  it('of a run and a turn are their numbers', () => {
    const recording = new Recording();
    startCall(recording);
    expect(facts(recording, 'run').texts).toEqual(['Run 1', '1']);
    expect(facts(recording, 'turn', 500)).toMatchObject({ name: 'Turn 1', took: 498, state: 'running' });
  });
});

describe('the table of a window', () => {
  const recording = new Recording();
  const { call } = startCall(recording);
  recording.endCall(call, 'all of it');
  recording.add({ type: 'pause' });
  const lanes = lanesOf(fold(recording.records));
  const view = { scale: wallScale, from: 0, to: 1000, width: 100, now: lanes.end.at };

  it('has a row for each bar in it, lane by lane', () => {
    const { rows, more } = tableRows(lanes, view, lanes.end.at);
    expect(rows.map(({ facts: { lane } }) => lane)).toEqual(['run', 'turn', 'model', 'tool', 'pause']);
    expect(more).toBe(0);
  });

  it('has the polls, with what they found', () => {
    const polled = new Recording();
    const run = polled.startRun();
    polled.step(run, undefined, { type: 'poll', queue: 'steering', at: 'start', count: 0 });
    polled.step(run, undefined, { type: 'poll', queue: 'followUp', at: 'stop', count: 1 });
    const { rows } = tableRows(lanesOf(fold(polled.records)), view, 10);
    expect(rows.map(({ facts: { name, state } }) => [name, state]).slice(1)).toEqual([
      ['poll steering', 'found 0'],
      ['poll follow-up', 'found 1'],
    ]);
  });

  it('leaves out what is not in sight, and counts what is too much', () => {
    const { at } = lanes.trace.calls.get(call)!;
    expect(tableRows(lanes, { ...view, to: at - 1 }, lanes.end.at).rows).toHaveLength(3);
    expect(tableRows(lanes, view, lanes.end.at, 2)).toMatchObject({ rows: { length: 2 }, more: 3 });
  });
});
