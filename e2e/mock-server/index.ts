/** A model server for tests: Chat Completions and Responses over SSE with CORS, scripted answers, recorded bytes and failures. */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chunksOf, eventsOf, mockModels, type MockTurn } from './answers';

export type { MockTurn } from './answers';

export interface MockRequest {
  method: string;
  path: string;
  /** The key that came, without `Bearer`. */
  apiKey: string | undefined;
  headers: IncomingMessage['headers'];
  /** The JSON body; nothing when there was none. */
  body: Record<string, unknown> | undefined;
}

export interface MockServer {
  /** `http://127.0.0.1:port`. Base URLs of models: `${url}/v1`, and `${url}/<behaviour>/v1`. */
  url: string;
  /** All requests but preflights, in order. */
  requests: MockRequest[];
  close(): Promise<void>;
}

/** What stands before `/v1` in the path, and how the server then behaves. */
export type Behaviour =
  /** 401, with the key in the error's text, as some servers do. */
  | 'unauthorized'
  /** 429 with Retry-After 1 for every first request of two. */
  | 'rate-limited'
  /** The same with Retry-After 3: long enough to watch. */
  | 'limited-3'
  /** 429 with Retry-After 30, always. */
  | 'busy'
  /** Answers, but without any CORS header. */
  | 'no-cors'
  /** An HTML page with status 200. */
  | 'html'
  /** An HTML page with status 502. */
  | 'bad-gateway'
  /** Never answers. */
  | 'hang'
  /** Breaks the connection in the middle of the answer. */
  | 'reset';

interface RecordedResponse {
  status: number;
  headers: Record<string, string>;
  chunks?: string[];
  chunksBase64?: string[];
  endWith?: 'close' | 'error' | 'open';
}

const fixtures = join(import.meta.dirname, '../../src/models/cases/sse');
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  // A strict list: a header that the page has no need of fails the preflight.
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-allow-private-network': 'true',
  'access-control-expose-headers': 'retry-after',
};

/** Starts a server on a free port, or on the one given. `models` adds scripted models by id. */
export async function startMockServer(
  options: { port?: number; models?: Record<string, MockTurn[]> } = {},
): Promise<MockServer> {
  const mock = new Mock({ ...mockModels, ...options.models });
  const server = createServer((request, response) => {
    mock.answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: mock.requests,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

class Mock {
  readonly requests: MockRequest[] = [];
  readonly #replays = new Map<string, number>();
  #limited = 0;

  constructor(private readonly models: Record<string, MockTurn[]>) {}

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://mock').pathname;
    const [, behaviour = '', endpoint = ''] = /^(?:\/([\w-]+))?\/v1(\/.*)$/.exec(path) ?? [];
    if (behaviour !== 'no-cors')
      for (const [name, value] of Object.entries(CORS)) response.setHeader(name, value);
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
    const body = await bodyOf(request);
    const apiKey = request.headers.authorization?.replace(/^Bearer /, '');
    this.requests.push({ method: request.method ?? '', path, apiKey, headers: request.headers, body });
    if (this.#fails(behaviour as Behaviour, response, apiKey)) return;
    if (request.method === 'GET' && endpoint === '/models') this.#list(response);
    else if (request.method === 'POST' && endpoint === '/chat/completions') {
      await this.#complete(body ?? {}, response, behaviour === 'reset');
    } else if (request.method === 'POST' && endpoint === '/responses') {
      await this.#respond(body ?? {}, response);
    } else json(response, 404, { error: { message: `Unknown path ${path}` } });
  }

  /** Whether the behaviour is a failure; it is answered then. */
  #fails(behaviour: Behaviour, response: ServerResponse, apiKey = ''): boolean {
    switch (behaviour) {
      case 'unauthorized':
        json(response, 401, {
          error: { message: `Incorrect API key provided: ${apiKey}`, code: 'invalid_api_key' },
        });
        return true;
      case 'rate-limited':
      case 'limited-3':
        if (this.#limited++ % 2 === 1) return false;
        tooManyRequests(response, behaviour === 'limited-3' ? 3 : 1);
        return true;
      case 'busy':
        tooManyRequests(response, 30);
        return true;
      case 'html':
      case 'bad-gateway':
        html(response, behaviour === 'html' ? 200 : 502);
        return true;
      case 'hang':
        return true;
      default:
        return false;
    }
  }

  #list(response: ServerResponse): void {
    const data = Object.keys(this.models).map((id) => ({ id, object: 'model', owned_by: 'mock' }));
    json(response, 200, { object: 'list', data });
  }

  async #complete(body: Record<string, unknown>, response: ServerResponse, reset: boolean): Promise<void> {
    const model = String(body.model);
    if (model.startsWith('replay:')) return this.#replay(model.slice('replay:'.length), response);
    const messages = Array.isArray(body.messages) ? (body.messages as { role?: string }[]) : [];
    const turn = this.#turn(model, messages.filter(({ role }) => role === 'assistant').length, response);
    if (!turn) return;
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    let sent = 0;
    for (const chunk of chunksOf(turn, model, body.stream_options !== undefined)) {
      if (response.destroyed) return;
      if (reset && ++sent > 3) return void response.destroy();
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
      await sleep(turn.gapMs ?? 1);
    }
    response.end('data: [DONE]\n\n');
  }

  async #respond(body: Record<string, unknown>, response: ServerResponse): Promise<void> {
    const model = String(body.model);
    const items = Array.isArray(body.input) ? (body.input as { role?: string; type?: string }[]) : [];
    const isAnswer = (item?: (typeof items)[number]) =>
      item?.role === 'assistant' || item?.type === 'function_call' || item?.type === 'reasoning';
    const answered = items.filter((item, index) => isAnswer(item) && !isAnswer(items[index - 1])).length;
    const turn = this.#turn(model, answered, response);
    if (!turn) return;
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    for (const event of eventsOf(turn, model)) {
      if (response.destroyed) return;
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      await sleep(turn.gapMs ?? 1);
    }
    response.end();
  }

  /** What comes next; nothing for a model that is not there, which is answered then. */
  #turn(model: string, answered: number, response: ServerResponse): MockTurn | undefined {
    const turns = this.models[model];
    if (turns) return turns[answered % turns.length] ?? {};
    json(response, 404, { error: { message: `The model ${model} does not exist`, code: 'model_not_found' } });
    return undefined;
  }

  async #replay(name: string, response: ServerResponse): Promise<void> {
    const recorded = JSON.parse(readFileSync(join(fixtures, `${name}.json`), 'utf8')) as RecordedResponse & {
      responses?: RecordedResponse[];
    };
    const count = this.#replays.get(name) ?? 0;
    this.#replays.set(name, count + 1);
    const answers = recorded.responses ?? [recorded];
    const answer = answers[Math.min(count, answers.length - 1)] ?? recorded;
    response.writeHead(answer.status, answer.headers);
    const encoding = answer.chunksBase64 ? 'base64' : 'utf8';
    for (const chunk of answer.chunksBase64 ?? answer.chunks ?? []) {
      response.write(Buffer.from(chunk, encoding));
      await sleep(1);
    }
    if (answer.endWith === 'error') response.destroy();
    else if (answer.endWith !== 'open') response.end();
  }
}

function tooManyRequests(response: ServerResponse, seconds: number): void {
  response.setHeader('retry-after', String(seconds));
  json(response, 429, { error: { message: 'Too many requests', code: 'rate_limit_exceeded' } });
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function html(response: ServerResponse, status: number): void {
  const page = '<!doctype html><html><head><title>Not a model server</title></head><body></body></html>';
  response.writeHead(status, { 'content-type': 'text/html' }).end(page);
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown> | undefined> {
  let text = '';
  request.setEncoding('utf8');
  for await (const part of request) text += part as string;
  return text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>);
}
