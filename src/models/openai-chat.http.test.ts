import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startMockServer, type MockServer } from '../../e2e/mock-server';
import { normalizeContext } from '../loop';
import type { AssistantMessage, HttpAttempt, Message, StreamOptions } from '../loop';
import { userMessage } from './case-runner.testing';
import { listModels } from './list-models';
import { openaiChat } from './openai-chat';
import { endpointModel } from './presets';

let server: MockServer;
beforeAll(async () => {
  server = await startMockServer();
});
beforeEach(() => {
  server.requests.length = 0;
});
afterAll(() => server.close());

function ask(
  model: string,
  behaviour = '',
  options: StreamOptions = {},
  messages: Message[] = [userMessage],
) {
  const baseUrl = `${server.url}${behaviour && `/${behaviour}`}/v1`;
  return openaiChat(endpointModel({ baseUrl, model }), normalizeContext({ messages }), options).result();
}

describe('openaiChat over a real connection', () => {
  it('goes through a tool loop of two calls to a final text', async () => {
    const messages: Message[] = [userMessage];
    const answers: AssistantMessage[] = [];
    do {
      const answer = await ask('files', '', { apiKey: 'secret' }, messages);
      answers.push(answer);
      messages.push(answer);
      for (const block of answer.content) {
        if (block.type !== 'toolCall') continue;
        const content = [{ type: 'text' as const, text: 'ok' }];
        const result = { toolCallId: block.id, toolName: block.name, content, isError: false, timestamp: 1 };
        messages.push({ role: 'toolResult', ...result });
      }
    } while (answers.at(-1)?.stopReason === 'toolUse' && answers.length < 5);
    expect(answers.map(({ stopReason }) => stopReason)).toEqual(['toolUse', 'toolUse', 'stop']);
    expect(answers[0]?.content).toMatchObject([
      { type: 'text' },
      { name: 'write', arguments: { path: '/notes/hello.txt', content: 'Hello, file!\n' } },
    ]);
    expect(answers[0]?.usage).toMatchObject({ input: 100, cacheRead: 20, output: 20, totalTokens: 140 });
    expect(server.requests.map(({ apiKey }) => apiKey)).toEqual(['secret', 'secret', 'secret']);
  });

  it('sends no header that a strict preflight refuses, and no key when there is none', async () => {
    await ask('hello');
    const headers = Object.keys(server.requests[0]?.headers ?? {});
    expect(headers.filter((name) => name.startsWith('x-'))).toEqual([]);
    expect(headers).not.toContain('authorization');
  });

  it('waits as long as a 429 asks, and reports both attempts', async () => {
    const attempts: HttpAttempt[] = [];
    const started = performance.now();
    const message = await ask('hello', 'rate-limited', { onHttp: (attempt) => attempts.push(attempt) });
    expect(message.stopReason).toBe('stop');
    expect(performance.now() - started).toBeGreaterThan(990);
    expect(attempts).toMatchObject([
      { attempt: 1, status: 429, waitMs: 1000 },
      { attempt: 2, status: 200 },
    ]);
    expect(attempts[1]).not.toHaveProperty('waitMs');
  });

  it('aborts in the wait for a retry', async () => {
    const controller = new AbortController();
    const started = performance.now();
    const onHttp = (): void => queueMicrotask(() => controller.abort());
    const message = await ask('hello', 'busy', { signal: controller.signal, onHttp });
    expect(message).toMatchObject({ stopReason: 'aborted', errorCode: 'model.aborted' });
    expect(performance.now() - started).toBeLessThan(1000);
    expect(server.requests).toHaveLength(1);
  });

  it('sends nothing when the signal is aborted already', async () => {
    const message = await ask('hello', '', { signal: AbortSignal.abort() });
    expect(message.stopReason).toBe('aborted');
    expect(server.requests).toEqual([]);
  });

  it.each([
    ['unauthorized', 'k-123', { errorCode: 'model.unauthorized', errorParams: { status: 401 } }],
    ['unauthorized', undefined, { errorCode: 'model.missingKey' }],
    ['html', undefined, { errorCode: 'model.notAModelServer' }],
    ['bad-gateway', undefined, { errorCode: 'model.server', errorParams: { status: 502 } }],
    ['hang', undefined, { errorCode: 'model.idle' }],
    ['reset', undefined, { errorCode: 'model.cut' }],
  ])('says what is wrong with a server that is %s (key: %s)', async (behaviour, apiKey, wanted) => {
    // A busy machine must not be taken for a silent server.
    const idleTimeoutMs = behaviour === 'hang' ? 300 : 20_000;
    const options = { maxRetries: 0, idleTimeoutMs, ...(apiKey ? { apiKey } : {}) };
    const message = await ask('hello', behaviour, options);
    expect(message).toMatchObject({ stopReason: 'error', ...wanted });
    expect(message.errorMessage).toMatch(/\w/);
  });

  it('keeps what arrived before the connection broke', async () => {
    expect((await ask('hello', 'reset')).content).toMatchObject([{ type: 'text', text: 'Hello from ' }]);
  });

  it('says when the model does not exist', async () => {
    expect(await ask('no-such-model')).toMatchObject({
      errorCode: 'model.notFound',
      errorParams: { status: 404 },
    });
  });

  it('says when nothing listens at the address', async () => {
    const dead = await startMockServer();
    await dead.close();
    const model = endpointModel({ baseUrl: `${dead.url}/v1`, model: 'm' });
    const context = normalizeContext({ messages: [userMessage] });
    const message = await openaiChat(model, context, { maxRetries: 0 }).result();
    expect(message).toMatchObject({
      errorCode: 'model.connection',
      errorParams: { baseUrl: `${dead.url}/v1` },
    });
  });

  it('gives the same message for recorded bytes as any other transport', async () => {
    const message = await ask('replay:chat-interleaved-indexes');
    expect(message.content).toMatchObject([
      { id: 'call_p0', arguments: { q: 'a' } },
      { id: 'call_p1', arguments: { q: 'b' } },
    ]);
  });
});

describe('listing models', () => {
  it('gives the ids of the endpoint, sorted', async () => {
    const ids = await listModels(`${server.url}/v1/`, { apiKey: 'secret' });
    expect(ids).toContain('files');
    expect(ids).toEqual([...ids].sort());
    expect(server.requests[0]).toMatchObject({ apiKey: 'secret', path: '/v1/models' });
  });

  it.each([
    ['unauthorized', 'model.missingKey'],
    ['html', 'model.notAModelServer'],
    ['hang', 'model.idle'],
  ])('says what is wrong with an endpoint that is %s', async (behaviour, code) => {
    await expect(listModels(`${server.url}/${behaviour}/v1`, { timeoutMs: 200 })).rejects.toMatchObject({
      code,
    });
  });

  it('refuses what is no address', async () => {
    await expect(listModels('localhost:11434/v1')).rejects.toMatchObject({ code: 'model.badBaseUrl' });
  });
});
