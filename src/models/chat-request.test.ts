import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AssistantMessage, Message, Model, ToolCall, ToolResultMessage } from '../loop';
import { emptyUsage } from './usage';
import { chatRequest } from './chat-request';
import { responsesRequest } from './responses-request';
import { testModel, userMessage } from './case-runner.testing';

interface Sent {
  role: string;
  content: unknown;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
  [field: string]: unknown;
}

function sent(transcript: Message[], model: Model = testModel, options = {}): Sent[] {
  return chatRequest(model, transcript, options).body.messages as Sent[];
}

function assistant(
  content: AssistantMessage['content'],
  more: Partial<AssistantMessage> = {},
): AssistantMessage {
  const { id, api, provider } = testModel;
  return {
    role: 'assistant',
    content,
    api,
    provider,
    model: id,
    usage: emptyUsage(),
    stopReason: 'stop',
    timestamp: 2,
    ...more,
  };
}

function call(id: string, name = 'read', args: ToolCall['arguments'] = { path: id }): ToolCall {
  return { type: 'toolCall', id, name, arguments: args };
}

function result(toolCallId: string, text: string, more: Partial<ToolResultMessage> = {}): ToolResultMessage {
  const content = [{ type: 'text' as const, text }];
  return { role: 'toolResult', toolCallId, toolName: 'read', content, isError: false, timestamp: 3, ...more };
}

function user(content: string): Message {
  return { role: 'user', content, timestamp: 1 };
}

const image = { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' };

describe('what is sent', () => {
  it('begins with the replayed prompt, and declares the replayed tools', () => {
    const tool = (name: string) => ({ name, description: name, parameters: { type: 'object' } });
    const { body } = chatRequest(testModel, [
      { role: 'system', content: 'Be brief.', toolsAdded: [tool('read'), tool('ls')], timestamp: 0 },
      userMessage,
      { role: 'system', content: 'Be kind.', toolsRemoved: [{ name: 'ls' }], timestamp: 2 },
      user('more'),
    ]);
    expect(body.messages).toEqual([
      { role: 'system', content: 'Be brief.\n\nBe kind.' },
      { role: 'user', content: 'hi' },
      { role: 'user', content: 'more' },
    ]);
    expect(body.tools).toEqual([{ type: 'function', function: tool('read') }]);
    expect(body).toMatchObject({
      model: 'test-model',
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('keeps system messages in their place where the server takes them', () => {
    const model = { ...testModel, compat: { supportsSystemMidway: true } };
    const patch = { role: 'system' as const, content: 'Be kind.', sections: { style: null }, timestamp: 2 };
    const messages = sent(
      [{ role: 'system', content: 'Be brief.', timestamp: 0 }, userMessage, patch, user('more')],
      model,
    );
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'system', 'user']);
    expect(messages[0]?.content).toBe('Be brief.');
    expect(messages[2]?.content).toMatch(/^Be kind\.\n\n.*"style"/);
  });

  it('has the text of an answer as one string (L-27)', () => {
    const answer = assistant([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ]);
    expect(sent([userMessage, answer, user('more')])[1]).toEqual({ role: 'assistant', content: 'ab' });
  });

  it('has arguments as a JSON string (L-29)', () => {
    const [, answer] = sent([
      userMessage,
      assistant([call('c', 'read', { path: 'C:\\x' })]),
      result('c', 'ok'),
    ]);
    expect(answer?.tool_calls?.[0]?.function.arguments).toBe('{"path":"C:\\\\x"}');
    expect(answer?.content).toBeNull();
  });

  it.each([
    ['no content', []],
    ['an empty text', [{ type: 'text' as const, text: '' }]],
  ])('says that there is no output for %s, and speaks of no image (L-13)', (_what, content) => {
    const messages = sent([userMessage, assistant([call('c')]), result('c', '', { content })]);
    expect(messages[2]).toMatchObject({ role: 'tool', content: '(no tool output)' });
  });

  it('gives two calls of one id an id and a result each (L-25)', () => {
    const messages = sent([
      userMessage,
      assistant([call('c1'), call('c1')]),
      result('c1', 'A'),
      result('c1', 'B'),
    ]);
    const ids = messages[1]?.tool_calls?.map(({ id }) => id) ?? [];
    expect(ids).toEqual(['c1', 'c1_2']);
    expect(messages.slice(2).map((each) => [each.tool_call_id, each.content])).toEqual([
      ['c1', 'A'],
      ['c1_2', 'B'],
    ]);
  });

  it.each(['aborted', 'error'] as const)(
    'leaves an answer that was %s out with its calls and results (A-05)',
    (stopReason) => {
      const failed = assistant([{ type: 'text', text: 'half' }, call('c1')], {
        stopReason,
        errorMessage: 'it broke',
      });
      const transcript = [userMessage, failed, result('c1', 'A'), user('more')];
      expect(sent(transcript).map(({ role }) => role)).toEqual(['user', 'user']);
      const told = sent(transcript, testModel, { tellFailures: true });
      expect(told[1]?.content).toContain('it broke');
    },
  );

  it('gives a call without a result one that says so (D-13)', () => {
    const messages = sent([userMessage, assistant([call('c1')], { stopReason: 'toolUse' }), user('go on')]);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(messages[2]?.content).toContain('interrupted');
  });

  it('moves results up to their calls', () => {
    const messages = sent([
      userMessage,
      assistant([call('a'), call('b')]),
      user('S'),
      result('b', 'B'),
      result('a', 'A'),
    ]);
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'hi'],
      ['assistant', null],
      ['tool', 'A'],
      ['tool', 'B'],
      ['user', 'S'],
    ]);
  });

  it('sends images where the model takes them, those of tools in a message behind the results', () => {
    const model: Model = { ...testModel, input: ['text', 'image'] };
    const transcript: Message[] = [
      { role: 'user', content: [{ type: 'text', text: 'look' }, image], timestamp: 1 },
      assistant([call('a'), call('b')]),
      result('a', '', { content: [image] }),
      result('b', 'B'),
    ];
    const messages = sent(transcript, model);
    const part = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    expect(messages[0]?.content).toEqual([{ type: 'text', text: 'look' }, part]);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'user']);
    expect(messages[4]?.content).toContainEqual(part);
    expect(JSON.stringify(sent(transcript))).not.toContain('AAAA');
  });

  it('says that an image was left out where the model takes none, beside the text of its result', () => {
    const text = { type: 'text' as const, text: '[a.png is an image.]' };
    const transcript: Message[] = [
      userMessage,
      assistant([call('a'), call('b')]),
      result('a', '', { content: [text, image] }),
      result('b', '', { content: [image] }),
    ];
    const [, , first, second] = sent(transcript);
    const sentence = '(an image was left out: this model takes no images)';
    expect([first?.content, second?.content]).toEqual([`${text.text}\n${sentence}`, sentence]);
  });

  it('sends thinking back to the model that thought it only', () => {
    const answer = assistant([
      { type: 'thinking', thinking: 'hm', replay: { field: 'reasoning' } },
      { type: 'text', text: 'a' },
    ]);
    expect(sent([userMessage, answer])[1]).toMatchObject({ reasoning: 'hm' });
    expect(sent([userMessage, { ...answer, model: 'other' }])[1]).toEqual({
      role: 'assistant',
      content: 'a',
    });
  });

  it.each([
    ['', { reasoning: 'high' }, { reasoning_effort: 'high' }],
    ['', { reasoning: 'max' }, { reasoning_effort: 'xhigh' }],
    ['https://openrouter.ai/api/v1', { reasoning: 'low' }, { reasoning: { effort: 'low' } }],
    ['https://api.openai.com/v1', { maxTokens: 9 }, { max_completion_tokens: 9 }],
    ['', { maxTokens: 9, temperature: 0 }, { max_tokens: 9, temperature: 0 }],
    [
      '',
      { extraBody: { top_k: 3, stream: false, messages: [], model: 'other' } },
      { top_k: 3, stream: true, model: testModel.id },
    ],
  ] as const)('asks %s for %j', (baseUrl, options, fields) => {
    const model = baseUrl ? { ...testModel, baseUrl } : testModel;
    expect(chatRequest(model, [userMessage], options).body).toMatchObject(fields);
  });

  it('makes ids of the length that a server wants, the same for call and result', () => {
    const model = { ...testModel, compat: { toolCallIdLength: 9 } };
    const [, answer, tool] = sent(
      [userMessage, assistant([call('call_with_a_long_id')]), result('call_with_a_long_id', 'A')],
      model,
    );
    expect(answer?.tool_calls?.[0]?.id).toMatch(/^[A-Za-z0-9]{9}$/);
    expect(tool?.tool_call_id).toBe(answer?.tool_calls?.[0]?.id);
  });

  it('gives ids back as they were to the model that gave them, and plain ones to any other', () => {
    const transcript = [userMessage, assistant([call('functions.read:0')]), result('functions.read:0', 'A')];
    expect(sent(transcript)[2]?.tool_call_id).toBe('functions.read:0');
    expect(sent(transcript, { ...testModel, id: 'other' })[2]?.tool_call_id).toBe('functions_read_0');
  });

  it('takes content as files and hooks may leave it', () => {
    const transcript = [
      user('hi'),
      { ...user(''), content: [{ type: 'audio' }, { type: 'text' }, { type: 'image', data: '' }] },
      assistant('as a text' as never),
      assistant(undefined as never),
      assistant([call('a', 'read', '{"path":"x"}' as never), { type: 'toolCall', name: 'ls' } as never]),
      { ...result('a', ''), content: 'done' },
      user(undefined as never),
    ] as Message[];
    expect(sent(transcript)).toMatchObject([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'as a text' },
      {
        tool_calls: [
          { id: 'a', function: { arguments: '{"path":"x"}' } },
          { id: 'call', function: { name: 'ls', arguments: '{}' } },
        ],
      },
      { role: 'tool', content: 'done' },
      { role: 'tool', tool_call_id: 'call' },
    ]);
  });

  it('says that arguments which cannot be read are sent as an empty object', () => {
    const unread = { ...call('a'), arguments: {}, argumentsError: 'no JSON' };
    const { body, repairs } = chatRequest(testModel, [userMessage, assistant([unread]), result('a', 'A')]);
    expect(JSON.stringify(body)).toContain('"arguments":"{}"');
    expect(repairs).toEqual([{ index: 1, code: 'argumentsEmptied' }]);
  });

  it('says what was repaired, and where', () => {
    const { repairs } = chatRequest(testModel, [
      userMessage,
      assistant([]),
      assistant([call('a')]),
      result('x', 'X'),
    ]);
    expect(repairs).toEqual([
      { index: 1, code: 'emptyLeftOut' },
      { index: 2, code: 'resultAdded' },
      { index: 3, code: 'resultLeftOut' },
    ]);
  });
});

describe('any transcript', () => {
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 6 }), fc.constantFrom('', ' ', '\ud800', 'x'));
  const id = fc.constantFrom('a', 'b', 'call|fc', '', 'é/ü', 'x'.repeat(60));
  const block = fc.oneof(
    text.map((value) => ({ type: 'text' as const, text: value })),
    text.map((value) => ({ type: 'thinking' as const, thinking: value, replay: { field: 'reasoning' } })),
    fc.tuple(id, text, fc.dictionary(text, text)).map(([each, name, args]) => call(each, name, args)),
  );
  const message = fc.oneof(
    text.map(user),
    text.map((content): Message => ({ role: 'system', content, timestamp: 0 })),
    fc
      .tuple(
        fc.array(block, { maxLength: 4 }),
        fc.constantFrom('stop', 'toolUse', 'length', 'error', 'aborted'),
      )
      .map(([content, stopReason]) => assistant(content, { stopReason: stopReason as 'stop' })),
    fc.tuple(id, text).map(([each, value]) => result(each, value)),
  );

  it('is sent well formed, and stays untouched', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), (transcript) => {
        const before = structuredClone(transcript);
        const messages = sent(transcript);
        expect(transcript).toEqual(before);
        expect(JSON.stringify(messages)).not.toMatch(/\\ud[89a-f]/);
        const ids = messages.flatMap(({ tool_calls: calls }) => calls?.map((each) => each.id) ?? []);
        expect(new Set(ids).size).toBe(ids.length);
        let waiting: string[] = [];
        for (const each of messages) {
          if (each.role === 'tool') expect(each.tool_call_id).toBe(waiting.shift());
          else expect(waiting).toEqual([]);
          if (each.tool_calls) waiting = each.tool_calls.map((one) => one.id);
          else expect(each.content).toMatch(/\S/);
          for (const one of each.tool_calls ?? []) {
            expect(one.id).toMatch(/^[\w.:-]{1,40}$/);
            expect(one.function.name).toMatch(/^[\w-]{1,64}$/);
            expect(typeof JSON.parse(one.function.arguments)).toBe('object');
          }
        }
        expect(waiting).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('is sent well formed to Responses too', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), (transcript) => {
        const before = structuredClone(transcript);
        const { body } = responsesRequest(testModel, transcript);
        const items = body.input as Record<string, unknown>[];
        expect(transcript).toEqual(before);
        expect(JSON.stringify(body)).not.toMatch(/\\ud[89a-f]/);
        const calls = items.filter(({ type }) => type === 'function_call');
        const ids = calls.map((each) => each.call_id as string);
        expect(new Set(ids).size).toBe(ids.length);
        expect(items.flatMap((each) => (each.type === 'function_call_output' ? [each.call_id] : []))).toEqual(
          ids,
        );
        for (const each of calls) {
          expect(each.call_id).toMatch(/^[\w.:-]{1,40}$/);
          expect(each.name).toMatch(/^[\w-]{1,64}$/);
          expect(typeof JSON.parse(each.arguments as string)).toBe('object');
        }
        let open = 0;
        for (const { type, content, output } of items) {
          if (type === 'function_call') open++;
          else if (type === 'function_call_output') {
            open--;
            expect(output).toMatch(/\S/);
          } else {
            expect(open).toBe(0);
            expect(JSON.stringify(content)).toMatch(/"[^"]*[^"\s][^"]*"/);
          }
        }
        expect(open).toBe(0);
      }),
      { numRuns: 500 },
    );
  });
});
