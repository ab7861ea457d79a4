import { describe, expect, it } from 'vitest';
import { endpointModel } from './presets';
import { testConnection } from './test-connection';

const baseUrl = 'http://model.test/v1';
const model = endpointModel({ baseUrl, model: 'm' });
const listed = (...ids: string[]) => Response.json({ data: ids.map((id) => ({ id })) });
const failed = (status: number, message: string) => Response.json({ error: { message } }, { status });
const page = () => new Response('<!doctype html><title>Hello</title>', { status: 200 });
const answered = () =>
  new Response(
    [{ delta: { content: 'OK' } }, { delta: {}, finish_reason: 'stop' }]
      .map((choice) => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`)
      .join(''),
    { headers: { 'content-type': 'text/event-stream' } },
  );

/** Tests against a server that answers the list and the request so, and tells what it was sent. */
async function tested(
  list: (url: string) => Response,
  answer: () => Response,
  apiKey?: string,
  asked: object = {},
) {
  const sent: { url: string; body: unknown; authorization: string | null }[] = [];
  const fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    const text = await request.text();
    const authorization = request.headers.get('authorization');
    sent.push({ url: request.url, body: text ? (JSON.parse(text) as unknown) : undefined, authorization });
    return text ? answer() : list(request.url);
  };
  const result = await testConnection(
    { ...model, ...asked },
    { fetch, ...asked, ...(apiKey ? { apiKey } : {}) },
  );
  return { ...result, sent, code: result.problem?.code };
}

describe('the test of an endpoint', () => {
  it('asks for the list and then the model for a few tokens, once each, with the key', async () => {
    const { sent, models, problem, durationMs } = await tested(() => listed('n', 'm'), answered, 'sk-key');
    expect(problem).toBeUndefined();
    expect(models).toEqual(['m', 'n']);
    expect(durationMs).toBeGreaterThanOrEqual(0);
    expect(sent).toMatchObject([
      { url: `${baseUrl}/models`, authorization: 'Bearer sk-key' },
      {
        url: `${baseUrl}/chat/completions`,
        authorization: 'Bearer sk-key',
        body: { model: 'm', max_tokens: 16 },
      },
    ]);
  });

  it('needs no list, and takes a model that answers though it is not listed', async () => {
    expect((await tested(() => failed(404, 'no list'), answered)).problem).toBeUndefined();
    expect((await tested(() => listed('other'), answered)).problem).toBeUndefined();
  });

  it('tells a key that is missing or wrong, without asking further', async () => {
    const without = await tested(() => failed(401, 'no key'), answered);
    expect([without.code, without.sent.length]).toEqual(['model.missingKey', 1]);
    expect((await tested(() => failed(403, 'bad key'), answered, 'sk-key')).code).toBe('model.unauthorized');
    // OpenRouter's list is open to all.
    expect(
      (
        await tested(
          () => listed('m'),
          () => failed(401, 'no key'),
        )
      ).code,
    ).toBe('model.missingKey');
  });

  it('tells a model that the server does not know, whatever status it gives', async () => {
    const missing = await tested(
      () => listed('n'),
      () => failed(404, 'model "m" not found'),
    );
    expect(missing).toMatchObject({ code: 'model.notFound', models: ['n'] });
    const odd = await tested(
      () => listed('n'),
      () => failed(400, 'bad request'),
    );
    expect(odd.problem).toEqual({
      code: 'model.notFound',
      params: { model: 'm', baseUrl, detail: 'bad request' },
    });
    expect(
      (
        await tested(
          () => listed('m'),
          () => failed(400, 'bad request'),
        )
      ).code,
    ).toBe('model.badRequest');
  });

  it('says what a server with a list says of the request, and blames no address that is right', async () => {
    const missing = () => failed(404, 'No fixture matched');
    const found = await tested(() => listed('m'), missing);
    expect(found.problem).toMatchObject({
      code: 'model.badRequest',
      params: { status: 404, detail: 'No fixture matched' },
    });
    expect((await tested(() => failed(404, 'no list'), missing)).problem).toMatchObject({
      code: 'model.notThere',
      params: { baseUrl, detail: 'No fixture matched' },
    });
  });

  it('tells a server that is no model server', async () => {
    expect((await tested(page, page)).code).toBe('model.notAModelServer');
    expect((await tested(page, () => new Response('Not found', { status: 404 }))).code).toBe(
      'model.notAModelServer',
    );
  });

  it('tells too many requests from an account without credit', async () => {
    expect(
      (
        await tested(
          () => listed('m'),
          () => failed(429, 'slow down'),
        )
      ).code,
    ).toBe('model.rateLimited');
    expect(
      (
        await tested(
          () => listed('m'),
          () => failed(429, 'insufficient_quota'),
        )
      ).code,
    ).toBe('model.quota');
  });

  it('asks as a run does: with its options and a tool, and leaves it to thinking how much it needs', async () => {
    const options = { temperature: 0.5, reasoning: 'high', extraBody: { top_p: 0.9 } };
    const { sent } = await tested(() => listed('m'), answered, undefined, options);
    expect(sent[1]?.body).toMatchObject({
      temperature: 0.5,
      reasoning_effort: 'high',
      top_p: 0.9,
      tools: [{ type: 'function' }],
    });
    expect(sent[1]?.body).not.toHaveProperty('max_tokens');
    const limited = await tested(() => listed('m'), answered, undefined, { ...options, maxTokens: 500 });
    expect(limited.sent[1]?.body).toMatchObject({ max_tokens: 500 });
  });

  it('needs no model to say that there is a server, or what is wrong with it', async () => {
    const without = { id: '' };
    const found = await tested(() => listed('n', 'm'), answered, undefined, without);
    expect(found).toMatchObject({ models: ['m', 'n'], sent: { length: 1 } });
    expect(found.problem).toBeUndefined();
    for (const [list, code] of [
      [() => failed(401, 'no key'), 'model.missingKey'],
      [page, 'model.notAModelServer'],
      [() => failed(404, 'no list'), 'model.noModelList'],
    ] as const)
      expect((await tested(list, answered, undefined, without)).code).toBe(code);
  });

  it('finds a server whose /v1 was left out, and says where it is', async () => {
    const below = (url: string) => (url === `${baseUrl}/models` ? listed('m') : page());
    const found = await tested(below, answered, undefined, { baseUrl: 'http://model.test' });
    expect(found).toMatchObject({ baseUrl, models: ['m'] });
    expect(found.problem).toBeUndefined();
    expect(found.sent.map(({ url }) => url)).toEqual([
      'http://model.test/models',
      `${baseUrl}/models`,
      `${baseUrl}/chat/completions`,
    ]);
    const nowhere = await tested(page, page, undefined, { baseUrl: 'http://model.test' });
    expect(nowhere.baseUrl).toBeUndefined();
    expect(nowhere.code).toBe('model.notAModelServer');
  });

  it('sends the query of a base URL with each request', async () => {
    const found = await tested(() => listed('m'), answered, undefined, {
      baseUrl: `${baseUrl}?api-version=2025-01-01`,
    });
    expect(found.sent.map(({ url }) => url)).toEqual([
      `${baseUrl}/models?api-version=2025-01-01`,
      `${baseUrl}/chat/completions?api-version=2025-01-01`,
    ]);
  });

  it('tells a server that cannot be reached', async () => {
    const refused = () => {
      throw new TypeError('fetch failed');
    };
    expect(await tested(refused, answered)).toMatchObject({ code: 'model.connection', sent: { length: 1 } });
  });

  it('tells a server that never answers', async () => {
    const fetch = () => new Promise<Response>(() => undefined);
    const { problem } = await testConnection(model, { fetch, timeoutMs: 5 });
    expect(problem?.code).toBe('model.idle');
  });
});
