import type OpenAI from 'openai';
import type { Model, StreamOptions } from '../loop';
import { connectionError } from './connection';
import { abortedError, asModelError, ModelError } from './errors';
import { httpError } from './http-error';
import { withRetries } from './retry';
import type { Watch } from './watch';

const MAX_ERROR_BODY = 65_536;
// The client's own limit is off: `Watch` ends a request that hangs, and says so.
const NO_TIMEOUT_MS = 2 ** 31 - 1;
// Not safe for CORS, and of no use to a server: a strict one refuses the preflight for them.
const UNWANTED_HEADER = /^(?:x-stainless-.*|user-agent)$/i;

let client: Promise<typeof import('openai')> | undefined;

/** The client is loaded when it is first used; a load that failed is tried again. */
function loadClient(): Promise<typeof import('openai')> {
  client ??= import('openai').catch((error: unknown) => {
    client = undefined;
    throw new ModelError('model.unexpected', `The model client could not be loaded: ${String(error)}`, {
      detail: String(error),
    });
  });
  return client;
}
// Outside a browser there is no first load to keep small, and no abort should fall into the wait for it.
if (!('location' in globalThis)) loadClient().catch(() => undefined);

/** Sends one request of the official client, with our retries, and gives its response with the body unread. */
export async function openResponse(
  model: Model,
  options: StreamOptions,
  watch: Watch,
  send: (client: OpenAI, signal: AbortSignal) => Promise<Response>,
): Promise<Response> {
  const baseUrl = checkedBaseUrl(model.baseUrl);
  const apiKey = checkedKey(options.apiKey);
  const { default: Client } = await watch.own(loadClient());
  const request = new RequestFetch(model, baseUrl, apiKey, options, watch);
  const client = new Client({
    apiKey: apiKey ?? 'none',
    defaultHeaders: { ...browserHeaders(baseUrl), ...(apiKey ? {} : { Authorization: null }) },
    adminAPIKey: null,
    organization: null,
    project: null,
    baseURL: baseUrl.split('?')[0],
    defaultQuery: Object.fromEntries(new URL(baseUrl).searchParams),
    fetch: request.fetch,
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    dangerouslyAllowBrowser: true,
    logLevel: 'off',
  });
  return withRetries(() => request.attempt(() => send(client, watch.signal)), watch, options);
}

/** Headers for a request of our own to the same endpoint. */
export function endpointHeaders(baseUrl: string, apiKey: string | undefined): Record<string, string> {
  const key = checkedKey(apiKey);
  return { ...browserHeaders(baseUrl), ...(key ? { Authorization: `Bearer ${key}` } : {}) };
}

/** What a host wants to be told before a page in a browser may read its answers. */
function browserHeaders(baseUrl: string): Record<string, string> {
  const isAsked = /(?:^|\.)anthropic\.com$/.test(new URL(baseUrl).hostname);
  return isAsked ? { 'anthropic-dangerous-direct-browser-access': 'true' } : {};
}

/** The base URL without a trailing slash; throws when it is none. */
export function checkedBaseUrl(baseUrl: string | undefined): string {
  const text = (baseUrl ?? '').trim().replace(/\/+(?=\?|$)/, '');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new ModelError('model.badBaseUrl', `"${text}" is no http or https address`, { baseUrl: text });
  }
  return text;
}

function checkedKey(apiKey: string | undefined): string | undefined {
  const key = apiKey?.trim();
  if (!key) return undefined;
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new ModelError(
    'model.badKey',
    'The API key holds a character that no key has: it may have been cut or pasted wrongly',
  );
}

/** The fetch under the client. It keeps the real reason of a failure, which the client replaces by its own error. */
class RequestFetch {
  #failure: ModelError | undefined;

  constructor(
    private readonly model: Model,
    private readonly baseUrl: string,
    private readonly apiKey: string | undefined,
    private readonly options: StreamOptions,
    private readonly watch: Watch,
  ) {}

  async attempt(send: () => Promise<Response>): Promise<Response> {
    this.#failure = undefined;
    try {
      return await this.watch.race(send());
    } catch (error) {
      throw this.#failure ?? asModelError(error);
    }
  }

  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const response = await this.#send(input, init);
    if (response.ok) return response;
    const body = await startOf(response);
    const { model, baseUrl } = this;
    this.#failure = httpError(response.status, response.headers, body, {
      model: model.id,
      baseUrl,
      hasKey: this.apiKey !== undefined,
    });
    throw this.#failure;
  };

  async #send(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    for (const name of [...headers.keys()]) if (UNWANTED_HEADER.test(name)) headers.delete(name);
    const ownFetch = this.options.fetch;
    try {
      return await abortable((ownFetch ?? fetch)(input, { ...init, headers }), this.watch.signal);
    } catch (error) {
      // After an abort or a timeout the watch has told the reason already.
      if (this.watch.signal.aborted) throw error;
      this.#failure = await connectionError(error, this.baseUrl, this.watch, ownFetch === undefined);
      throw this.#failure;
    }
  }
}

/** The promise, or a rejection when the signal aborts: not each fetch listens, and the client waits for this one. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(abortedError());
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** The start of an error body as text; what was read when it breaks off. */
export async function startOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || text.length > MAX_ERROR_BODY) break;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // The status alone says what went wrong; the body was only to say it better.
    return text;
  }
  reader.cancel().catch(() => undefined);
  return text;
}
