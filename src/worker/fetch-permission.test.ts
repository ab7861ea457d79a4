import { describe, expect, test } from 'vitest';
import { fetchSubject, withoutSecrets } from './fetch-permission';

const samples = 'https://page.example/samples/';

describe('the question before a fetch', () => {
  test('says what would be sent where, as it would be sent', () => {
    expect(
      fetchSubject(
        { url: 'https://api.example/v1#top', method: 'post', body: { a: 1 }, headers: {} },
        samples,
      ),
    ).toEqual({
      toolName: 'fetch',
      args: {
        url: 'https://api.example/v1',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"a":1}',
      },
      fetch: { origin: 'https://api.example', kind: 'send' },
    });
  });

  test('hides the values of headers that look secret', () => {
    const headers = { Authorization: 'Bearer abc', 'X-Api-Key': 'abc', accept: 'text/plain' };
    expect(fetchSubject({ url: 'https://api.example/', headers })?.args).toMatchObject({
      headers: { Authorization: '[hidden]', 'X-Api-Key': '[hidden]', accept: 'text/plain' },
    });
    expect(JSON.stringify(withoutSecrets({ headers: '{"authorization":"Bearer abc"}' }))).not.toContain(
      'abc',
    );
  });

  test('is not asked about samples, nor about what the tool refuses anyway', () => {
    expect(fetchSubject({ url: 'samples/orders.csv' }, samples)).toBeUndefined();
    expect(fetchSubject({ url: 'javascript:alert(1)' }, samples)).toBeUndefined();
    expect(fetchSubject({ url: 'samples/orders.csv', method: 'POST' }, samples)?.fetch?.kind).toBe('send');
  });
});
