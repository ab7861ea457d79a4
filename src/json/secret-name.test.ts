import { expect, it } from 'vitest';
import { secretNames } from './secret-name';

it.each(['api_key', 'apiKey', 'key', 'accessToken', 'X-Auth-Token', 'client.secret', 'PASSWORD', 'session'])(
  'a text under the name %s may be a secret',
  (name) => expect(secretNames({ [name]: 'x' })).toEqual([name]),
);

it.each(['top_p', 'user', 'stop', 'model', ''])('a text under the name %j is none', (name) =>
  expect(secretNames({ [name]: 'x' })).toEqual([]),
);

it('numbers and switches are no secrets, whatever their names', () => {
  expect(secretNames({ max_tokens: 9, tokenize: true, key: null, token_ids: [1, [2]] })).toEqual([]);
  expect(secretNames({ tokens: [1, 'x'] })).toEqual(['tokens']);
});

it('finds names at any depth, each once and the outer ones first', () => {
  const value = { a: [{ token: 'x' }, { b: { token: 'y', secret: {} } }], apiKey: '', top_k: 3 };
  expect(secretNames(value)).toEqual(['apiKey', 'token', 'secret']);
});

it.each([undefined, null, 'api_key', 3, [['key']]])('finds none in %j', (value) =>
  expect(secretNames(value)).toEqual([]),
);
