import { describe, expect, it } from 'vitest';
import { contextView } from './context';
import { fold } from './fold';
import { Recording, userBody } from './testing/recording';

const says = (text: string) => ({ blocks: [{ type: 'text' as const, text }] });
const calls = { blocks: [{ type: 'toolCall' as const, name: 'read', arguments: { path: 'a' } }] };

/** A run of one turn, and a second one whose first turn calls a tool. */
function twoRuns() {
  const recording = new Recording();
  const first = recording.startRun();
  const turn1 = recording.startTurn(first);
  const asked = recording.user(turn1, 'Who are you?');
  const answered = recording.assistant(first, turn1, says('An agent.'));
  recording.endTurn(turn1, answered);
  recording.endRun(first, [asked, answered]);
  const run = recording.startRun();
  const turn2 = recording.startTurn(run);
  const prompt = recording.user(turn2, 'Read it.');
  const answer = recording.assistant(run, turn2, calls);
  const call = recording.startCall(run, turn2, answer, 0, 'read');
  recording.endCall(call, 'twelve chars');
  const result = recording.result(turn2, call, 'read');
  recording.endTurn(turn2, answer, [result]);
  return { recording, run, turn2, asked, answered, prompt, answer, call, result };
}

describe('the view of a request', () => {
  it('has the whole context, and beside it what this run has added: the prompt is in both', () => {
    const { recording, turn2, asked, answered, prompt, answer, result } = twoRuns();
    const view = contextView(fold(recording.records), turn2) ?? expect.fail();
    expect(view.context.map(({ id, isNew }) => [id, isNew])).toEqual([
      [asked, false],
      [answered, false],
      [prompt, true],
    ]);
    expect(view.newMessages.map(({ id, inContext, before }) => [id, inContext, before])).toEqual([
      [prompt, true, true],
      [answer, false, false],
      [result, false, false],
    ]);
  });

  it('says what it added to the request before, and what it left out', () => {
    const { recording, run, asked, answered, prompt, answer, result } = twoRuns();
    const turn = recording.startTurn(run);
    recording.request(run, turn, [prompt, answer, result]);
    const view = contextView(fold(recording.records), turn) ?? expect.fail();
    expect(view.context.filter(({ isAdded }) => isAdded).map(({ id, role }) => [id, role])).toEqual([
      [answer, 'assistant'],
      [result, 'toolResult'],
    ]);
    expect(view.removed.map(({ id }) => id)).toEqual([asked, answered]);
    expect(view.comparedWith).toBe(1);
  });

  it('compares what a hook made for one request by its content', () => {
    const { recording, run, prompt } = twoRuns();
    const turns = ['told once', 'told once', 'told anew'].map((text) => {
      const turn = recording.startTurn(run);
      const change = { skip: 0, keep: 0, add: [prompt, userBody(text)] };
      const message = recording.id('message');
      const model = { api: '', provider: '', id: '', baseUrl: '' };
      recording.add({ type: 'request', run, turn, message, model, thinkingLevel: 'off', ...change });
      return turn;
    });
    const trace = fold(recording.records);
    const added = turns.map((turn) => contextView(trace, turn)?.context.map(({ isAdded }) => isAdded));
    expect(added.slice(1)).toEqual([
      [false, false],
      [false, true],
    ]);
    expect(contextView(trace, turns[2] ?? '')?.removed).toMatchObject([{ role: 'user', isNew: false }]);
  });

  it('sizes each message by what a model reads of it, and adds them up', () => {
    const { recording, run, answer, result } = twoRuns();
    const turn = recording.startTurn(run);
    recording.request(run, turn);
    const { context, size } = contextView(fold(recording.records), turn) ?? expect.fail();
    const sizes = new Map(context.map((entry) => [entry.id, entry.size]));
    expect(sizes.get(answer)).toEqual({ characters: 'read{"path":"a"}'.length, tokens: 4, images: 0 });
    expect(sizes.get(result)).toEqual({ characters: 12, tokens: 3, images: 0 });
    const characters = [...sizes.values()].reduce((total, one) => total + one.characters, 0);
    expect(size.characters).toBe(characters);
  });

  it('is found by any message of its turn, and is nothing for a turn without a request', () => {
    const { recording, run, turn2, result } = twoRuns();
    const turn = recording.startTurn(run);
    const trace = fold(recording.records);
    expect(contextView(trace, result)?.turn).toBe(turn2);
    expect(contextView(trace, turn)).toBeUndefined();
    expect(contextView(trace, 'none')).toBeUndefined();
  });
});

describe('the time of a turn', () => {
  it('is shared out to waiting, hooks, tools, stream and the wait for the first token, each moment once', () => {
    const recording = new Recording();
    const run = recording.startRun();
    const turn = recording.startTurn(run);
    recording.user(turn, 'Read it.');
    const answer = recording.assistant(run, turn, { ...calls, chunk: 100 });
    const call = recording.id('call');
    const toolCallId = `${answer}-0`;
    recording.add({
      type: 'tool_execution_start',
      call,
      turn,
      message: answer,
      index: 0,
      toolCallId,
      toolName: 'read',
    });
    const subject = { toolName: 'read', args: {} };
    recording.add({ type: 'permission', ask: 'ask1', call, state: 'asked', subject }, 5);
    recording.add({ type: 'permission', ask: 'ask1', state: 'allowed', by: 'person' }, 300);
    recording.add({ type: 'hook', run, turn, call, name: 'beforeToolCall', durationMs: 310 }, 5);
    recording.add({ type: 'step', run, turn, call, step: { type: 'execute', toolName: 'read' } }, 0);
    recording.endCall(call, 'text');
    recording.endTurn(turn, answer, [recording.result(turn, call, 'read')]);
    const { timing } = contextView(fold(recording.records), turn) ?? expect.fail();
    expect(timing).toMatchObject({ waiting: 300, hooks: 10, tools: 40, toFirstToken: timing.firstToken });
    expect(timing.firstToken).toBeGreaterThan(50);
    const { total, waiting, hooks, tools, stream, firstToken, other } = timing;
    expect(waiting + hooks + tools + stream + firstToken + other).toBe(total);
    expect(other).toBeGreaterThanOrEqual(0);
  });

  it('has the wait before a retry apart from the wait for the first token', () => {
    const recording = new Recording();
    const run = recording.startRun();
    const turn = recording.startTurn(run);
    const message = recording.request(run, turn);
    recording.add({ type: 'http', run, turn, attempt: 1, status: 429, waitMs: 2000 }, 100);
    recording.add({ type: 'http', run, turn, attempt: 2, status: 200 }, 2150);
    recording.add({ type: 'message_start', message, turn, role: 'assistant', origin: 'model' }, 0);
    recording.stream(message, says('Hello.'));
    const { timing } = contextView(fold(recording.records), turn) ?? expect.fail();
    expect(timing.retries).toBe(2000);
    expect(timing.firstToken).toBe((timing.toFirstToken ?? 0) - 2000);
  });

  it('goes on to the last record while the turn is open', () => {
    const recording = new Recording();
    const run = recording.startRun();
    const turn = recording.startTurn(run);
    recording.request(run, turn);
    recording.add({ type: 'config', set: {} }, 700);
    const { timing } = contextView(fold(recording.records), turn) ?? expect.fail();
    expect(timing).toMatchObject({ firstToken: 700, stream: 0 });
    expect(timing.toFirstToken).toBeUndefined();
  });
});
