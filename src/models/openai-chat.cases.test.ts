import { describe, expect, it } from 'vitest';
import { normalizeContext } from '../loop';
import type { AssistantMessage } from '../loop';
import { comparable, fakeServer, runCase, streamCases, testModel, userMessage } from './case-runner.testing';
import { openaiChat } from './openai-chat';

const cases = streamCases.filter(({ api }) => api === 'chat');

async function nextRequest(message: AssistantMessage): Promise<Record<string, unknown>> {
  const server = fakeServer([{ status: 200, headers: {}, chunks: ['data: [DONE]\n\n'] }]);
  const context = normalizeContext({
    messages: [userMessage, message, userMessage],
  });
  await openaiChat(testModel, context, { fetch: server.fetch }).result();
  return server.bodies[0] ?? {};
}

function filled(expected: unknown): unknown {
  if (typeof expected !== 'object' || expected === null) return expected;
  if ('$nonEmpty' in expected) return expect.stringMatching(/./);
  if (Array.isArray(expected)) return expected.map(filled);
  return Object.fromEntries(Object.entries(expected).map(([key, value]) => [key, filled(value)]));
}

describe('Chat Completions as servers really send them', () => {
  it.each(cases.map((each) => [each.id, each] as const))('%s', async (_id, each) => {
    const { message, events, server, ms } = await runCase(openaiChat, each);
    const { expect: wanted, acceptAlso } = each;

    expect([wanted.stopReason, acceptAlso?.stopReason ?? []].flat()).toContain(message.stopReason);
    if (wanted.content) expect(comparable(message)).toEqual(filled(wanted.content));
    if (wanted.contentAnyOf) expect(wanted.contentAnyOf).toContainEqual(comparable(message));
    if (wanted.usage) expect(message.usage).toMatchObject(wanted.usage);
    if (wanted.requests) expect(server.bodies).toHaveLength(wanted.requests);
    for (const text of wanted.errorMessageContains ?? []) expect(message.errorMessage).toContain(text);
    if (message.stopReason === 'error' || message.stopReason === 'aborted') {
      expect(message.errorMessage).toMatch(/./);
      expect(message.errorCode).toMatch(/^model\./);
    }
    const limit = typeof wanted.settleWithinMs === 'number' ? wanted.settleWithinMs : 300 + 1000;
    if (wanted.settleWithinMs) expect(ms).toBeLessThan(limit);
    const ids = message.content.flatMap((block) => (block.type === 'toolCall' ? [block.id] : []));
    expect(new Set(ids).size).toBe(ids.length);

    expect(events.at(-1)?.type).toBe(['error', 'aborted'].includes(message.stopReason) ? 'error' : 'done');
  });

  it.each(cases.map((each) => [each.id, each] as const))(
    '%s: joined deltas are the blocks',
    async (_id, each) => {
      const { message, events } = await runCase(openaiChat, each);
      const joined = new Map<number, string>();
      for (const event of events) {
        if (!('delta' in event)) continue;
        joined.set(event.contentIndex, (joined.get(event.contentIndex) ?? '') + event.delta);
      }
      message.content.forEach((block, index) => {
        if (block.type === 'text') expect(joined.get(index)).toBe(block.text);
        if (block.type === 'thinking') expect(joined.get(index)).toBe(block.thinking);
      });
      expect(events.filter(({ type }) => type.endsWith('_start')).length).toBe(message.content.length);
      expect(events.filter(({ type }) => type.endsWith('_end')).length).toBe(message.content.length);
    },
  );

  it('sends arguments that came as an object back as text', async () => {
    const each = cases.find(({ id }) => id === 'chat-args-object');
    if (!each) throw new Error('no case');
    const { message } = await runCase(openaiChat, each);
    expect((await nextRequest(message)).messages).toMatchObject([
      {},
      {
        tool_calls: [
          { function: { arguments: each.replay?.['assistant.tool_calls[0].function.arguments'] } },
        ],
      },
      { role: 'tool' },
      {},
    ]);
  });

  it('sends reasoning back in the field it came in', async () => {
    const each = cases.find(({ id }) => id === 'chat-reasoning-then-toolcall-replay');
    if (!each) throw new Error('no case');
    const { message } = await runCase(openaiChat, each);
    expect((await nextRequest(message)).messages).toMatchObject([
      {},
      { reasoning_content: 'Need the file.' },
      {},
      {},
    ]);
  });

  it('never sends half a surrogate pair', async () => {
    const each = cases.find(({ id }) => id === 'sse-lone-surrogate-kept-out-of-request');
    if (!each) throw new Error('no case');
    const { message } = await runCase(openaiChat, each);
    expect(JSON.stringify(await nextRequest(message))).not.toMatch(/\\ud[89a-f]/i);
  });
});
