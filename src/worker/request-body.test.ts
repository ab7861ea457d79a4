import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Endpoint, RequestBody, SessionSetup } from '../protocol';
import { calls, modelServer, says, sse } from './model-server.testing';
import type { ModelServer } from './model-server.testing';
import { FakeLocks } from './page.testing';
import type { Page } from './page.testing';
import { create, page, playing, text } from './wire.testing';

const key = 'sk-very-secret-0123456789';
const endpoint: Endpoint = { baseUrl: 'http://model.test/v1', model: 'm', api: 'openai-chat' };
let server: ModelServer;
beforeEach(() => {
  server = modelServer();
});
afterEach(() => {
  server.answers = [];
});

const derived = (one: Page, message: string) =>
  one.send({ type: 'requestBody', session: one.session, message }) as Promise<RequestBody>;
const allDerived = (one: Page) => Promise.all(one.trace.requests.map(({ message }) => derived(one, message)));
const sent = () => server.asked.map(({ text }) => text);
async function prompt(one: Page, words: string): Promise<void> {
  const runs = one.trace.runs.length;
  await one.send({ type: 'prompt', session: one.session, text: words });
  await one.settled(runs + 1);
}

const refused = () => new Response('{"error":{"message":"no"}}', { status: 400 });
const answer = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }).map((words) => says(words)),
  fc.constantFrom('a.txt', 'b/“c”.txt').map((path) => calls('write', { path, content: 'é\u2028' })),
  fc.constant(calls('read', { path: 'missing.txt' })),
  fc.constant(calls('unknown', {})),
  fc.constant(refused),
  fc.constant(sse({ choices: [{ index: 0, delta: { content: 'cut off' } }] })),
);
const options = fc.record(
  {
    temperature: fc.constantFrom(0, 0.7),
    maxTokens: fc.constant(50),
    extraBody: fc.constantFrom({}, { seed: 1, stop: ['x'] }),
    tellFailures: fc.boolean(),
  },
  { requiredKeys: [] },
);
const setup = fc.record({
  endpoint: fc.record({
    baseUrl: fc.constantFrom('http://model.test/v1', 'https://api.openai.com/v1', 'http://localhost:8000/v1'),
    model: fc.constant('m'),
    api: fc.constantFrom('openai-chat' as const, 'openai-responses' as const),
    images: fc.boolean(),
  }),
  systemPrompt: fc.constantFrom('', 'Be kind.'),
  thinkingLevel: fc.constantFrom('off' as const, 'high' as const),
  tools: fc.subarray(['read', 'write']),
  options,
});
const step = fc.record({
  answers: fc.array(answer, { maxLength: 3 }),
  change: fc.record(
    {
      options,
      systemPrompt: fc.constant('Be brief.'),
      thinkingLevel: fc.constantFrom('off' as const, 'low' as const),
      tools: fc.subarray(['read', 'ls']),
    },
    { requiredKeys: [] },
  ),
});

describe('the request that is made again from the records', () => {
  test('is byte for byte the one that was sent, whatever was set and answered meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(setup, fc.array(step, { minLength: 1, maxLength: 3 }), async (given, steps) => {
        server.asked.splice(0);
        const one = page();
        const session = (
          await one.show({ type: 'create', setup: { kind: 'live', ...given } as SessionSetup })
        ).info.id;
        for (const { answers, change } of steps) {
          server.answers.splice(0, Infinity, ...answers);
          await prompt(one, 'Go on');
          await one.send({ type: 'configure', session, ...change });
        }
        const made = await allDerived(one);
        expect(made.map(({ body }) => JSON.stringify(body))).toEqual(sent());
        expect(made.map(({ url }) => url)).toEqual(server.asked.map(({ url }) => url));
        await one.close();
      }),
      { numRuns: 25 },
    );
  });

  test('has its images, also large ones, and says where a model that takes none got words', async () => {
    const png = new Uint8Array(6000).fill(7);
    png.set([137, 80, 78, 71, 13, 10, 26, 10]);
    for (const images of [true, false]) {
      server.answers.push(calls('read', { path: 'a.png' }), says('Seen.'));
      const one = page();
      await one.show({
        type: 'create',
        setup: { kind: 'live', endpoint: { ...endpoint, images }, tools: ['read'] },
      });
      await one.send({ type: 'writeFile', session: one.session, path: 'a.png', content: png });
      await prompt(one, 'Look');
      const [, made] = await allDerived(one);
      expect(JSON.stringify(made?.body)).toBe(sent().at(-1));
      expect(sent().at(-1)?.includes('data:image/png')).toBe(images);
      const result = [...one.trace.messages.values()].find(({ role }) => role === 'toolResult')?.id;
      expect(made?.repairs).toEqual(images ? [] : [{ code: 'imagesLeftOut', message: result }]);
    }
  });

  test('names the key no more than that it is sent, and hides fields that look secret', async () => {
    server.answers.push(says('One.'));
    const one = page();
    await one.send({ type: 'setKey', origin: endpoint.baseUrl, key });
    const options = { extraBody: { api_key: key, seed: 1 } };
    await one.show({ type: 'create', setup: { kind: 'live', endpoint, tools: [], options } });
    await prompt(one, 'Hello');
    const [made] = await allDerived(one);
    expect(made).toMatchObject({
      method: 'POST',
      url: 'http://model.test/v1/chat/completions',
      headers: { Authorization: 'Bearer •••' },
      body: { seed: 1, api_key: '[hidden]' },
      repairs: [],
    });
    const went = Object.fromEntries(server.asked[0]?.headers ?? []);
    expect(Object.keys(made?.headers ?? {}).map((name) => name.toLowerCase())).toEqual(
      Object.keys(went).sort(),
    );
    expect(JSON.stringify([made, one.messages])).not.toContain('very-secret');
  });

  test('of a script is what a server would have got, at no address', async () => {
    const one = page();
    await playing(one, { systemPrompt: 'Be kind.', tools: ['read'] }, [text('Hello.')]);
    await one.settled();
    const [made] = await allDerived(one);
    expect(made).toMatchObject({
      url: '',
      body: {
        messages: [
          { role: 'system', content: 'Be kind.' },
          { role: 'user', content: 'go' },
        ],
        tools: [{ function: { name: 'read' } }],
      },
    });
    expect(made?.headers).not.toHaveProperty('Authorization');
    await expect(derived(one, 'nothing')).rejects.toEqual({ code: 'session.noRequest' });
  });

  test('is there too for who only watches the session', async () => {
    const locks = new FakeLocks();
    const one = page({ locks });
    await one.show(create());
    await one.send({ type: 'speed', session: one.session, speed: Infinity });
    await one.send({ type: 'play', session: one.session });
    await one.settled();
    const two = page({ locks });
    expect((await two.show({ type: 'open', session: one.session })).readOnly).toBe(true);
    expect(await allDerived(two)).toEqual(await allDerived(one));
  });
});
