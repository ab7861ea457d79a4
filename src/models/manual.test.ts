import { describe, expect, it } from 'vitest';
import { normalizeContext } from '../loop/transcript';
import type { AssistantMessage, AssistantMessageEvent, TranscriptContext } from '../loop/types';
import { manualModel, manualModelInfo, type ManualAnswer, type ManualModelOptions } from './manual';

const context = normalizeContext({
  messages: [{ role: 'user', content: 'What now?', timestamp: 0 }],
  systemPrompt: 'Be kind.',
});

/** Asks once in virtual time; `ask` is the person. */
async function request(ask: ManualModelOptions['ask'], controller = new AbortController()) {
  let at = 0;
  const sleep = (ms: number): Promise<void> => {
    at += ms;
    return Promise.resolve();
  };
  const model = manualModel({ ask, sleep, now: () => 1_000 + at });
  const stream = await model(manualModelInfo, context, { signal: controller.signal });
  const events: AssistantMessageEvent[] = [];
  for await (const event of stream) events.push(event);
  const message: AssistantMessage = await stream.result();
  return { events, types: events.map(({ type }) => type), message, at };
}
const answered = (answer: ManualAnswer) => request(() => Promise.resolve(answer));

describe('manualModel', () => {
  it('asks the person with the exact context, and tells requests apart', async () => {
    const asked: { id: string; context: TranscriptContext }[] = [];
    const model = manualModel({
      ask: (given) => {
        asked.push(given);
        return Promise.resolve({ blocks: [] });
      },
      sleep: () => Promise.resolve(),
      now: () => 0,
    });
    for (let n = 0; n < 2; n++) await (await model(manualModelInfo, context, {})).result();
    expect(asked.map((given) => given.context)).toEqual([context, context]);
    expect(asked[0]?.id).not.toBe(asked[1]?.id);
  });

  it('says nothing before the answer is there', async () => {
    let answer: (value: ManualAnswer) => void = () => undefined;
    const asked = new Promise<ManualAnswer>((resolve) => (answer = resolve));
    const model = manualModel({ ask: () => asked, sleep: () => Promise.resolve(), now: () => 0 });
    const events = (await model(manualModelInfo, context, {}))[Symbol.asyncIterator]();
    const first = events.next();
    expect(await Promise.race([first, Promise.resolve('nothing yet')])).toBe('nothing yet');
    answer({ blocks: [{ type: 'text', text: 'Now.' }] });
    expect((await first).value).toMatchObject({ type: 'start' });
  });

  it('streams text, thinking and calls as they were written, at the speed that was chosen', async () => {
    const { message, events, at } = await answered({
      blocks: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'abcdef' },
        { type: 'toolCall', name: 'ls', arguments: { path: 'src' } },
        { type: 'toolCall', name: 'ls', rawArguments: '{"path":' },
      ],
      chunk: 3,
      gapMs: 10,
    });
    expect(events.flatMap((event) => ('delta' in event ? [event.delta] : [])).join('')).toBe(
      'hmabcdef{"path":"src"}{"path":',
    );
    // Deltas of 3 characters: 1, 2, 5 and 3 of them, each after a gap but the very first.
    expect(at).toBe(100);
    expect(message).toMatchObject({
      api: 'manual',
      stopReason: 'toolUse',
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'abcdef' },
        { type: 'toolCall', id: 'call_2_3', name: 'ls', arguments: { path: 'src' } },
        { type: 'toolCall', id: 'call_2_4', name: 'ls', arguments: {} },
      ],
    });
    expect(message.content[3]).toHaveProperty('argumentsError');
  });

  it('sends an answer without a speed at once', async () => {
    const { events, at } = await answered({ blocks: [{ type: 'text', text: 'x'.repeat(500) }] });
    expect(events.filter(({ type }) => type === 'text_delta')).toHaveLength(1);
    expect(at).toBe(0);
  });

  it.each([
    ['stop', 'done'],
    ['length', 'done'],
    ['toolUse', 'done'],
    ['error', 'error'],
    ['aborted', 'error'],
  ] as const)('ends with %s when the person says so', async (stopReason, last) => {
    const { message, types } = await answered({
      blocks: [{ type: 'text', text: 'half' }],
      stopReason,
      ...(stopReason === 'error' ? { errorMessage: '529 overloaded' } : {}),
    });
    expect(types.at(-1)).toBe(last);
    expect(message).toMatchObject({ stopReason, content: [{ text: 'half' }] });
    if (stopReason === 'error') expect(message.errorMessage).toBe('529 overloaded');
  });

  it('ends as aborted when the run is aborted while it waits, also when nobody looks at the signal', async () => {
    const controller = new AbortController();
    const never = () => {
      queueMicrotask(() => controller.abort());
      return new Promise<ManualAnswer>(() => undefined);
    };
    const { message, types } = await request(never, controller);
    expect(types).toEqual(['error']);
    expect(message).toMatchObject({
      stopReason: 'aborted',
      errorMessage: 'Request was aborted',
      content: [],
    });
  });

  it('asks nobody when the run was aborted before', async () => {
    let asked = false;
    const ask = () => {
      asked = true;
      return Promise.resolve({ blocks: [] });
    };
    const controller = new AbortController();
    controller.abort();
    expect((await request(ask, controller)).message.stopReason).toBe('aborted');
    expect(asked).toBe(false);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('the page is gone'))],
    [
      'throws',
      () => {
        throw new Error('the page is gone');
      },
    ],
  ])('turns what the question %s with into a final message', async (_how, ask) => {
    expect((await request(ask)).message).toMatchObject({
      stopReason: 'error',
      errorMessage: 'the page is gone',
    });
  });
});
