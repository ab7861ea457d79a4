import { describe, expect, it } from 'vitest';
import { needsPermission, VirtualFileSystem } from './index';
import type { ToolOptions } from './index';
import { call, size, textOf } from './tools.testing';

interface Answer {
  body?: string | Uint8Array | ReadableStream<Uint8Array>;
  type?: string;
  status?: number;
  headers?: Record<string, string>;
}

/** A `fetch` that answers every request alike, and keeps what it was asked. */
function server({ body = '', type, status = 200, headers = {} }: Answer) {
  const requests: { url: string; init: RequestInit }[] = [];
  const fetch = (url: string, init: RequestInit) => {
    requests.push({ url, init });
    const content = body instanceof Uint8Array ? new Uint8Array(body) : body;
    const answer = new Response(content, {
      status,
      headers: { ...(type !== undefined && { 'content-type': type }), ...headers },
    });
    if (typeof body === 'string' && type === undefined) answer.headers.delete('content-type');
    return Promise.resolve(answer);
  };
  return { fetch: fetch as typeof globalThis.fetch, requests };
}

async function get(answer: Answer, args: object = {}, options: ToolOptions = {}) {
  const fs = new VirtualFileSystem();
  const { fetch, requests } = server(answer);
  const result = await call(fs, 'fetch', { url: 'https://h/x', ...args }, undefined, { fetch, ...options });
  return { fs, requests, text: textOf(result), details: result.details, isError: result.isError };
}

describe('a request', () => {
  it('sends no credentials and no referrer, and follows no redirect', async () => {
    const { requests } = await get({});
    expect(requests[0]).toMatchObject({
      url: 'https://h/x',
      init: { method: 'GET', credentials: 'omit', referrerPolicy: 'no-referrer', redirect: 'manual' },
    });
  });

  it('has a method, headers and a body', async () => {
    const { requests } = await get({}, { method: 'post', headers: '{"X-A": "1"}', body: { a: 1 } });
    expect(requests[0]?.init).toMatchObject({
      method: 'POST',
      headers: { 'X-A': '1', 'content-type': 'application/json' },
      body: '{"a":1}',
    });
  });

  it.each([
    [{ url: 'no url' }, '"no url" is no URL'],
    [{ url: 'file:///etc/passwd' }, 'Only http and https can be fetched, not file:'],
    [{ url: 'https://me:secret@h/' }, 'must not hold a user name or a password'],
    [{ method: 'TRACE' }, 'method must be one of GET,'],
    [{ body: 'x' }, 'A GET request has no body'],
    [{ headers: 'X: 1' }, 'headers must be an object'],
    [{ headers: { 'a b': '1' } }, 'a name or a value that no header can have'],
  ])('that makes no sense is refused: %j', async (args, message) => {
    await expect(get({}, args)).rejects.toThrow(message);
  });

  it('that fails names the likely causes, and is not tried again (F-05)', async () => {
    let tries = 0;
    const fetch = () => {
      tries++;
      return Promise.reject(new TypeError('Failed to fetch'));
    };
    const failing = get({}, {}, { fetch });
    await expect(failing).rejects.toThrow(
      /^https:\/\/h\/x could not be fetched: Failed to fetch\..*\(CORS\).*http:/,
    );
    expect(tries).toBe(1);
  });

  it('is aborted with the run', async () => {
    const controller = new AbortController();
    const fetch = (_url: unknown, init?: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
      });
    const running = call(new VirtualFileSystem(), 'fetch', { url: 'https://h' }, controller.signal, {
      fetch,
    });
    controller.abort();
    await expect(running).rejects.toThrow('Aborted.');
  });
});

describe('a redirect', () => {
  it('is refused, with its target where that is known', async () => {
    const redirect = { status: 302, headers: { location: 'https://other/' } };
    await expect(get(redirect)).rejects.toThrow(
      'https://h/x answers with a redirect to https://other/, which is not followed',
    );
    const opaque = () =>
      Promise.resolve(Object.defineProperty(new Response(), 'type', { value: 'opaqueredirect' }));
    await expect(get({}, {}, { fetch: opaque })).rejects.toThrow(
      'answers with a redirect, which is not followed',
    );
  });

  it('is followed where the person allows it', async () => {
    const permitRedirects = (origin: string) => origin === 'https://h';
    expect((await get({}, {}, { permitRedirects })).requests[0]?.init.redirect).toBe('follow');
    const { requests } = await get({}, { url: 'https://other/' }, { permitRedirects });
    expect(requests[0]?.init.redirect).toBe('manual');
  });
});

describe('text', () => {
  it('is shown as it is, below the status', async () => {
    expect(await get({ body: '{"a":1}', type: 'application/json' })).toMatchObject({
      text: '[200, application/json, 7 bytes]\n\n{"a":1}',
      details: {
        url: 'https://h/x',
        method: 'GET',
        status: 200,
        bytes: 7,
        contentType: 'application/json',
        truncated: false,
      },
    });
  });

  it('of an error is an error', async () => {
    const { text, isError } = await get({ body: 'gone', type: 'text/plain', status: 404 });
    expect(text).toBe('[404, text/plain, 4 bytes]\n\ngone');
    expect(isError).toBe(true);
  });

  it.each<[string, Answer]>([
    ['its header', { type: 'text/html; charset=iso-8859-1', body: new Uint8Array([0x63, 0x61, 0x66, 0xe9]) }],
    [
      'a quoted one',
      { type: 'text/plain;Charset="ISO-8859-1"', body: new Uint8Array([0x63, 0x61, 0x66, 0xe9]) },
    ],
    ['its <meta>', { type: 'text/html', body: new Uint8Array([...ascii('<meta charset=latin1>caf'), 0xe9]) }],
    [
      'its BOM',
      {
        type: 'text/plain; charset=latin1',
        body: new Uint8Array([0xff, 0xfe, ...[...'café'].flatMap((c) => [c.charCodeAt(0), 0])]),
      },
    ],
    ['nothing, so UTF-8', { type: 'text/plain', body: 'café' }],
    ['a charset that nobody knows, so UTF-8', { type: 'text/plain; charset=x-none', body: 'café' }],
  ])('has the charset of %s (F-01)', async (_name, answer) => {
    expect((await get(answer)).text).toMatch(/\n\ncafé$/);
  });

  it('over the limit is read no further, and its start is shown (F-07)', async () => {
    let pulled = 0;
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 65_536;
        if (pulled > 20e6) controller.close();
        else controller.enqueue(new TextEncoder().encode('0123456789abcde\n'.repeat(4096)));
      },
      cancel: () => {
        cancelled = true;
      },
    });
    const { text, details, fs } = await get({ body, type: 'text/plain' });
    expect(cancelled).toBe(true);
    expect(pulled).toBeLessThan(6e6);
    expect(size(text)).toBeLessThanOrEqual(51_200);
    expect(text).toMatch(/^\[200, text\/plain, 5MB read\]\n\n0123456789abcde\n/);
    expect(text).toMatch(
      /\[Showing lines 1-2000 of 327680. All of it is in downloads\/x.txt.\]\n\[The body is longer: only its first 5MB were read.\]$/,
    );
    expect(details).toMatchObject({ truncated: true, path: '/project/downloads/x.txt' });
    expect(fs.size('downloads/x.txt')).toBe(5 * 1024 * 1024);
  });

  it('is cut before a character (F-09, R-05)', async () => {
    for (const start of ['', 'a', 'ab']) {
      for (const type of ['text/plain', 'application/octet-stream']) {
        const { text, fs } = await get({ body: start + '北'.repeat(4e6), type });
        expect(size(text)).toBeLessThanOrEqual(51_200);
        const [, shown = ''] = text.split('\n\n');
        expect(/^(?:a|ab)?北+$/.test(shown)).toBe(true);
        expect(fs.readText('downloads/x.txt')).not.toContain('\ufffd');
      }
    }
    const { text } = await get({ body: '😀'.repeat(20_000), type: 'text/plain' });
    expect(/\p{Surrogate}|\ufffd/u.test(text)).toBe(false);
  });
});

describe('HTML', () => {
  it('is readable text with whole links, without scripts (F-11)', async () => {
    const body =
      "<script>x</script><style>y</style><h2>Head</h2><p>A <a href='/b'>b</a> &amp; <a href='#c'>c</a></p><ul><li>one<li>two</ul>";
    expect((await get({ body, type: 'text/html' })).text).toBe(
      `[200, text/html, ${body.length} bytes]\n\n## Head\n\nA [b](https://h/b) & c\n\n * one\n * two`,
    );
  });

  it('is what says so, and nothing else (F-03)', async () => {
    const { text, details, fs } = await get({ body: '<'.repeat(3e6), type: 'application/octet-stream' });
    expect(text).toContain('<<<<');
    expect(details).toMatchObject({ bytes: 3e6, truncated: true, path: '/project/downloads/x.txt' });
    expect(fs.size('downloads/x.txt')).toBe(3e6);
    expect((await get({ body: '<p>a</p>', type: 'text/plain' })).text).toContain('<p>a</p>');
    expect((await get({ body: '<'.repeat(3e6), type: 'text/html' })).text).toContain('<<<<');
    expect((await get({ body: '<p>a</p>', type: 'application/xhtml+xml' })).text).toMatch(/\n\na$/);
  });

  it('that nests deeply is cut, not too deep', async () => {
    const { text } = await get({ body: '<div>'.repeat(5000) + 'deep', type: 'text/html' });
    expect(text).toContain('[200, text/html');
  });
});

describe('what is no text', () => {
  it('is saved, each time under a name that is free', async () => {
    const fs = new VirtualFileSystem({ 'downloads/a.png': 'there' });
    const body = new Uint8Array([0x89, 0x50, 0, 1]);
    const { fetch } = server({ body, type: 'image/png' });
    const result = await call(fs, 'fetch', { url: 'https://h/../..%2fa.png?q=1' }, undefined, { fetch });
    expect(textOf(result)).toBe('[200, image/png, 4 bytes]\n\n[Binary: saved as downloads/_a.png.]');
    const again = await call(fs, 'fetch', { url: 'https://h/a.png' }, undefined, { fetch });
    expect(again.details).toMatchObject({ path: '/project/downloads/a-2.png' });
    expect(fs.readBytes('downloads/a-2.png')).toEqual(body);
    const nameless = await call(fs, 'fetch', { url: 'https://h/' }, undefined, { fetch });
    expect(nameless.details).toMatchObject({ path: '/project/downloads/download' });
  });

  it('is refused when it is too large', async () => {
    const answer = { body: new Uint8Array(10 * 1024 * 1024 + 1), type: 'application/zip' };
    await expect(get(answer)).rejects.toThrow(
      'https://h/x is a binary file of more than 10MB: it was not saved.',
    );
  });
});

describe('samples', () => {
  const samplesUrl = 'https://page/app/samples/';

  it('have relative URLs', async () => {
    const { requests } = await get({}, { url: 'samples/sales.csv' }, { samplesUrl });
    expect(requests[0]?.url).toBe('https://page/app/samples/sales.csv');
    await expect(get({}, { url: 'samples/sales.csv' })).rejects.toThrow('is no URL');
  });

  it.each([
    ['samples/sales.csv', undefined],
    ['https://page/app/samples/a/b', undefined],
    ['samples/../secret', { origin: 'https://page', kind: 'read' }],
    ['samples/%2e%2e/secret', { origin: 'https://page', kind: 'read' }],
    ['https://page/app/samplesx', { origin: 'https://page', kind: 'read' }],
    ['https://page.evil/app/samples/', { origin: 'https://page.evil', kind: 'read' }],
  ])('need no permission: %s', (url, permission) => {
    expect(needsPermission({ url }, samplesUrl)).toEqual(permission);
  });

  it('are read without permission, not written to', () => {
    const permission = { origin: 'https://page', kind: 'send' };
    expect(needsPermission({ url: 'samples/a', method: 'post' }, samplesUrl)).toEqual(permission);
    expect(needsPermission({ url: 'samples/a', method: 'DELETE' }, samplesUrl)).toEqual(permission);
  });
});

describe('permission', () => {
  it.each([
    [{ url: 'https://h/a' }, { origin: 'https://h', kind: 'read' }],
    [
      { uri: 'HTTP://H:8080/a', method: 'head' },
      { origin: 'http://h:8080', kind: 'read' },
    ],
    [
      { url: 'https://h/a', method: 'PUT' },
      { origin: 'https://h', kind: 'send' },
    ],
    [
      { url: 'https://h/a', method: 'OPTIONS', body: 'x' },
      { origin: 'https://h', kind: 'send' },
    ],
    [{ url: 'nonsense' }, undefined],
    [{ url: 'https://h', body: 'refused' }, undefined],
    ['no object', undefined],
  ])('for %j is %j', (args, permission) => {
    expect(needsPermission(args)).toEqual(permission);
  });
});

function ascii(text: string): number[] {
  return [...text].map((character) => character.charCodeAt(0));
}
