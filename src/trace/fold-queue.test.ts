import { describe, expect, it } from 'vitest';
import { fold } from './fold';
import { Recording, userBody } from './testing/recording';

function ids(recording: Recording) {
  const { steering, followUp } = fold(recording.records).queues;
  return { steering: steering.map(({ id }) => id), followUp: followUp.map(({ id }) => id) };
}

describe('the queues', () => {
  it('keep the order in which messages were queued, and when', () => {
    const recording = new Recording();
    const first = recording.enqueue('steering', 'one');
    const second = recording.enqueue('steering', 'two');
    const trace = fold(recording.records);
    expect(trace.queues.steering).toMatchObject([
      { id: first, at: 5, seq: 1 },
      { id: second, at: 10, seq: 2 },
    ]);
  });

  it('say of a drained message where it landed, and of the message how long it waited', () => {
    const recording = new Recording();
    const run = recording.startRun();
    const id = recording.enqueue('steering', 'stop that');
    const turn = recording.startTurn(run);
    recording.unqueue('steering', 'drain', [id]);
    recording.user(turn, 'stop that', 'steering', id);
    const trace = fold(recording.records);
    const item = trace.queueItems.get(id);
    expect(item).toMatchObject({ left: 'drain', landed: { message: id, turn } });
    expect(trace.messages.get(id)?.queued).toBe(item);
    expect(trace.queues.steering).toEqual([]);
  });

  it.each(['remove', 'clear'] as const)('say of what left by %s that it never landed', (why) => {
    const recording = new Recording();
    const id = recording.enqueue('followUp', 'later');
    recording.unqueue('followUp', why, [id]);
    const item = fold(recording.records).queueItems.get(id);
    expect(item).toMatchObject({ left: why, leftAt: 10, leftSeq: 2 });
    expect(item?.landed).toBeUndefined();
  });

  it('are emptied by a clear that names nothing', () => {
    const recording = new Recording();
    recording.enqueue('steering', 'one');
    recording.enqueue('steering', 'two');
    recording.add({ type: 'queue', queue: 'steering', why: 'clear' });
    expect(ids(recording).steering).toEqual([]);
  });

  it('keep the place of a message that is edited', () => {
    const recording = new Recording();
    const first = recording.enqueue('steering', 'one');
    const second = recording.enqueue('steering', 'two');
    const add = [{ id: first, message: userBody('One!'), index: 0 }];
    recording.add({ type: 'queue', queue: 'steering', why: 'edit', add });
    expect(ids(recording).steering).toEqual([first, second]);
    const item = fold(recording.records).queueItems.get(first);
    expect(item).toMatchObject({ edited: true, at: 5, message: { content: 'One!' } });
  });

  it('take a whole new order', () => {
    const recording = new Recording();
    const first = recording.enqueue('steering', 'one');
    const second = recording.enqueue('steering', 'two');
    recording.add({ type: 'queue', queue: 'steering', why: 'reorder', order: [second, first] });
    expect(ids(recording).steering).toEqual([second, first]);
  });

  it.each(['the queue that loses it', 'the queue that gets it'])('move a message, %s told first', (told) => {
    const recording = new Recording();
    const id = recording.enqueue('followUp', 'now');
    const lose = () => recording.add({ type: 'queue', queue: 'followUp', why: 'move', remove: [id] });
    const gain = () =>
      recording.add({
        type: 'queue',
        queue: 'steering',
        why: 'move',
        add: [{ id, message: userBody('now'), index: 0 }],
      });
    if (told === 'the queue that loses it') {
      lose();
      gain();
    } else {
      gain();
      lose();
    }
    expect(ids(recording)).toEqual({ steering: [id], followUp: [] });
    const item = fold(recording.records).queueItems.get(id);
    expect(item).toMatchObject({ queue: 'steering', moves: [{ from: 'followUp' }], at: 5 });
    expect(item?.left).toBeUndefined();
  });
});
