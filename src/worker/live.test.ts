import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Opened, SessionSetup } from '../protocol';
import { parseRecords } from '../records';
import type { Scenario } from '../scenario/types';
import { transcriptMessages } from '../trace/messages';
import { retryWait } from '../trace/retries';
import { calls, modelServer, says, sse } from './model-server.testing';
import type { Asked, ModelServer } from './model-server.testing';
import { Page } from './page.testing';

const key = 'sk-very-secret-0123456789';
const baseUrl = 'http://model.test:1234/v1';
const live = (more: Partial<Extract<SessionSetup, { kind: 'live' }>> = {}): SessionSetup => ({
  kind: 'live',
  endpoint: { baseUrl, model: 'm', api: 'openai-chat' },
  ...more,
});

let asked: Asked[];
let answers: ModelServer['answers'];
let page: Page;

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  ({ asked, answers } = modelServer());
  page = new Page();
});
afterEach(async () => {
  await page.close();
  vi.unstubAllGlobals();
});

const everything = async () =>
  JSON.stringify([page.messages, page.records, await (await page.store).listSessions()]);

describe('a session with a model of the person', () => {
  test('runs on an endpoint with its key, on the files of the session, and is titled by its prompt', async () => {
    answers.push(calls('write', { path: 'a.txt', content: 'hi' }), says('Written.'));
    await page.send({ type: 'setKey', origin: 'http://model.test:1234', key });
    await page.show({ type: 'create', setup: live({ systemPrompt: 'Be brief.' }) });
    await page.send({ type: 'prompt', session: page.session, text: 'Write hi\ninto a file' });
    await page.settled();
    expect(asked.map(({ url, headers, body }) => [url, headers.get('authorization'), body.model])).toEqual([
      [`${baseUrl}/chat/completions`, `Bearer ${key}`, 'm'],
      [`${baseUrl}/chat/completions`, `Bearer ${key}`, 'm'],
    ]);
    expect(page.trace.files.get('/project/a.txt')?.content).toEqual({ text: 'hi' });
    expect(page.records.filter(({ type }) => type === 'http')).toMatchObject([
      { status: 200 },
      { status: 200 },
    ]);
    parseRecords(JSON.parse(JSON.stringify(page.records)) as unknown[]);
    await vi.waitFor(async () =>
      expect(await (await page.store).readSession(page.session)).toMatchObject({
        title: 'Write hi',
        state: 'idle',
      }),
    );
    expect(page.clock).toMatchObject({ virtual: false, playing: true, ready: false });
    await expect(page.send({ type: 'pause', session: page.session })).rejects.toEqual({ code: 'clock.real' });
  });

  test('records no key, also when a server echoes it', async () => {
    const echo = () =>
      new Response(JSON.stringify({ error: { message: `Bad key ${key}` } }), { status: 401 });
    answers.push(echo, sse({ error: { message: `Bad key ${key}`, code: 'bad' } }));
    await page.send({ type: 'setKey', origin: baseUrl, key });
    await page.show({ type: 'create', setup: live() });
    for (const n of [1, 2]) {
      await page.send({ type: 'prompt', session: page.session, text: 'Hello' });
      await page.settled(n);
    }
    expect(asked.every(({ headers }) => headers.get('authorization') === `Bearer ${key}`)).toBe(true);
    expect(page.trace.runs.map(({ status }) => status)).toEqual(['error', 'error']);
    answers.push(echo);
    await expect(page.send({ type: 'listModels', baseUrl })).rejects.toMatchObject({
      code: 'model.unauthorized',
    });
    expect(asked.at(-1)?.headers.get('authorization')).toBe(`Bearer ${key}`);
    expect(await everything()).not.toContain('very-secret');
  });

  test('sends a key nowhere but to the exact origin that it was typed for', async () => {
    answers.push(says('A.'), says('B.'));
    await page.send({ type: 'setKey', origin: 'http://model.test:1235', key });
    await page.send({ type: 'setKey', origin: 'https://model.test:1234', key });
    await page.show({ type: 'create', setup: live() });
    await page.send({ type: 'prompt', session: page.session, text: 'Hello' });
    await page.settled();
    await page.send({ type: 'setKey', origin: 'http://model.test:1234', key });
    await page.send({ type: 'setKey', origin: 'http://model.test:1234' });
    await page.send({ type: 'prompt', session: page.session, text: 'Hello' });
    await page.settled(2);
    expect(asked.map(({ headers }) => headers.get('authorization'))).toEqual([null, null]);
  });

  test('is refused an address that is none, or that carries credentials', async () => {
    const create = (address: string, model = 'm') =>
      page.send({
        type: 'create',
        setup: live({ endpoint: { baseUrl: address, model, api: 'openai-chat' } }),
      });
    await expect(create('nowhere')).rejects.toEqual({
      code: 'endpoint.badAddress',
      params: { address: 'nowhere' },
    });
    await expect(create('ftp://host')).rejects.toMatchObject({ code: 'endpoint.badAddress' });
    await expect(create('http://me:secret@host/v1')).rejects.toEqual({ code: 'endpoint.credentials' });
    await expect(create('http://host/v1?key=secret')).rejects.toEqual({ code: 'endpoint.credentials' });
    await expect(create(baseUrl, ' ')).rejects.toEqual({ code: 'endpoint.noModel' });
    await expect(page.send({ type: 'setKey', origin: 'nowhere', key })).rejects.toMatchObject({
      code: 'endpoint.badAddress',
    });
  });

  test('is retried after a failure, and the failed answer is not sent again', async () => {
    answers.push(() => new Response('{"error":{"message":"no"}}', { status: 400 }), says('Better.'));
    await page.show({ type: 'create', setup: live({ tools: [] }) });
    await page.send({ type: 'prompt', session: page.session, text: 'Hello' });
    await page.settled();
    await page.send({ type: 'retry', session: page.session });
    await page.settled(2);
    expect(asked[1]?.body.messages).toEqual([{ role: 'user', content: 'Hello' }]);
    expect(transcriptMessages(page.trace)).toMatchObject([
      { role: 'user' },
      { content: [{ text: 'Better.' }] },
    ]);
  });

  test('opened again goes on with its transcript, its time and another model', async () => {
    answers.push(says('One.'), says('Two.'));
    await page.show({ type: 'create', setup: live() });
    const { session } = page;
    await page.send({ type: 'prompt', session, text: 'First' });
    await page.settled();
    const last = page.records.at(-1)?.at ?? 0;
    await page.close();
    page = new Page();
    await page.show({ type: 'open', session });
    await page.send({
      type: 'configure',
      session,
      endpoint: { baseUrl: 'http://other.test/v1/', model: 'n', api: 'openai-chat' },
    });
    await page.send({ type: 'prompt', session, text: 'Second' });
    await page.settled(2);
    expect(asked[1]).toMatchObject({ url: 'http://other.test/v1/chat/completions', body: { model: 'n' } });
    expect(asked[1]?.body.messages.map(({ content }) => content).slice(-3)).toEqual([
      'First',
      'One.',
      'Second',
    ]);
    expect(page.records.at(-1)?.at).toBeGreaterThanOrEqual(last);
  });
});

test('an endpoint is tested with the key of its origin, which no answer gives away', async () => {
  await page.send({ type: 'setKey', origin: baseUrl, key });
  const endpoint = { baseUrl: `${baseUrl}/`, model: 'm', api: 'openai-chat' as const };
  answers.push(() => new Response('{"data":[{"id":"m"}]}'), says('OK'));
  expect(await page.send({ type: 'testConnection', endpoint })).toEqual({
    models: ['m'],
    durationMs: expect.any(Number) as number,
  });
  answers.push(() => new Response(JSON.stringify({ error: { message: `Bad key ${key}` } }), { status: 401 }));
  expect(await page.send({ type: 'testConnection', endpoint })).toMatchObject({
    problem: { code: 'model.unauthorized' },
  });
  const bad = { ...endpoint, baseUrl: 'nowhere' };
  expect(await page.send({ type: 'testConnection', endpoint: bad })).toMatchObject({
    problem: { code: 'endpoint.badAddress' },
  });
  expect(asked.map(({ headers }) => headers.get('authorization'))).toEqual(Array(3).fill(`Bearer ${key}`));
  expect(JSON.stringify(page.messages)).not.toContain('very-secret');
});

describe('a command that is cancelled', () => {
  /** What has begun and was not cancelled, by its address. */
  function silentServer() {
    const open = new Set<string>();
    vi.stubGlobal('fetch', (input: RequestInfo | URL, { signal }: RequestInit = {}) => {
      const url = new Request(input).url;
      open.add(url);
      return new Promise((_, reject) =>
        signal?.addEventListener('abort', () => {
          open.delete(url);
          reject(signal.reason as Error);
        }),
      );
    });
    return open;
  }
  const model = { baseUrl, model: 'm', api: 'openai-chat' as const };

  test('asks the endpoint no more: the request of a test or of a list ends, and the reply says so', async () => {
    const open = silentServer();
    const list = page.send({ type: 'listModels', baseUrl });
    await page.until(() => open.size === 1);
    await page.send({ type: 'cancel', command: 1 });
    expect(open.size).toBe(0);
    await expect(list).rejects.toEqual({ code: 'model.aborted', params: {} });

    const tested = page.send({ type: 'testConnection', endpoint: model });
    await page.until(() => open.size === 1);
    await page.send({ type: 'cancel', command: 3 });
    expect(open.size).toBe(0);
    expect(await tested).toMatchObject({ problem: { code: 'model.aborted' }, models: [] });
  });

  test('ends a test that waits for the answer, and one that is over or unknown is nothing to cancel', async () => {
    const open = silentServer();
    const silent = globalThis.fetch;
    vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) =>
      new Request(input).url.endsWith('/models')
        ? Promise.resolve(Response.json({ data: [{ id: 'm' }] }))
        : silent(input, init),
    );
    const tested = page.send({ type: 'testConnection', endpoint: model });
    await page.until(() => open.size === 1);
    await page.send({ type: 'cancel', command: 1 });
    expect(open.size).toBe(0);
    expect(await tested).toMatchObject({ problem: { code: 'model.aborted' }, models: ['m'] });
    await page.send({ type: 'cancel', command: 1 });
    await page.send({ type: 'cancel', command: 99 });
  });
});

test('a wait before a retry passes in session time as in real time, also in a scenario with a live model', async () => {
  const askedAt: number[] = [];
  const waitMs = 1000;
  answers.push(
    () => {
      askedAt.push(performance.now());
      return new Response('busy', { status: 429, headers: { 'retry-after-ms': String(waitMs) } });
    },
    () => {
      askedAt.push(performance.now());
      return says('Now.')();
    },
  );
  const scenario: Scenario = {
    version: 1,
    title: 'Live',
    start: 'prompt',
    prompts: ['Hello'],
    model: { kind: 'live' },
  };
  const endpoint = { baseUrl, model: 'm', api: 'openai-chat' } as const;
  await page.show({ type: 'create', setup: { kind: 'scenario', scenario, endpoint } });
  const { session } = page;
  await expect(page.send({ type: 'speed', session, speed: 20 })).rejects.toEqual({ code: 'clock.real' });
  await page.send({ type: 'prompt', session, text: 'Hello' });
  await page.until(() => page.records.some(({ type }) => type === 'http'));
  const { clock } = (await page.send({ type: 'open', session })) as Opened;
  const left = retryWait(page.trace, clock.at)?.leftMs ?? 0;
  const leftAt = performance.now();
  await page.settled();
  const [first = 0, second = 0] = askedAt;
  // What was left when it was looked at ends when the request goes out; the rest is what a busy machine takes.
  expect(second - leftAt - left).toBeGreaterThan(-100);
  expect(second - leftAt - left).toBeLessThan(700);
  const [refused, answered] = page.records.filter(({ type }) => type === 'http');
  expect(Math.abs((answered?.at ?? 0) - (refused?.at ?? 0) - (second - first))).toBeLessThan(700);
});
