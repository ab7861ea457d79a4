import { describe, expect, it } from 'vitest';
import { checkedEndpoint } from '../../worker/plan';
import { addressProblem, isKey, readAddress } from './origin';

const codeOf = (address: string) => addressProblem(address)?.code;

it.each([
  ['https://api.example/v1', undefined],
  [' http://localhost:11434/v1/ ', undefined],
  ['https://api.example/v1/?api-version=2025-01-01', undefined],
  ['example', 'endpoint.badAddress'],
  ['ftp://api.example', 'endpoint.badAddress'],
  ['http://user:PW@api.example/v1', 'endpoint.credentials'],
  ['http://user@api.example/v1', 'endpoint.credentials'],
  ['https://api.example/v1?api_key=K', 'endpoint.credentials'],
  ['https://api.example/v1?version=1&code=K', 'endpoint.credentials'],
  ['https://api.example/v1?api-version=sk%20K', 'endpoint.credentials'],
  ['https://api.example/v1#K', 'endpoint.credentials'],
])('of the address %s the page says what the worker would say: %s', (address, code) => {
  expect(codeOf(address)).toBe(code);
  const asked = () => checkedEndpoint({ baseUrl: address, model: 'm', api: 'openai-chat' });
  if (code === undefined) expect(asked).not.toThrow();
  else
    expect(asked).toThrow(expect.objectContaining({ problem: expect.objectContaining({ code }) as unknown }));
});

describe('an address as people paste it', () => {
  it.each([
    ['localhost:4950/v1', 'http://localhost:4950/v1'],
    ['192.168.1.5:8000/v1/', 'http://192.168.1.5:8000/v1'],
    ['[::1]:8080/v1', 'http://[::1]:8080/v1'],
    ['my-pc.local:1234/v1', 'http://my-pc.local:1234/v1'],
    ['api.example.com/v1', 'https://api.example.com/v1'],
    ['https://api.example.com/v1/chat/completions', 'https://api.example.com/v1'],
    ['http://localhost:1/v1/models/', 'http://localhost:1/v1'],
    [
      'https://a.openai.azure.com/openai/v1/chat/completions?api-version=preview',
      'https://a.openai.azure.com/openai/v1?api-version=preview',
    ],
    [' https://api.example.com/v1// ', 'https://api.example.com/v1'],
    ['https://api.example.com', 'https://api.example.com'],
    ['https://api.example.com/responses-proxy', 'https://api.example.com/responses-proxy'],
    ['example', 'example'],
    ['user:PW@host.example/v1', 'user:PW@host.example/v1'],
  ])('%s is read as %s', (typed, baseUrl) => {
    expect(readAddress(typed).baseUrl).toBe(baseUrl);
    expect(readAddress(baseUrl)).toEqual({ baseUrl });
  });

  it('says which API a pasted request belongs to', () => {
    expect(readAddress('http://localhost:1/v1/responses')).toEqual({
      baseUrl: 'http://localhost:1/v1',
      suffix: '/responses',
    });
    expect(readAddress('http://localhost:1/v1/chat/completions').suffix).toBe('/chat/completions');
  });
});

it.each(['sk-abc_123', 'a+b/c=='])('%s can be a key', (key) => expect(isKey(key)).toBe(true));
it.each(['', 'two words', 'schlüssel', 'sk-…', 'a\nb', 'a\u200bb'])('%j can be no key', (key) =>
  expect(isKey(key)).toBe(false),
);
