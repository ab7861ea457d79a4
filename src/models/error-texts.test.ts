import { afterEach, describe, expect, it, vi } from 'vitest';
import { connectionError } from './connection';
import { ModelError } from './errors';
import { httpError } from './http-error';
import { listModels } from './list-models';
import { Watch } from './watch';

const request = { model: 'm', baseUrl: 'https://api.example/v1', hasKey: true };

afterEach(() => vi.unstubAllGlobals());

describe('what a sentence for people is made of', () => {
  it('takes one line of at most 160 characters from a long body, and leaves the message longer', () => {
    const body = JSON.stringify({ error: { message: 'The worker crashed\n'.repeat(60) } });
    const error = httpError(500, new Headers(), body, request);
    expect(String(error.params.detail)).toMatch(/^The worker crashed The .*…$/);
    expect(String(error.params.detail).length).toBeLessThanOrEqual(160);
    expect(error.message.length).toBeGreaterThan(400);
  });

  it('names the status where the server says nothing', () => {
    expect(httpError(404, new Headers(), '', request)).toMatchObject({
      code: 'model.notAModelServer',
      params: { detail: 'HTTP 404' },
    });
  });

  it('cuts a detail that is one long word, and never in the middle of a character', () => {
    const { params } = new ModelError('model.inStream', 'x', { detail: '😀'.repeat(300) });
    expect(String(params.detail)).toMatch(/^(?:😀)+.?…$/u);
  });
});

it('a model list that is not there is said as that, and not as an unknown model', async () => {
  const fetch = () => Promise.resolve(new Response('{"detail":"Not Found"}', { status: 404 }));
  await expect(listModels('https://api.example', { fetch })).rejects.toMatchObject({
    code: 'model.noModelList',
    params: { baseUrl: 'https://api.example' },
  });
});

it('a browser that is offline says so, whatever the address', async () => {
  vi.stubGlobal('navigator', { onLine: false });
  const watch = new Watch({});
  const error = await connectionError(new TypeError('Failed to fetch'), request.baseUrl, watch, true);
  watch.dispose();
  expect(error).toMatchObject({ code: 'model.offline', params: { baseUrl: request.baseUrl } });
});
