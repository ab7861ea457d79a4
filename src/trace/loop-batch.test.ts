import { expect, it } from 'vitest';
import { fold } from './fold';
import { placeInAnswer } from './loop-batch';
import { LoopRecording } from './testing/loop-recording';

it('a call has its place among all calls of its answer, also while the others wait for it', () => {
  const recording = new LoopRecording().begin().answer(['dig', 'fill', 'rake']).batch('parallel', 3);
  const call = recording.call(1, 'fill');
  const trace = fold(recording.records);
  const node = trace.calls.get(call);
  expect(node && placeInAnswer(trace, node)).toEqual({ n: 2, count: 3 });
});

it('a call that the code of another one made is counted among those that were made', () => {
  const recording = new LoopRecording().begin().answer(['js']);
  const call = recording.call(0, 'js');
  const trace = fold(recording.records);
  const node = trace.calls.get(call);
  expect(node && placeInAnswer(trace, { ...node, index: 7 })).toEqual({ n: 1, count: 1 });
});
