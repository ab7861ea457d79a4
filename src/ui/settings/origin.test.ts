import { expect, it } from 'vitest';
import { checkedEndpoint } from '../../worker/plan';
import { addressProblem, isKey } from './origin';

const codeOf = (address: string) => addressProblem(address)?.code;

it.each([
  ['https://api.example/v1', undefined],
  [' http://localhost:11434/v1/ ', undefined],
  ['example', 'endpoint.badAddress'],
  ['ftp://api.example', 'endpoint.badAddress'],
  ['http://user:PW@api.example/v1', 'endpoint.credentials'],
  ['http://user@api.example/v1', 'endpoint.credentials'],
  ['https://api.example/v1?api_key=K', 'endpoint.credentials'],
  ['https://api.example/v1#K', 'endpoint.credentials'],
])('of the address %s the page says what the worker would say: %s', (address, code) => {
  expect(codeOf(address)).toBe(code);
  const asked = () => checkedEndpoint({ baseUrl: address, model: 'm', api: 'openai-chat' });
  if (code === undefined) expect(asked).not.toThrow();
  else
    expect(asked).toThrow(expect.objectContaining({ problem: expect.objectContaining({ code }) as unknown }));
});

it.each(['sk-abc_123', 'a+b/c=='])('%s can be a key', (key) => expect(isKey(key)).toBe(true));
it.each(['', 'two words', 'schlüssel', 'sk-…', 'a\nb', 'a\u200bb'])('%j can be no key', (key) =>
  expect(isKey(key)).toBe(false),
);
