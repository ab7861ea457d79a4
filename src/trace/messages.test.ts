import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AssistantBody } from '../records/types';
import { fold, foldInto } from './fold';
import { blockText, callArguments, messageOf, resultOf, transcriptMessages } from './messages';
import { emptyUsage } from './nodes';
import { requestEntries, requestMessages } from './requests';
import { randomSession } from './testing/random-session';
import { MODEL, Recording, userBody, type Spoken } from './testing/recording';

const spoken: Spoken = {
  blocks: [
    { type: 'thinking', text: 'Which file is it?' },
    { type: 'text', text: 'I read it first.' },
    { type: 'toolCall', name: 'read', arguments: { path: '/src/a.ts', lines: [1, 2] } },
  ],
};

function inTurn() {
  const recording = new Recording();
  const run = recording.startRun();
  const turn = recording.startTurn(run);
  return { recording, run, turn };
}

function streaming(records: number) {
  const { recording, run, turn } = inTurn();
  const message = recording.request(run, turn);
  recording.add({ type: 'message_start', message, turn, role: 'assistant', origin: 'model', model: MODEL });
  const before = recording.records.length;
  recording.stream(message, { ...spoken, chunk: 6 });
  return messageOf(fold(recording.records.slice(0, before + records)), message);
}

describe('an assistant message', () => {
  it.each([0, 1, 5, 1000])('is the same whole in deltas of %i characters (0: without deltas)', (chunk) => {
    const { recording, run, turn } = inTurn();
    const message = recording.assistant(run, turn, { ...spoken, chunk });
    expect(messageOf(fold(recording.records), message)).toMatchObject({
      role: 'assistant',
      stopReason: 'toolUse',
      content: [
        { type: 'thinking', thinking: 'Which file is it?' },
        { type: 'text', text: 'I read it first.' },
        {
          type: 'toolCall',
          id: `${message}-2`,
          name: 'read',
          arguments: { path: '/src/a.ts', lines: [1, 2] },
        },
      ],
    });
  });

  it('shows what has arrived while it streams', () => {
    expect(streaming(0)).toMatchObject({ content: [], stopReason: 'pending', model: MODEL.id });
    expect(streaming(3)).toMatchObject({ content: [{ type: 'thinking', thinking: 'Which file i' }] });
    expect(streaming(13)).toMatchObject({
      content: [{}, {}, { type: 'toolCall', name: 'read', arguments: { path: '/sr' } }],
    });
  });

  it('keeps the argument text that the model sent when it could not be read', () => {
    const { recording, run, turn } = inTurn();
    const message = recording.request(run, turn);
    const update = { type: 'message_update', message, index: 0 } as const;
    const body: AssistantBody = {
      role: 'assistant',
      content: [{ type: 'toolCall', id: 'c', name: 'read', arguments: {}, argumentsError: 'cut' }],
      api: '',
      provider: '',
      model: '',
      usage: emptyUsage(),
      stopReason: 'length',
      timestamp: 1,
    };
    recording.add({ type: 'message_start', message, turn, role: 'assistant', origin: 'model' });
    recording.add({ ...update, event: 'toolcall_start', toolCallId: 'c', toolName: 'read' });
    recording.add({ ...update, event: 'toolcall_delta', delta: '{"path": "/a' });
    recording.add({ type: 'message_end', message, body });
    const trace = fold(recording.records);
    expect(trace.messages.get(message)?.blocks.map(blockText)).toEqual(['{"path": "/a']);
    expect(messageOf(trace, message)).toMatchObject({ content: [{ arguments: {}, argumentsError: 'cut' }] });
  });

  it('reads arguments that needed repair as the model client did', () => {
    const { recording, run, turn } = inTurn();
    const message = recording.request(run, turn);
    const update = { type: 'message_update', message, index: 0 } as const;
    recording.add({ type: 'message_start', message, turn, role: 'assistant', origin: 'model' });
    recording.add({ ...update, event: 'toolcall_start' });
    recording.add({ ...update, event: 'toolcall_delta', delta: '{"path": "/a",}' });
    const trace = fold(recording.records);
    recording.add({
      type: 'message_end',
      message,
      body: {
        ...(messageOf(trace, message) as AssistantBody),
        content: [{ type: 'toolCall', id: 'c', name: 'read', streamed: true, argumentsRepaired: true }],
      },
    });
    foldInto(trace, recording.records.slice(-1));
    expect(messageOf(trace, message)).toMatchObject({
      content: [
        { type: 'toolCall', id: 'c', name: 'read', arguments: { path: '/a' }, argumentsRepaired: true },
      ],
    });
  });

  it('gives the same object again once it has ended', () => {
    const { recording, run, turn } = inTurn();
    const message = recording.assistant(run, turn, spoken);
    const trace = fold(recording.records);
    expect(messageOf(trace, message)).toBe(messageOf(trace, message));
  });

  it('is unknown when no record tells of it', () => {
    expect(messageOf(fold([]), 'nobody')).toBeUndefined();
  });
});

describe('a tool result', () => {
  it('has the content, details and usage of its call', () => {
    const { recording, run, turn } = inTurn();
    const message = recording.assistant(run, turn, spoken);
    const call = recording.startCall(run, turn, message, 2, 'read');
    const usage = { ...emptyUsage(), input: 3, totalTokens: 3 };
    recording.endCall(call, 'all of it', false, { details: { lines: 2 }, usage });
    const result = recording.result(turn, call, 'read');
    const trace = fold(recording.records);
    expect(messageOf(trace, result)).toMatchObject({
      role: 'toolResult',
      content: [{ type: 'text', text: 'all of it' }],
      details: { lines: 2 },
      usage,
    });
    expect(trace.calls.get(call)).toMatchObject({ resultMessage: result, status: 'ok' });
    expect(callArguments(trace, trace.calls.get(call)!)).toEqual({ path: '/src/a.ts', lines: [1, 2] });
  });

  it('is, while the call runs, the last partial result and what was appended to it', () => {
    const { recording, run, turn } = inTurn();
    const message = recording.assistant(run, turn, spoken);
    const call = recording.startCall(run, turn, message, 2, 'read');
    const shown = () => resultOf(fold(recording.records).calls.get(call)!)?.content;
    expect(shown()).toBeUndefined();
    recording.add({ type: 'tool_execution_update', call, append: 'one ' });
    recording.add({ type: 'tool_execution_update', call, append: 'two ' });
    expect(shown()).toEqual([{ type: 'text', text: 'one two ' }]);
    const partial = { content: [{ type: 'text' as const, text: 'all ' }], details: { at: 1 } };
    recording.add({ type: 'tool_execution_update', call, partial });
    recording.add({ type: 'tool_execution_update', call, append: 'new' });
    expect(shown()).toEqual([{ type: 'text', text: 'all new' }]);
    recording.endCall(call, 'done');
    expect(shown()).toEqual([{ type: 'text', text: 'done' }]);
  });
});

describe('the list of a request', () => {
  it('is, for every request of any session, what it really carried', () => {
    fc.assert(
      fc.property(
        randomSession(),
        fc.array(fc.nat(), { maxLength: 5 }),
        ({ records, requestLists }, picks) => {
          const trace = fold(records);
          const lists = () => trace.requests.map((request) => requestEntries(trace, request));
          for (const pick of picks) {
            const request = trace.requests[pick % (trace.requests.length || 1)];
            if (request) expect(requestEntries(trace, request)).toEqual(requestLists[request.index]);
          }
          expect(lists()).toEqual(requestLists);
        },
      ),
    );
  });

  it('may be cut at the front, cut at the back and grown again without a change to older ones', () => {
    const { recording, run, turn } = inTurn();
    const ids = [1, 2, 3, 4, 5].map((n) => recording.user(turn, `message ${n}`));
    const lists = [ids.slice(0, 3), ids.slice(1, 3), ids.slice(1, 2), [...ids.slice(1, 2), ids[4]!], ids];
    for (const list of lists) recording.request(run, turn, list);
    const trace = fold(recording.records);
    expect(trace.requests.map((request) => requestEntries(trace, request))).toEqual(lists);
  });

  it('grows with the trace', () => {
    const { recording, run, turn } = inTurn();
    recording.user(turn, 'one');
    recording.request(run, turn);
    const trace = fold(recording.records);
    const before = recording.records.length;
    expect(requestMessages(trace, trace.requests[0]!)).toHaveLength(1);
    recording.user(turn, 'two');
    recording.request(run, turn);
    foldInto(trace, recording.records.slice(before));
    expect(requestMessages(trace, trace.requests[0]!)).toEqual([userBody('one')]);
    expect(requestMessages(trace, trace.requests[1]!)).toEqual([userBody('one'), userBody('two')]);
  });

  it('holds messages that a hook made for it as they are', () => {
    const { recording, run, turn } = inTurn();
    const user = recording.user(turn, 'one');
    const request = { skip: 0, keep: 0, add: [userBody('made by a hook'), user], model: MODEL };
    recording.add({ type: 'request', run, turn, message: 'm', thinkingLevel: 'off', ...request });
    const trace = fold(recording.records);
    expect(requestMessages(trace, trace.requests[0]!)).toEqual([userBody('made by a hook'), userBody('one')]);
  });
});

it('the transcript lists whole messages in the order in which they ended', () => {
  const { recording, run, turn } = inTurn();
  recording.user(turn, 'one');
  recording.assistant(run, turn, { blocks: [{ type: 'text', text: 'two' }] });
  expect(transcriptMessages(fold(recording.records))).toMatchObject([
    { role: 'user', content: 'one' },
    { role: 'assistant', content: [{ type: 'text', text: 'two' }] },
  ]);
});
