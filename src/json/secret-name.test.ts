import { expect, it } from 'vitest';
import { looksLikeSecret, secretNames } from './secret-name';

it.each([
  'api_key',
  'apiKey',
  'key',
  'accessToken',
  'X-Auth-Token',
  'Authorization',
  'client.secret',
  'PASSWORD',
])('%s looks like the name of a secret', (name) => expect(looksLikeSecret(name)).toBe(true));

it.each([
  'max_tokens',
  'maxCompletionTokens',
  'top_k',
  'keep_alive',
  'author',
  'prompt_cache_key',
  'tokenizer',
  '',
])('%s does not look like the name of a secret', (name) => expect(looksLikeSecret(name)).toBe(false));

it('finds names of secrets at any depth, each once and the outer ones first', () => {
  const value = { a: [{ token: 1 }, { b: { token: 2, secret: null } }], apiKey: '', top_k: 3 };
  expect(secretNames(value)).toEqual(['apiKey', 'token', 'secret']);
});

it.each([undefined, null, 'api_key', 3, [['key']]])('finds none in %j', (value) =>
  expect(secretNames(value)).toEqual([]),
);
