import { readdirSync, readFileSync } from 'node:fs';
import type { AssistantMessage, AssistantMessageEvent, Model, StreamFn, StreamOptions } from '../loop';
import { normalizeContext } from '../loop';
import type { Message } from '../loop';

/** What a server sent, and what is right to make of it. For tests only. */
export interface StreamCase {
  id: string;
  api: 'chat' | 'responses';
  status: number;
  headers: Record<string, string>;
  chunks?: string[];
  chunksBase64?: string[];
  endWith?: 'close' | 'error' | 'open';
  responses?: CaseResponse[];
  abortAfterMs?: number;
  expect: CaseExpectation;
  acceptAlso?: Partial<CaseExpectation>;
  replay?: Record<string, string>;
}
export type CaseResponse = Pick<StreamCase, 'status' | 'headers' | 'chunks' | 'chunksBase64' | 'endWith'>;

export interface CaseExpectation {
  content?: unknown[];
  contentAnyOf?: unknown[][];
  stopReason: string | string[];
  usage?: Record<string, number>;
  requests?: number;
  settleWithinMs?: number | string;
  errorMessageContains?: string[];
  toolcallDeltasJoined?: string;
  ignoreEmptyText?: boolean;
  idsUnique?: boolean;
  nextRequestWellFormed?: boolean;
}

const folder = new URL('./cases/sse/', import.meta.url);

export const streamCases = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as StreamCase);

export function streamCase(id: string): StreamCase {
  const found = streamCases.find((each) => each.id === id);
  if (!found) throw new Error(`There is no case ${id}`);
  return found;
}

export const testModel: Model = {
  id: 'test-model',
  name: 'Test model',
  api: 'openai-chat',
  provider: 'test',
  baseUrl: 'http://models.test/v1',
  reasoning: true,
  input: ['text'],
  cost: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 0 },
  contextWindow: 100_000,
  maxTokens: 10_000,
};

/** The bytes of a case's body, in its network chunks. */
export function chunksOf(response: CaseResponse): Uint8Array[] {
  if (response.chunksBase64) {
    return response.chunksBase64.map((text) =>
      Uint8Array.from(atob(text), (character) => character.charCodeAt(0)),
    );
  }
  return (response.chunks ?? []).map((text) => new TextEncoder().encode(text));
}

export interface FakeServer {
  fetch: typeof fetch;
  /** The bodies of the requests that came. */
  bodies: Record<string, unknown>[];
  requests: { url: string; headers: Headers }[];
}

/** A fetch that answers with the given responses in turn; the last one repeats. */
export function fakeServer(responses: CaseResponse[], chunks?: Uint8Array[]): FakeServer {
  const server: FakeServer = {
    bodies: [],
    requests: [],
    fetch: (input, init) => {
      const response = responses[Math.min(server.bodies.length, responses.length - 1)];
      if (!response) return Promise.reject(new TypeError('fetch failed'));
      if (init?.signal?.aborted)
        return Promise.reject(new DOMException('This operation was aborted', 'AbortError'));
      server.requests.push({
        url: input instanceof Request ? input.url : String(input),
        headers: new Headers(init?.headers),
      });
      server.bodies.push(
        JSON.parse(typeof init?.body === 'string' ? init.body : '{}') as Record<string, unknown>,
      );
      const body = bodyOf(
        chunks ?? chunksOf(response),
        response.endWith ?? 'close',
        init?.signal ?? undefined,
      );
      return Promise.resolve(new Response(body, { status: response.status, headers: response.headers }));
    },
  };
  return server;
}

function bodyOf(
  chunks: Uint8Array[],
  endWith: 'close' | 'error' | 'open',
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) if (chunk.length > 0) controller.enqueue(chunk);
      signal?.addEventListener('abort', () => {
        controller.error(new DOMException('This operation was aborted', 'AbortError'));
      });
      if (endWith === 'close') controller.close();
      // An error drops what is queued: it may come only when everything was read.
      if (endWith === 'error') setTimeout(() => controller.error(new TypeError('terminated')), 20);
    },
  });
}

export interface CaseRun {
  message: AssistantMessage;
  events: AssistantMessageEvent[];
  server: FakeServer;
  ms: number;
}

export const userMessage: Message = { role: 'user', content: 'hi', timestamp: 1 };

/** Runs one request against the case's server and waits for its final message. */
export async function runCase(
  streamFn: StreamFn,
  each: StreamCase,
  options: StreamOptions = {},
  chunks?: Uint8Array[],
): Promise<CaseRun> {
  const server = fakeServer(each.responses ?? [each], chunks);
  const controller = new AbortController();
  const started = performance.now();
  const context = normalizeContext({ messages: [userMessage] });
  const model = { ...testModel, api: each.api === 'chat' ? 'openai-chat' : 'openai-responses' };
  const stream = await streamFn(model, context, {
    apiKey: 'test-key',
    signal: controller.signal,
    fetch: server.fetch,
    idleTimeoutMs: 300,
    ...options,
  });
  const events: AssistantMessageEvent[] = [];
  let aborts = each.abortAfterMs;
  for await (const event of stream) {
    events.push(event);
    // Counted from the first text, so that a slow machine does not abort before there is any.
    if (aborts === undefined || !event.type.endsWith('_delta')) continue;
    setTimeout(() => controller.abort(), aborts);
    aborts = undefined;
  }
  return { message: await stream.result(), events, server, ms: performance.now() - started };
}

/** What a case compares of a message. */
export function comparable(message: AssistantMessage): unknown[] {
  return message.content.map((block) => {
    if (block.type === 'text') return { type: block.type, text: block.text };
    if (block.type === 'thinking') return { type: block.type, thinking: block.thinking };
    const { type, id, name, arguments: args } = block;
    return { type, id, name, arguments: args };
  });
}
