import { afterEach, describe, expect, it, vi } from 'vitest';
import { normalizeContext } from '../loop';
import type { HttpAttempt } from '../loop';
import { comparable, testModel, userMessage } from './case-runner.testing';
import { callDelta, callsOf, delta, events, run, stream } from './chat-chunks.testing';
import { listModels } from './list-models';
import { openaiChat } from './openai-chat';

function callList(...calls: object[]): object {
  return delta({ tool_calls: calls });
}

describe('pieces of tool calls that carry less than they should', () => {
  it.each([
    ['under its index', { index: 0 }],
    ['under its id', { index: 0, id: 'c' }],
  ])('a name that comes in pieces %s is one name', async (_where, place) => {
    const calls = await callsOf(
      callDelta({ index: 0, id: 'c', name: 'get_', args: '' }),
      callDelta({ ...place, name: 'weather', args: '' }),
      callDelta({ index: 0, args: '{"city":"Lyon"}' }),
    );
    expect(calls).toEqual([['c', 'get_weather', { city: 'Lyon' }]]);
  });

  it('a name after another without index or id starts a call', async () => {
    const calls = (await callsOf(callDelta({ name: 'now' }), callDelta({ name: 'ls' }))) as string[][];
    expect(calls.map(([, name]) => name)).toEqual(['now', 'ls']);
  });

  it('an index as text leads to its call', async () => {
    const calls = await callsOf(
      callList(
        { index: '0', id: 'a', function: { name: 'ls' } },
        { index: '1', id: 'b', function: { name: 'read' } },
      ),
      callList({ index: '0', function: { arguments: '{"x":1}' } }),
      callList({ index: '1', function: { arguments: '{"y":2}' } }),
    );
    expect(calls).toEqual([
      ['a', 'ls', { x: 1 }],
      ['b', 'read', { y: 2 }],
    ]);
  });

  it.each([
    ['comes late', undefined],
    ['changes', 0],
  ])('an index that %s is no call of its own', async (_how, index) => {
    const first = { ...(index === undefined ? {} : { index }), id: 'a', name: 'ls' };
    const calls = await callsOf(
      callDelta(first),
      callDelta({ index: 1, args: '{"path"' }),
      callDelta({ index: 1, args: ':"."}' }),
    );
    expect(calls).toEqual([['a', 'ls', { path: '.' }]]);
  });

  it('two equal calls in one list are two, though neither has an index or an id', async () => {
    const call = { function: { name: 'roll', arguments: '{}' } };
    expect(await callsOf(callList(call, call))).toHaveLength(2);
  });
});

describe('answers that are not quite what the API says', () => {
  it('events without a blank line between them are told apart', async () => {
    const chunks = events(delta({ content: 'a' }), delta({ content: 'b' }), delta({}, 'stop'), '[DONE]');
    const { message } = await run(chunks.map((chunk) => chunk.slice(0, -1)));
    expect(message).toMatchObject({ stopReason: 'stop', content: [{ text: 'ab' }] });
  });

  it('JSON over several data lines is one chunk', async () => {
    const lines = JSON.stringify(delta({ content: 'a' }, 'stop'), undefined, 1).split('\n');
    const { message } = await run([lines.map((line) => `data: ${line}\n`).join(''), '\n']);
    expect(message).toMatchObject({ stopReason: 'stop', content: [{ text: 'a' }] });
  });

  it.each([
    [
      'a choice whose index is text',
      { choices: [{ index: '0', delta: { content: 'a' }, finish_reason: 'stop' }] },
    ],
    ['content that is one part', delta({ content: { type: 'text', text: 'a' } }, 'stop')],
  ])('%s is read', async (_what, chunk) => {
    expect((await run(events(chunk))).message.content).toMatchObject([{ type: 'text', text: 'a' }]);
  });

  it('reasoning that shows nothing does not break the text that it comes between', async () => {
    const secret = { type: 'reasoning.encrypted', index: 1, data: 'X' };
    const { message } = await run(
      events(
        delta({ reasoning: 'hm', reasoning_details: [{ type: 'reasoning.text', text: 'hm' }] }),
        delta({ content: 'Hel' }),
        delta({ reasoning_details: [secret] }),
        delta({ content: 'lo' }, 'stop'),
      ),
    );
    expect(comparable(message)).toEqual([
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'Hello' },
    ]);
    expect(message.content[0]).toMatchObject({ replay: { items: [{ text: 'hm' }, secret] } });
  });

  it('reasoning details without an index are joined too', async () => {
    const piece = (text: string) => delta({ reasoning_details: [{ type: 'reasoning.text', text }] });
    const { message } = await run(events(piece('a'), piece('b'), delta({ content: 'x' }, 'stop')));
    expect(message.content[0]).toMatchObject({ replay: { items: [{ type: 'reasoning.text', text: 'ab' }] } });
  });

  it('usage in the names of another API is counted', async () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 5,
      cache_read_input_tokens: 60,
      cache_creation_input_tokens: 10,
    };
    const { message } = await run(events(delta({ content: 'x' }, 'stop'), { choices: [], usage }, '[DONE]'));
    expect(message.usage).toMatchObject({ input: 30, cacheRead: 60, cacheWrite: 10, totalTokens: 105 });
  });
});

describe('ends that are not clean', () => {
  it('a chunk that the end of the body cut says that the answer was cut', async () => {
    const { message } = await run([...events(delta({ content: 'a' })), 'data: {"choices":[{"delta":{"con']);
    expect(message).toMatchObject({ errorCode: 'model.cut', content: [{ text: 'a' }] });
    expect((await run(['data: {"choices":[{"del'])).message.errorCode).toBe('model.cut');
  });

  it('broken data after the finish reason costs nothing', async () => {
    const { message } = await run([...events(delta({ content: 'a' }, 'stop')), 'data: {"usage":{"pro\n\n']);
    expect(message).toMatchObject({ stopReason: 'stop', content: [{ text: 'a' }] });
  });

  it('a finish reason with each chunk ends nothing while more comes', async () => {
    const chunks = events(delta({ content: 'a' }, 'stop'), delta({ content: 'b' }, 'stop'));
    const { message } = await run(chunks, { endWith: 'open' });
    expect(message).toMatchObject({
      stopReason: 'error',
      errorCode: 'model.idle',
      content: [{ text: 'ab' }],
    });
    expect((await run(chunks)).message.stopReason).toBe('stop');
  });

  it('signs of life after the finish reason do not hold the answer back', async () => {
    let timer: ReturnType<typeof setInterval> | undefined;
    const text = (line: string) => new TextEncoder().encode(line);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(text(events(delta({ content: 'a' }, 'stop')).join('')));
        timer = setInterval(() => controller.enqueue(text(': ping\n\n')), 100);
      },
      cancel: () => clearInterval(timer),
    });
    const options = { fetch: () => Promise.resolve(new Response(body)), idleTimeoutMs: 60_000 };
    const context = normalizeContext({ messages: [userMessage] });
    expect((await openaiChat(testModel, context, options).result()).stopReason).toBe('stop');
  });

  it.each([
    ['a text', 'event: error\ndata: overloaded\n\n', 'overloaded'],
    ['an object without choices', 'data: {"code":"Busy","message":"No slot"}\n\n', 'No slot (Busy)'],
    ['a detail', 'data: {"detail":"Model is loading"}\n\n', 'Model is loading'],
    ['an error with a number', 'data: {"error":{"code":429,"message":"Slow"}}\n\n', 'Slow (429)'],
  ])('an error that is %s is told', async (_what, text, told) => {
    const { message } = await run([...events(delta({ content: 'a' })), text]);
    expect(message).toMatchObject({ errorCode: 'model.inStream', content: [{ text: 'a' }] });
    expect(message.errorMessage).toContain(told);
  });
});

describe('connections', () => {
  afterEach(() => vi.restoreAllMocks());

  it.each(['-5', 'later 5', '5 minutes', new Date(0).toUTCString(), '2000-01-01T00:00:00Z'])(
    'a Retry-After of %j says nothing, and the own wait is taken',
    async (asked) => {
      const attempts: HttpAttempt[] = [];
      const options = { onHttp: (attempt: HttpAttempt) => attempts.push(attempt), maxRetries: 1 };
      const good = stream(events(delta({ content: 'x' }, 'stop')));
      const busy = { ...good, status: 429, chunks: ['{}'], headers: { 'retry-after': asked } };
      await run([], { responses: [busy, good] }, options);
      expect(attempts[0]?.waitMs).toBeGreaterThan(300);
    },
  );

  it.each([
    ['Rate limit reached. Add a payment method at https://x.test/account/billing', 'model.rateLimited'],
    ['Quota exceeded for this month', 'model.quota'],
    ['You are out of credits', 'model.quota'],
    ['Your credit balance is too low', 'model.quota'],
  ])('429 with "%s" is %s', async (text, code) => {
    const body = JSON.stringify({ error: { message: text, code: 429 } });
    const { message } = await run([body], { status: 429 }, { maxRetries: 0 });
    expect(message.errorCode).toBe(code);
    expect(message.errorMessage?.match(/429/g)).toHaveLength(1);
  });

  it.each([
    ['https://api.anthropic.com/v1', 'true'],
    ['http://models.test/v1', null],
    ['https://anthropic.com.models.test/v1', null],
  ])('%s is told that a browser asks: %s', async (baseUrl, told) => {
    const sent: (string | null)[] = [];
    const name = 'anthropic-dangerous-direct-browser-access';
    const fetch = (_url: unknown, init?: RequestInit): Promise<Response> => {
      sent.push(new Headers(init?.headers).get(name));
      return Promise.resolve(Response.json({ data: [] }));
    };
    const context = normalizeContext({ messages: [userMessage] });
    await listModels(baseUrl, { fetch });
    await openaiChat({ ...testModel, baseUrl }, context, { fetch }).result();
    expect(sent).toEqual([told, told]);
  });

  it('a failure that may be CORS says what to set', async () => {
    const fetch = (): Promise<Response> => Promise.reject(new TypeError('Failed to fetch'));
    const { message } = await run([], {}, { fetch, maxRetries: 0 });
    expect(message.errorCode).toBe('model.connection');
    expect(message.errorMessage).toMatch(/CORS.*OLLAMA_ORIGINS/);
  });

  it('a fetch that never settles leaves no timer behind after an abort', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const fetch = (): Promise<Response> => new Promise(() => undefined);
    const controller = new AbortController();
    const context = normalizeContext({ messages: [userMessage] });
    const asked = new Promise((resolve) => {
      const answer = openaiChat(testModel, context, {
        signal: controller.signal,
        fetch: () => {
          resolve(answer);
          return fetch();
        },
      });
    });
    await asked;
    controller.abort();
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0));
    vi.useRealTimers();
  });
});
