import { describe, expect, it } from 'vitest';
import { normalizeContext } from '../loop';
import type { AssistantMessage, Message } from '../loop';
import {
  comparable,
  fakeServer,
  runCase,
  streamCase,
  streamCases,
  testModel,
  userMessage,
} from './case-runner.testing';
import type { StreamCase } from './case-runner.testing';
import { openaiResponses } from './openai-responses';
import { responsesRequest } from './responses-request';

const model = { ...testModel, api: 'openai-responses' };
const cases = streamCases.filter(({ api }) => api === 'responses');

function withoutParts(block: unknown): unknown {
  const { callId: _callId, itemId: _itemId, ...rest } = block as Record<string, unknown>;
  return rest;
}

function events(...list: Record<string, unknown>[]): StreamCase {
  const chunks = list.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`);
  return { id: 'own', api: 'responses', status: 200, headers: {}, chunks, expect: { stopReason: '' } };
}

const completed = { type: 'response.completed', response: { status: 'completed', output: [] } };

describe('Responses as servers really send them', () => {
  it.each(cases.map((each) => [each.id, each] as const))('%s', async (_id, each) => {
    const { message, events: told } = await runCase(openaiResponses, each);
    const { expect: wanted } = each;
    expect(message.stopReason).toBe(wanted.stopReason);
    if (wanted.content) expect(comparable(message)).toEqual(wanted.content.map(withoutParts));
    if (wanted.usage) expect(message.usage).toMatchObject(wanted.usage);
    for (const text of wanted.errorMessageContains ?? []) expect(message.errorMessage).toContain(text);
    const deltas = told.flatMap((event) => (event.type === 'toolcall_delta' ? [event.delta] : []));
    if (wanted.toolcallDeltasJoined) expect(deltas.join('')).toBe(wanted.toolcallDeltasJoined);
    if (message.stopReason === 'error') expect(message.errorMessage).toMatch(/\w/);
  });

  it('a socket that stays open after the end is closed by us', async () => {
    const { message, ms } = await runCase(openaiResponses, { ...events(completed), endWith: 'open' });
    expect(message.stopReason).toBe('stop');
    expect(ms).toBeLessThan(250);
  });

  it('an error event ends the message with what it says', async () => {
    const each = events({ type: 'error', code: 'rate_limit_exceeded', message: 'Slow down' });
    const { message } = await runCase(openaiResponses, each);
    expect(message.errorMessage).toMatch(/Slow down.*rate_limit_exceeded/);
  });

  describe('gives a call the arguments that came', () => {
    const call = { type: 'function_call', id: 'fc', call_id: 'c', name: 'ls', arguments: '' };
    const whole = { ...call, arguments: '{"path":"."}' };
    const added = { type: 'response.output_item.added', output_index: 0, item: call };
    const piece = (delta: string, place: object) => ({
      type: 'response.function_call_arguments.delta',
      delta,
      ...place,
    });
    it.each([
      ['with its start', [{ ...added, item: whole }, completed]],
      [
        'with the whole response',
        [added, { ...completed, response: { status: 'completed', output: [whole] } }],
      ],
      [
        'as an object',
        [
          { type: 'response.output_item.done', output_index: 0, item: { ...call, arguments: { path: '.' } } },
          completed,
        ],
      ],
      ['under its id alone', [added, piece('{"path":"."}', { item_id: 'fc' }), completed]],
      [
        'under an index that its start had not',
        [
          { ...added, output_index: undefined },
          piece('{"path":"."}', { output_index: 0, item_id: 'fc' }),
          completed,
        ],
      ],
      [
        'whole after pieces that were wrong',
        [
          added,
          piece('{"path":"', { output_index: 0 }),
          piece('"}', { output_index: 0 }),
          { type: 'response.output_item.done', output_index: 0, item: whole },
          completed,
        ],
      ],
    ])('%s', async (_how, list: Record<string, unknown>[]) => {
      const { message } = await runCase(openaiResponses, events(...list));
      expect(message.content).toMatchObject([{ id: 'c|fc', name: 'ls', arguments: { path: '.' } }]);
    });

    it('when nothing but the order says whose they are', async () => {
      const start = (call_id: string) => ({
        type: 'response.output_item.added',
        item: { type: 'function_call', call_id, name: 'ls' },
      });
      const { message } = await runCase(
        openaiResponses,
        events(start('a'), piece('{"x":1}', {}), start('b'), piece('{"y":2}', {}), completed),
      );
      expect(message.content).toMatchObject([{ arguments: { x: 1 } }, { arguments: { y: 2 } }]);
    });
  });

  it('encrypted reasoning that only the whole response has is kept for the replay', async () => {
    const item = { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 'hm' }] };
    const secret = { ...item, encrypted_content: 'X' };
    const { message } = await runCase(
      openaiResponses,
      events(
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.output_text.delta', output_index: 1, item_id: 'm', delta: 'ok' },
        { ...completed, response: { status: 'completed', output: [secret, { type: 'message', id: 'm' }] } },
      ),
    );
    expect(message.content).toMatchObject([{ replay: { items: [secret] } }, { text: 'ok' }]);
  });

  it.each([
    ['text', { type: 'response.output_text.done', output_index: 0, text: 'whole' }],
    ['a refusal', { type: 'response.refusal.done', output_index: 0, refusal: 'whole' }],
  ])('%s that comes without deltas is there', async (_what, event) => {
    const { message } = await runCase(openaiResponses, events(event, completed));
    expect(comparable(message)).toEqual([{ type: 'text', text: 'whole' }]);
  });

  it('an answer that was not streamed keeps what it has when it is too long', async () => {
    const output = [{ type: 'message', content: [{ type: 'output_text', text: 'half' }] }];
    const details = { reason: 'max_output_tokens' };
    const body = { object: 'response', status: 'incomplete', incomplete_details: details, output };
    const { message } = await runCase(openaiResponses, { ...events(), chunks: [JSON.stringify(body)] });
    expect(message).toMatchObject({ stopReason: 'length', content: [{ text: 'half' }] });
  });

  it('a delta that is null makes no call', async () => {
    const empty = { type: 'response.function_call_arguments.delta', output_index: 0, delta: null };
    const { message } = await runCase(openaiResponses, events(empty, completed));
    expect(message).toMatchObject({ stopReason: 'stop', content: [] });
  });

  it.each([
    ['event: error\ndata: overloaded\n\n', 'overloaded'],
    ['data: [DONE]\n\n', 'empty'],
    ['data: {"type":"response.comp', 'cut off'],
  ])('a body of %j says what is wrong', async (chunk, told) => {
    const { message } = await runCase(openaiResponses, { ...events(), chunks: [chunk] });
    expect(message).toMatchObject({ stopReason: 'error' });
    expect(message.errorMessage).toContain(told);
  });

  it('a response that was not streamed is understood', async () => {
    const item = { type: 'function_call', id: 'fc', call_id: 'c', name: 'ls', arguments: '{"path":"."}' };
    const content = [{ type: 'output_text', text: 'hi' }];
    const body = { object: 'response', status: 'completed', output: [{ type: 'message', content }, item] };
    const { message } = await runCase(openaiResponses, { ...events(), chunks: [JSON.stringify(body)] });
    expect(message).toMatchObject({
      stopReason: 'toolUse',
      content: [{ text: 'hi' }, { id: 'c|fc', arguments: { path: '.' } }],
    });
  });

  it('an abort is told as one', async () => {
    const silent: StreamCase = { ...events(), endWith: 'open' };
    const { message } = await runCase(openaiResponses, silent, { signal: AbortSignal.timeout(50) });
    expect(message).toMatchObject({ stopReason: 'aborted', errorCode: 'model.aborted' });
  });
});

describe('what is sent to Responses', () => {
  async function answerOf(id: string): Promise<AssistantMessage> {
    return (await runCase(openaiResponses, streamCase(id))).message;
  }

  it('reasoning goes back encrypted, in front of what it led to', async () => {
    const message = await answerOf('resp-reasoning-two-summary-parts');
    const server = fakeServer([{ status: 200, headers: {}, chunks: [] }]);
    const context = normalizeContext({ messages: [userMessage, message, userMessage] });
    await openaiResponses(model, context, { fetch: server.fetch, reasoning: 'low' }).result();
    expect(server.requests[0]?.url).toBe('http://models.test/v1/responses');
    expect(server.bodies[0]).toMatchObject({
      store: false,
      stream: true,
      reasoning: { effort: 'low' },
      include: ['reasoning.encrypted_content'],
      input: [
        { role: 'user' },
        { type: 'reasoning', encrypted_content: 'ENC', summary: [{ text: 'First.' }, { text: 'Second.' }] },
        { role: 'assistant', content: 'ok' },
        { role: 'user' },
      ],
    });
  });

  it('each call has its output, under the id that the server gave', async () => {
    const message = await answerOf('resp-parallel-interleaved-out-of-order');
    const result: Message = {
      role: 'toolResult',
      toolCallId: 'call_b|fc_b',
      toolName: 'ls',
      content: [],
      isError: false,
      timestamp: 3,
    };
    const { body } = responsesRequest(model, [userMessage, message, result]);
    expect(body.input).toEqual([
      { role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
      { type: 'function_call', call_id: 'call_a', name: 'read', arguments: '{"path":"a.txt"}' },
      { type: 'function_call', call_id: 'call_b', name: 'ls', arguments: '{"path":"b"}' },
      {
        type: 'function_call_output',
        call_id: 'call_a',
        output: expect.stringContaining('interrupted') as string,
      },
      { type: 'function_call_output', call_id: 'call_b', output: '(no tool output)' },
    ]);
  });

  it('a call has the name that its tool is declared with', () => {
    const tool = { name: 'web.search', description: 'Searches.', parameters: {} };
    const system: Message = { role: 'system', content: '', toolsAdded: [tool], timestamp: 0 };
    const call = { type: 'toolCall' as const, id: 'c', name: 'web.search', arguments: {} };
    const answer = {
      role: 'assistant',
      content: [call],
      stopReason: 'toolUse',
    } as unknown as AssistantMessage;
    const { body } = responsesRequest(model, [system, userMessage, answer]);
    expect(body).toMatchObject({ tools: [{ name: 'web.search' }], input: [{}, { name: 'web.search' }, {}] });
  });

  it('an output without images is a text, also for a model that takes none', () => {
    const call = { type: 'toolCall' as const, id: 'c', name: 'look', arguments: {} };
    const answer = {
      role: 'assistant',
      content: [call],
      stopReason: 'toolUse',
    } as unknown as AssistantMessage;
    const image = { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' };
    const result: Message = {
      role: 'toolResult',
      toolCallId: 'c',
      toolName: 'look',
      content: [{ type: 'text', text: 'A cat:' }, image],
      isError: false,
      timestamp: 3,
    };
    const outputOf = (input: ('text' | 'image')[]) =>
      (responsesRequest({ ...model, input }, [userMessage, answer, result]).body.input as object[])[2];
    expect(outputOf(['text'])).toMatchObject({
      output: 'A cat:\n(an image was left out: this model takes no images)',
    });
    expect(outputOf(['text', 'image'])).toMatchObject({
      output: [{ type: 'input_text' }, { type: 'input_image' }],
    });
  });
});
