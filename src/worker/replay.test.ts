import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Page } from './page.testing';

beforeEach(() => vi.stubGlobal('indexedDB', new IDBFactory()));
afterEach(() => vi.unstubAllGlobals());

const details = [{ type: 'reasoning.encrypted', id: 'r1', data: 'opaque' }];
const deltas = [
  { role: 'assistant', reasoning: 'Let me ', reasoning_details: details },
  { reasoning: 'think.' },
  { content: 'Four.' },
];
const body = [
  ...deltas.map((delta) => ({ choices: [{ index: 0, delta }] })),
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
]
  .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
  .join('');

test('what a provider needs back of its thinking is sent with the next request, also after a reload', async () => {
  const sent: { messages: Record<string, unknown>[] }[] = [];
  vi.stubGlobal('fetch', (_url: string, init: RequestInit) => {
    sent.push(JSON.parse(init.body as string) as (typeof sent)[number]);
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
  });
  const endpoint = { baseUrl: 'http://localhost:1/v1', model: 'm', api: 'openai-chat' as const };
  const first = new Page();
  await first.show({ type: 'create', setup: { kind: 'live', endpoint, tools: [], thinkingLevel: 'low' } });
  const { session } = first;
  await first.send({ type: 'prompt', session, text: 'Two and two?' });
  await first.settled();
  await first.close();

  const second = new Page();
  const opened = await second.show({ type: 'open', session });
  expect(opened.problem).toBeUndefined();
  await second.send({ type: 'prompt', session, text: 'And three?' });
  await second.settled(2);
  await second.close();
  expect(sent[1]?.messages.find(({ role }) => role === 'assistant')).toMatchObject({
    content: 'Four.',
    reasoning_details: details,
  });
});
