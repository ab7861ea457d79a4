import { describe, expect, it } from 'vitest';
import { fold } from '../../trace';
import { LoopRecording } from '../../trace/testing/loop-recording';
import { loopView } from '../loop-map/loop-view';
import { whyDetail, whySentence } from './why-text';

it('while a person is asked the run waits for the answer, and no longer', () => {
  const recording = new LoopRecording().begin().answer(['dig']).batch('sequential', 1);
  const call = recording.call(0, 'dig');
  const subject = { type: 'tool', toolName: 'dig', args: {} } as const;
  recording.add({ type: 'permission', ask: 'ask', call, state: 'asked', subject });
  expect(whySentence(fold(recording.records))).toBe('Waits for your answer.');
  recording.add({ type: 'permission', ask: 'ask', state: 'allowed', by: 'person' });
  expect(whySentence(fold(recording.records))).toBe('The first turn: its tools run.');
});

it('before anything was decided it says what the first turn does, and what it has done', () => {
  const recording = new LoopRecording().begin();
  const said = () => whySentence(fold(recording.records));
  recording.answer(['dig', 'fill']);
  expect(said()).toBe('The first turn: its tools run.');
  recording.batch('sequential', 2).wholeCall(0, 'dig');
  expect(said()).toBe('The first turn: its tools run.');
  recording.wholeCall(1, 'fill').poll('turnEnd', 1);
  expect(said()).toBe('The first turn: its tools are done.');
  expect(whySentence(fold(new LoopRecording().begin().answer().records))).toBe(
    'The first turn: the model has answered.',
  );
});

it('beside why there is another turn it says what that one does', () => {
  const recording = new LoopRecording()
    .begin()
    .answer(['dig'])
    .batch('parallel', 1)
    .wholeCall(0, 'dig')
    .end();
  recording.poll('turnEnd', 0).decided('inner', true, { toolResults: 1 }).nextTurn().inject(0);
  const shown = () => loopView(fold(recording.records));
  expect(shown().sentence).toBe('Goes on: 1 tool result.');
  expect(shown().detail).toMatch(/^Turn 2: the model is asked\. /);
  recording.answer();
  expect(shown().detail).toMatch(/^Turn 2: the model has answered\. /);
  recording.end();
  expect(shown().detail).toBe('The last steering poll found 0.');
});

describe('what the last poll found', () => {
  const first = () => new LoopRecording().begin().answer().end().poll('stop', 0);

  it('is told of the run at hand', () => {
    expect(whyDetail(fold(first().records))).toBe('The follow-up poll found 0.');
  });

  it.each([
    ['steering', 'Continue took 1 steering message.'],
    ['followUp', 'Continue took 1 follow-up message.'],
  ] as const)('of a run that Continue began from %s is not that of the run before', (how, told) => {
    const recording = first().close();
    const run = recording.startRun(how);
    expect(whyDetail(fold(recording.records))).toBe('');
    const turn = recording.startTurn(run);
    recording.user(turn, 'And this.', how);
    expect(whyDetail(fold(recording.records))).toBe(told);
  });

  it('is told after what cut the answer off, for as long as that is the last one', () => {
    const cutOff = 'The answer was cut off at the token limit.';
    const recording = new LoopRecording()
      .begin()
      .answer(['dig'], { stopReason: 'length' })
      .poll('turnEnd', 0);
    expect(loopView(fold(recording.records)).detail).toBe(`${cutOff} The last steering poll found 0.`);
    recording.end().nextTurn();
    expect(whyDetail(fold(recording.records))).not.toContain(cutOff);
  });
});

it('what was queued after the run stopped is no part of why it did', () => {
  const recording = new LoopRecording()
    .begin()
    .answer()
    .end()
    .poll('stop', 0)
    .decided('outer', false)
    .close();
  expect(whySentence(fold(recording.records))).toBe('Stopped: no tool calls, no steering, no follow-up.');
  recording.enqueue('followUp', 'And this.');
  expect(whySentence(fold(recording.records))).toBe('Stopped: no tool calls, and nothing was queued then.');
  expect(whyDetail(fold(recording.records))).toContain('1 message was queued since, and waits.');
});
