/** A model server for tests: it keeps what it was asked, and answers what it is told. */
import { vi } from 'vitest';

export interface Asked {
  url: string;
  headers: Headers;
  /** As it came. */
  text: string;
  body: { model?: string; messages: { role: string; content?: unknown }[] };
}
export interface ModelServer {
  asked: Asked[];
  /** One for each request, in order; then it refuses. */
  answers: ((request: Request) => Response | Promise<Response>)[];
}

/** Takes the place of `fetch` until `vi.unstubAllGlobals`. */
export function modelServer(): ModelServer {
  const server: ModelServer = { asked: [], answers: [] };
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    const text = await request.text();
    const { url, headers } = request;
    server.asked.push({ url, headers, text, body: (text ? JSON.parse(text) : {}) as Asked['body'] });
    return server.answers.shift()?.(request) ?? new Response('no more answers', { status: 400 });
  });
  return server;
}

export const sse =
  (...chunks: object[]) =>
  () =>
    new Response(
      [...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), 'data: [DONE]\n\n'].join(''),
      { headers: { 'content-type': 'text/event-stream' } },
    );
const delta = (fields: object, reason: string | null = null) => ({
  id: 'x',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: fields, finish_reason: reason }],
});
export const says = (text: string, usage?: object) =>
  sse(
    delta({ role: 'assistant', content: text }),
    delta({}, 'stop'),
    ...(usage ? [{ choices: [], usage }] : []),
  );
export const calls = (name: string, args: object) =>
  sse(
    delta({
      role: 'assistant',
      reasoning_content: 'Let me see.',
      tool_calls: [
        {
          index: 0,
          id: 'c1',
          type: 'function',
          function: { name, arguments: JSON.stringify(args, undefined, 1) },
        },
      ],
    }),
    delta({}, 'tool_calls'),
  );
/** The same through the Responses API. */
export const responds = (text: string) =>
  sse(
    { type: 'response.created', response: { id: 'r', output: [] } },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { type: 'message', id: 'm', role: 'assistant', content: [] },
    },
    { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: text },
    {
      type: 'response.output_item.done',
      output_index: 0,
      item: { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text }] },
    },
    { type: 'response.completed', response: { id: 'r', status: 'completed', output: [] } },
  );
