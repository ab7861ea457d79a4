import { describe, expect, it } from 'vitest';
import type { AssistantBody } from '../../records/types';
import { fold } from '../../trace';
import { emptyUsage } from '../../trace/nodes';
import { LoopRecording } from '../../trace/testing/loop-recording';
import { answerEnd, answerParts, isSeen } from './answer-parts';

const lastOf = (recording: LoopRecording) => {
  const trace = fold(recording.records);
  const node = [...trace.messages.values()].findLast(({ role }) => role === 'assistant');
  if (!node) throw new Error('Nothing was answered.');
  return { trace, node };
};
const partsOf = (recording: LoopRecording) => {
  const { trace, node } = lastOf(recording);
  return answerParts(trace, node);
};
const befores = (recording: LoopRecording) =>
  partsOf(recording).flatMap((part) => (part.type === 'call' && !part.call ? part.before : []));

describe('how an answer ended', () => {
  const endOf = (stopReason: 'stop' | 'length' | 'aborted') => {
    const { trace, node } = lastOf(new LoopRecording().begin().answer([], { stopReason }));
    return answerEnd(trace, node);
  };

  it('is told when the limit of tokens cut it off', () => {
    expect(endOf('length')).toBe('Cut off here: the answer came to the token limit.');
  });

  it('is told when it was aborted, and of a complete one not at all', () => {
    expect(endOf('aborted')).toBe('Aborted here.');
    expect(endOf('stop')).toBeUndefined();
  });
});

describe('a call that has not begun', () => {
  it('is written as long as its arguments stream, and then waits its turn', () => {
    const recording = new LoopRecording().begin();
    const turn = recording.turn ?? '';
    const message = recording.request(recording.run, turn);
    recording.add({ type: 'message_start', message, turn, role: 'assistant', origin: 'model' });
    const update = { type: 'message_update', message, index: 0 } as const;
    recording.add({ ...update, event: 'toolcall_start', toolCallId: 'c', toolName: 'fetch' });
    recording.add({ ...update, event: 'toolcall_delta', delta: '{}' });
    expect(befores(recording)).toEqual(['writing']);
    recording.add({ ...update, event: 'toolcall_end' });
    expect(befores(recording)).toEqual(['waiting']);
  });

  it('waits its turn while the one before it is asked about', () => {
    const recording = new LoopRecording().begin().answer(['fetch', 'fetch']).batch('parallel', 2);
    recording.call(0, 'fetch');
    expect(befores(recording)).toEqual(['waiting']);
  });

  it('never runs once its turn is over, or its answer was aborted', () => {
    expect(befores(new LoopRecording().begin().answer(['fetch']).end())).toEqual(['never']);
    const aborted = new LoopRecording().begin().answer(['fetch'], { stopReason: 'aborted' });
    expect(befores(aborted)).toEqual(['never']);
  });
});

it('arguments that cannot be read stand as the model wrote them', () => {
  const recording = new LoopRecording().begin();
  const turn = recording.turn ?? '';
  const message = recording.request(recording.run, turn);
  recording.add({ type: 'message_start', message, turn, role: 'assistant', origin: 'model' });
  const update = { type: 'message_update', message, index: 0 } as const;
  recording.add({ ...update, event: 'toolcall_start', toolCallId: 'c', toolName: 'bash' });
  recording.add({ ...update, event: 'toolcall_delta', delta: 'ls -l' });
  const body: AssistantBody = {
    role: 'assistant',
    content: [{ type: 'toolCall', id: 'c', name: 'bash', arguments: {}, argumentsError: 'no JSON' }],
    api: '',
    provider: '',
    model: '',
    usage: emptyUsage(),
    stopReason: 'toolUse',
    timestamp: 1,
  };
  recording.add({ type: 'message_end', message, body });
  expect(partsOf(recording)).toMatchObject([{ type: 'call', unread: 'ls -l' }]);
});

it('an answer of white space has nothing to see', () => {
  const blocks = [{ type: 'text' as const, text: ' \n' }];
  expect(partsOf(new LoopRecording().begin().answer([], { blocks })).some(isSeen)).toBe(false);
});
