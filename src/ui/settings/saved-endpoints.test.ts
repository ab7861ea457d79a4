import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { choiceOf, choiceOfSession, endpointDraft } from './endpoint-draft';
import type { EndpointChoice } from './endpoint-draft';
import { forgetEndpoint, rememberEndpoint, savedDraft, saveDraft, savedEndpoints } from './saved-endpoints';

function fakeStorage(): Storage {
  const values = new Map<string, string>();
  return {
    getItem: (name: string) => values.get(name) ?? null,
    setItem: (name: string, value: string) => void values.set(name, value),
    removeItem: (name: string) => void values.delete(name),
  } as Storage;
}

beforeEach(() => {
  vi.stubGlobal('localStorage', fakeStorage());
  vi.stubGlobal('sessionStorage', fakeStorage());
});
afterEach(() => vi.unstubAllGlobals());

const choice = (model: string, options: EndpointChoice['options'] = {}): EndpointChoice => ({
  endpoint: { baseUrl: 'https://api.example/v1', model, api: 'openai-chat' },
  thinkingLevel: 'off',
  options,
});
const models = () => savedEndpoints().map(({ endpoint }) => endpoint.model);

describe('endpoints that were used', () => {
  it('are remembered, the last used first, each once and not all of them', () => {
    for (const model of ['a', 'b', 'a', 'c', 'd', 'e', 'f', 'g']) rememberEndpoint(choice(model));
    expect(models()).toEqual(['g', 'f', 'e', 'd', 'c', 'a']);
    forgetEndpoint(choice('e'));
    expect(models()).toEqual(['g', 'f', 'd', 'c', 'a']);
  });

  it('are remembered with their options, but for what looks like a secret', () => {
    const extraBody = { top_p: 0.9, user_token: 'SECRET', nested: { api_key: 'SECRET' } };
    rememberEndpoint(choice('a', { temperature: 0.5, extraBody }));
    expect(savedEndpoints()).toEqual([choice('a', { temperature: 0.5, extraBody: { top_p: 0.9 } })]);
  });

  it.each([
    '{',
    '{"endpoint": {}}',
    '[{"endpoint": {"baseUrl": "http://u:PASSWORD@host.test/v1", "model": "m", "api": "openai-chat"}}]',
  ])('that are stored as %s count as none', (stored) => {
    localStorage.setItem('epicycle.endpoints', stored);
    expect(savedEndpoints()).toEqual([]);
  });
});

describe('what was typed and not used', () => {
  const draft = { ...endpointDraft(choice('a')), systemPrompt: 'Be kind.' };

  it('is there again', () => {
    expect(savedDraft()).toBeUndefined();
    saveDraft(draft);
    expect(savedDraft()).toEqual(draft);
    saveDraft(undefined);
    expect(savedDraft()).toBeUndefined();
  });

  it.each(['{"api_key": "SECRET"}', '{"api_key": "SECRET'])(
    'comes without extra fields like %s',
    (extraBody) => {
      saveDraft({ ...draft, options: { ...draft.options, extraBody } });
      expect(savedDraft()).toEqual(draft);
    },
  );

  it('comes without an address that may carry a secret', () => {
    saveDraft({ ...draft, baseUrl: 'https://api.example/v1?key=SECRET' });
    expect(savedDraft()).toEqual({ ...draft, baseUrl: '' });
  });
});

describe('an endpoint as it is typed', () => {
  it('has prices once one of them is typed', () => {
    const prices = { input: '', output: '1,5', cacheRead: '0', cacheWrite: '' };
    const typed = {
      ...endpointDraft(),
      baseUrl: ' https://api.example/v1/ ',
      model: ' a ',
      images: false,
      prices,
    };
    expect(choiceOf(typed)).toEqual({
      endpoint: {
        ...choice('a').endpoint,
        prices: { input: 0, output: 1.5, cacheRead: 0 },
        images: false,
      },
      thinkingLevel: 'off',
      options: {},
    });
  });

  it('comes out as it went in', () => {
    const used: EndpointChoice = {
      endpoint: {
        baseUrl: 'https://api.example/v1',
        model: 'a',
        api: 'openai-responses',
        prices: { input: 2.5, output: 10, cacheRead: 0.25, cacheWrite: 0 },
        images: false,
      },
      thinkingLevel: 'high',
      options: { maxTokens: 9, tellFailures: true },
    };
    expect(choiceOf(endpointDraft(used))).toEqual(used);
    const { api, baseUrl, model: id, prices, images } = used.endpoint;
    const config = {
      model: { api, baseUrl, id, provider: 'custom' },
      options: used.options,
      images: images ?? true,
    };
    expect(choiceOfSession({ ...config, ...(prices ? { prices } : {}), thinkingLevel: 'high' })).toEqual(
      used,
    );
  });

  it('is none in a session whose model needs no network', () => {
    const model = { api: 'scripted', provider: 'epicycle', id: 'scripted', baseUrl: '' };
    expect(choiceOfSession({ model })).toBeUndefined();
  });
});
