import { describe, expect, it } from 'vitest';
import { fold } from '../../trace';
import { Recording } from '../../trace/testing/recording';
import { draftOfAnswer, draftOfTemplate, earlierAnswers, templateNames } from './beginnings';
import { answerOf, draftProblems } from './draft';
import { seenIn } from './seen';

const tools = [
  { name: 'ls', description: 'Lists.', parameters: { type: 'object', properties: {} } },
  {
    name: 'read',
    description: 'Reads.',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
];

/** A prompt, an answer that reads a file, its result, steering, and a second answer. */
function session() {
  const recording = new Recording();
  const system = { role: 'system' as const, content: '', timestamp: 1, toolsAdded: tools };
  recording.message({ origin: 'history' }, system);
  const run = recording.startRun();
  const first = recording.startTurn(run);
  recording.user(first, 'Read it.');
  const answer = recording.assistant(run, first, {
    blocks: [
      { type: 'text', text: 'I read.' },
      { type: 'toolCall', name: 'read', arguments: { path: 'a.txt' } },
    ],
  });
  const call = recording.startCall(run, first, answer, 1, 'read');
  recording.endCall(call, 'all of it');
  recording.endTurn(first, answer, [recording.result(first, call, 'read')]);
  const second = recording.startTurn(run);
  recording.message(
    { turn: second, origin: 'steering' },
    {
      role: 'system',
      content: '',
      timestamp: 1,
      toolsRemoved: [{ name: 'ls' }],
    },
  );
  const last = recording.assistant(run, second, {
    blocks: [{ type: 'text', text: 'Half an ans' }],
    stopReason: 'error',
    errorMessage: 'Overloaded.',
  });
  recording.endRun(run);
  const trace = fold(recording.records);
  return { trace, answer, last };
}

describe('what was sent', () => {
  it('is listed with its place, the newest first', () => {
    const { trace, answer, last } = session();
    expect(earlierAnswers(trace)).toEqual([
      { id: last, run: 1, turn: 2, excerpt: 'Half an ans' },
      { id: answer, run: 1, turn: 1, excerpt: 'read' },
    ]);
  });

  it('is sent again as it was', () => {
    const { trace, answer, last } = session();
    const again = (id: string) =>
      answerOf(draftOfAnswer(trace, id, tools, 'atOnce') ?? expect.unreachable(), tools);
    expect(again(answer)).toEqual({
      blocks: [
        { type: 'text', text: 'I read.' },
        { type: 'toolCall', name: 'read', arguments: { path: 'a.txt' } },
      ],
    });
    expect(again(last)).toEqual({
      blocks: [{ type: 'text', text: 'Half an ans' }],
      stopReason: 'error',
      errorMessage: 'Overloaded.',
    });
  });
});

it('a case can be sent as it is, but for calls that somebody has to fill in', () => {
  for (const name of templateNames) {
    const problems = draftProblems(draftOfTemplate(name, tools, 'normal'), tools);
    expect(problems.every(({ at }) => name === 'twoCalls' && at === 'field')).toBe(true);
  }
});

describe('what the model sees', () => {
  it('is all that the request carried, and what of it is new since the request before', () => {
    const { trace } = session();
    const [first, second] = trace.requests;
    if (!first || !second) return expect.unreachable();
    expect(seenIn(trace, first)).toMatchObject({
      isFirst: true,
      messages: [
        { role: 'system', text: 'ls, read', isNew: false },
        { role: 'user', text: 'Read it.', isNew: false },
      ],
    });
    const seen = seenIn(trace, second);
    expect(seen.messages.map(({ role, isNew }) => [role, isNew])).toEqual([
      ['system', false],
      ['user', false],
      ['assistant', true],
      ['toolResult', true],
      ['system', true],
    ]);
  });

  it('are the tools that are declared by then', () => {
    const { trace } = session();
    const names = trace.requests.map((request) => seenIn(trace, request).tools.map(({ name }) => name));
    expect(names).toEqual([['ls', 'read'], ['read']]);
  });
});
