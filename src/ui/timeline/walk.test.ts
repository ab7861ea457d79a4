import { describe, expect, it } from 'vitest';
import { fold } from '../../trace/fold';
import { lanesOf } from '../../trace/lanes';
import { Recording } from '../../trace/testing/recording';
import { barOfSelection, isSameSelection, selectionOf, spanOfSelection } from './selection';
import { turnFrom, walkTo, type Walk } from './walk';
import type { Selection } from '../view.svelte';

const recording = new Recording();
const run = recording.startRun();
recording.step(run, undefined, { type: 'poll', queue: 'steering', at: 'start', count: 0 });
const first = recording.startTurn(run);
const asked = recording.user(first, 'Read both.');
const calls = ['/a', '/b'].map((path) => ({ type: 'toolCall' as const, name: 'read', arguments: { path } }));
const answer = recording.assistant(run, first, { blocks: calls });
const started = calls.map((_, index) => recording.startCall(run, first, answer, index, 'read'));
const queued = recording.enqueue('steering', 'and /c');
for (const call of started) recording.endCall(call, 'all of it');
const result = recording.result(first, started[1]!, 'read');
recording.add({ type: 'hook', run, turn: first, name: 'finishTurn', durationMs: 3 });
recording.endTurn(first, answer, []);
recording.unqueue('steering', 'drain', [queued]);
const second = recording.startTurn(run);
recording.user(second, 'and /c', 'steering', queued);
const waits = recording.enqueue('followUp', 'and then');
const request = recording.request(run, second);
const trace = fold(recording.records);
const lanes = lanesOf(trace);
const hookSeq = trace.notes.find(({ note }) => note.type === 'hook')!.seq;
const pollSeq = trace.notes.find(({ note }) => note.type === 'step' && note.step.type === 'poll')!.seq;

describe('the bar of what is selected', () => {
  it.each<[string, Selection]>([
    ['a run', { kind: 'run', id: run }],
    ['a turn', { kind: 'turn', id: second }],
    ['an answer', { kind: 'message', id: answer }],
    ['an answer that has not begun', { kind: 'message', id: request }],
    ['a call', { kind: 'call', id: started[1]! }],
    ['a message that waited', { kind: 'message', id: queued }],
    ['a message that waits', { kind: 'message', id: waits }],
    ['a hook', { kind: 'note', seq: hookSeq }],
    ['a poll that found nothing', { kind: 'note', seq: pollSeq }],
  ])('of %s leads back to it', (_, selection) => {
    const bar = barOfSelection(lanes, selection);
    const node = bar && lanes.nodeAt(bar.row, bar.index);
    expect(node && selectionOf(node)).toEqual(selection);
  });

  it('of a result is that of its call', () => {
    expect(barOfSelection(lanes, { kind: 'message', id: result })).toEqual(
      barOfSelection(lanes, { kind: 'call', id: started[1]! }),
    );
  });

  it('is missing for a prompt, which has a time nevertheless', () => {
    expect(barOfSelection(lanes, { kind: 'message', id: asked })).toBeUndefined();
    const { seq, at } = trace.messages.get(asked)!;
    expect(spanOfSelection(lanes, { kind: 'message', id: asked })).toMatchObject({ seq, at });
  });

  it.each<Selection>([
    { kind: 'run', id: 'none' },
    { kind: 'message', id: 'none' },
    { kind: 'call', id: 'none' },
  ])('is missing for what is not there: $kind', (selection) => {
    expect(barOfSelection(lanes, selection)).toBeUndefined();
    expect(spanOfSelection(lanes, selection)).toBeUndefined();
  });
});

describe('walking the bars', () => {
  const walk = (from: Selection | undefined, to: Walk): Selection | undefined => {
    const bar = walkTo(lanes, from && barOfSelection(lanes, from), to, trace.seq);
    const node = bar && lanes.nodeAt(bar.row, bar.index);
    return node && selectionOf(node);
  };

  it.each<[Selection | undefined, Walk, Selection]>([
    [undefined, 'next', { kind: 'run', id: run }],
    [{ kind: 'run', id: run }, 'down', { kind: 'turn', id: first }],
    [{ kind: 'run', id: run }, 'up', { kind: 'run', id: run }],
    [{ kind: 'turn', id: first }, 'next', { kind: 'turn', id: second }],
    [{ kind: 'turn', id: second }, 'next', { kind: 'turn', id: second }],
    [{ kind: 'turn', id: second }, 'previous', { kind: 'turn', id: first }],
    [{ kind: 'turn', id: second }, 'down', { kind: 'message', id: answer }],
    [{ kind: 'call', id: started[0]! }, 'down', { kind: 'call', id: started[1]! }],
  ])('from %j %s goes to %j', (from, to, expected) => {
    expect(walk(from, to)).toEqual(expected);
  });

  it('finds the records where turns begin', () => {
    const starts = [first, second].map((id) => trace.turns.get(id)!.seq);
    expect(turnFrom(lanes, trace.seq, -1)).toBe(starts[1]);
    expect(turnFrom(lanes, starts[1]!, -1)).toBe(starts[0]);
    expect(turnFrom(lanes, starts[0]!, -1)).toBe(1);
    expect(turnFrom(lanes, starts[0]!, 1)).toBe(starts[1]);
    expect(turnFrom(lanes, starts[1]!, 1)).toBe(trace.seq);
  });
});

it.each<[Selection | undefined, Selection | undefined, boolean]>([
  [undefined, undefined, true],
  [{ kind: 'run', id: 'a' }, undefined, false],
  [{ kind: 'run', id: 'a' }, { kind: 'turn', id: 'a' }, false],
  [{ kind: 'note', seq: 3 }, { kind: 'note', seq: 3 }, true],
  [{ kind: 'note', seq: 3 }, { kind: 'note', seq: 4 }, false],
])('the selections %j and %j are the same: %s', (a, b, same) => {
  expect(isSameSelection(a, b)).toBe(same);
});
