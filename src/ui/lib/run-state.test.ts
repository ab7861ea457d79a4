import { expect, it } from 'vitest';
import { fold } from '../../trace';
import { LoopRecording } from '../../trace/testing/loop-recording';
import { runState } from './run-state';

const subject = { type: 'tool', toolName: 'dig', args: {} } as const;
const asked = () => {
  const recording = new LoopRecording().begin().answer(['dig']).batch('sequential', 1);
  recording.add({ type: 'permission', ask: 'ask', call: recording.call(0, 'dig'), state: 'asked', subject });
  return recording;
};

it('a run waits for the person while they are asked, and runs again when they have answered', () => {
  const recording = asked();
  expect(runState(fold(recording.records))).toBe('waiting');
  recording.add({ type: 'permission', ask: 'ask', state: 'allowed', by: 'person' });
  expect(runState(fold(recording.records))).toBe('running');
});

it('a run that is held is paused, whoever is asked, also when it is held at a step', () => {
  const recording = asked();
  recording.add({ type: 'pause', stepped: true });
  expect(runState(fold(recording.records))).toBe('paused');
  recording.add({ type: 'resume' });
  expect(runState(fold(recording.records))).toBe('waiting');
});
