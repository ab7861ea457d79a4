import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparable } from './case-runner.testing';
import { callDelta, callsOf, delta, events, run, stream } from './chat-chunks.testing';

describe('pieces of tool calls', () => {
  it('one id twice under two indexes is two calls', async () => {
    const calls = await callsOf(
      callDelta({ index: 0, id: 'c1', name: 'read', args: '{"path":"a"}' }),
      callDelta({ index: 1, id: 'c1', name: 'read', args: '{"path"' }),
      callDelta({ index: 1, id: 'c1', args: ':"b"}' }),
    );
    expect(calls).toEqual([
      ['c1', 'read', { path: 'a' }],
      ['c1', 'read', { path: 'b' }],
    ]);
  });

  it('an id that comes late belongs to the call that has none', async () => {
    const calls = await callsOf(
      callDelta({ index: 0, name: 'ls', args: '{"path"' }),
      callDelta({ index: 0, id: 'late', args: ':"."}' }),
    );
    expect(calls).toEqual([['late', 'ls', { path: '.' }]]);
  });

  it('a new id with each piece, but no name, is one call', async () => {
    const calls = await callsOf(
      callDelta({ index: 0, id: 'x1', name: 'ls', args: '{"path"' }),
      callDelta({ index: 0, id: 'x2', args: ':"."}' }),
    );
    expect(calls).toEqual([['x1', 'ls', { path: '.' }]]);
  });

  it('several calls under one index without ids are told apart by their whole arguments', async () => {
    const calls = (await callsOf(
      callDelta({ index: 0, name: 'read', args: '{"path":"a"}' }),
      callDelta({ index: 0, name: 'read', args: '{"path":"b"}' }),
      callDelta({ index: 0, name: 'ls', args: '{}' }),
    )) as [string, string, object][];
    expect(calls.map(([, name, args]) => [name, args])).toEqual([
      ['read', { path: 'a' }],
      ['read', { path: 'b' }],
      ['ls', {}],
    ]);
    expect(new Set(calls.map(([id]) => id)).size).toBe(3);
  });

  it('no index and no id: a name starts a call, the rest goes to the last one', async () => {
    const calls = (await callsOf(
      callDelta({ name: 'read', args: '' }),
      callDelta({ args: '{"path":' }),
      callDelta({ id: null, args: '"a"}' }),
      callDelta({ name: 'ls', args: '{}' }),
    )) as [string, string, object][];
    expect(calls.map(([, name, args]) => [name, args])).toEqual([
      ['read', { path: 'a' }],
      ['ls', {}],
    ]);
  });

  it('a name that comes after the arguments have begun is told before them', async () => {
    const { events: told } = await run(
      events(
        callDelta({ index: 0, id: 'c', args: '{"a"' }),
        callDelta({ index: 0, name: 'go', args: ':1}' }),
        delta({}, 'tool_calls'),
        '[DONE]',
      ),
    );
    expect(told.map(({ type }) => type)).toEqual([
      'start',
      'toolcall_start',
      'toolcall_delta',
      'toolcall_delta',
      'toolcall_end',
      'done',
    ]);
  });

  it('entries that say nothing make no call', async () => {
    const { message } = await run(
      events(delta({ content: 'x', tool_calls: [null, {}, { index: 0 }] }), delta({}, 'stop'), '[DONE]'),
    );
    expect(comparable(message)).toEqual([{ type: 'text', text: 'x' }]);
  });

  it('the old function_call is a call', async () => {
    const { message } = await run(
      events(
        delta({ function_call: { name: 'ls', arguments: '{"path"' } }),
        delta({ function_call: { arguments: ':"."}' } }),
        delta({}, 'function_call'),
      ),
    );
    expect(message).toMatchObject({
      stopReason: 'toolUse',
      content: [{ name: 'ls', arguments: { path: '.' } }],
    });
  });

  it('arguments that can not be read refuse the call and nothing else', async () => {
    const calls = await callsOf(
      callDelta({ index: 0, id: 'a', name: 'read', args: '{"path":"a' }),
      callDelta({ index: 1, id: 'b', name: 'read', args: '{"path":"b"}' }),
    );
    expect(calls).toEqual([
      ['a', 'read', 'error'],
      ['b', 'read', { path: 'b' }],
    ]);
  });
});

describe('text and thinking', () => {
  it('a character whose halves come in two deltas is whole, and no delta shows half of it', async () => {
    const { message, events: told } = await run(
      events(delta({ content: 'a\ud83d' }), delta({ content: '\ude00b' }), delta({}, 'stop'), '[DONE]'),
    );
    expect(comparable(message)).toEqual([{ type: 'text', text: 'a😀b' }]);
    expect(told.flatMap((event) => ('delta' in event ? [event.delta] : []))).toEqual(['a', '😀b']);
  });

  it('a half that never gets its other half becomes U+FFFD', async () => {
    const { message } = await run(events(delta({ content: 'a\ud83d' }), delta({}, 'stop'), '[DONE]'));
    expect(comparable(message)).toEqual([{ type: 'text', text: 'a\ufffd' }]);
  });

  it('text, thinking and calls in turn are blocks in that order', async () => {
    const { message } = await run(
      events(
        delta({ reasoning: 'hm' }),
        delta({ content: 'a' }),
        delta({ reasoning: 'well' }),
        callDelta({ index: 0, id: 'c', name: 'ls', args: '{}' }),
        delta({ content: 'b' }),
        delta({}, 'stop'),
      ),
    );
    expect(message.content.map(({ type }) => type)).toEqual([
      'thinking',
      'text',
      'thinking',
      'toolCall',
      'text',
    ]);
    expect(message).toMatchObject({ stopReason: 'toolUse', rawStopReason: 'stop' });
  });

  it('content may be a list of parts', async () => {
    const parts = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
      { type: 'text', text: 'a' },
    ];
    const { message } = await run(events(delta({ content: parts }), delta({}, 'stop')));
    expect(comparable(message)).toEqual([
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'a' },
    ]);
  });

  it('reasoning details are joined for the replay, and their text is shown once', async () => {
    const detail = (text: string) => ({ type: 'reasoning.text', index: 0, text });
    const { message } = await run(
      events(
        delta({ reasoning: 'ab', reasoning_details: [detail('ab')] }),
        delta({ reasoning: 'cd', reasoning_details: [{ ...detail('cd'), signature: 's' }] }),
        delta({ reasoning_details: [{ type: 'reasoning.encrypted', index: 1, data: 'X' }] }),
        delta({ content: 'ok' }, 'stop'),
      ),
    );
    expect(message.content[0]).toEqual({
      type: 'thinking',
      thinking: 'abcd',
      replay: {
        field: 'reasoning_details',
        items: [
          { ...detail('abcd'), signature: 's' },
          { type: 'reasoning.encrypted', index: 1, data: 'X' },
        ],
      },
    });
  });
});

describe('ends and errors', () => {
  it.each([
    ['end_turn', 'stop'],
    ['eos', 'stop'],
    ['something_new', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['content_filter', 'error'],
  ])('the finish reason %s means %s', async (reason, stopReason) => {
    const { message } = await run(events(delta({ content: 'x' }), delta({}, reason), '[DONE]'));
    expect(message).toMatchObject({ stopReason, rawStopReason: reason, content: [{ text: 'x' }] });
  });

  it('a socket that stays open after [DONE] is closed by us', async () => {
    const { message, ms } = await run(events(delta({ content: 'x' }, 'stop'), '[DONE]'), { endWith: 'open' });
    expect(message.stopReason).toBe('stop');
    expect(ms).toBeLessThan(250);
  });

  it('a socket that stays open after the finish reason, or breaks then, costs nothing', async () => {
    for (const endWith of ['open', 'error'] as const) {
      const { message } = await run(
        events(delta({ content: 'x' }, 'stop')),
        { endWith },
        { idleTimeoutMs: 5000 },
      );
      expect(message).toMatchObject({ stopReason: 'stop', content: [{ text: 'x' }] });
    }
  });

  it('usage in a chunk of its own still counts after the finish reason', async () => {
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
    const { message } = await run(events(delta({ content: 'x' }, 'stop'), { choices: [], usage }, '[DONE]'));
    expect(message.usage).toMatchObject({ input: 3, output: 2, totalTokens: 5 });
    expect(message.usage.cost.total).toBeCloseTo((3 * 1 + 2 * 2) / 1e6);
  });

  it('a silence keeps what arrived, and is not counted while the run is paused', async () => {
    let paused = true;
    setTimeout(() => (paused = false), 250);
    const options = { idleTimeoutMs: 100, isPaused: () => paused };
    const { message, ms } = await run(events(delta({ content: 'x' })), { endWith: 'open' }, options);
    expect(message).toMatchObject({ stopReason: 'error', errorCode: 'model.idle', content: [{ text: 'x' }] });
    expect(ms).toBeGreaterThan(250);
  });

  it.each([
    ['an error event', 'event: error\ndata: {"message":"overloaded"}\n\n'],
    ['an error object', 'data: {"error":{"message":"overloaded"}}\n\n'],
    ['an error text', 'data: {"error":"overloaded"}\n\n'],
    ['an error object that is no event', '{"error":{"message":"overloaded"}}\n'],
    ['an error of another shape', 'data: {"object":"error","message":"overloaded"}\n\n'],
  ])('%s inside a 200 stream is an error that says so', async (_what, text) => {
    const { message } = await run([...events(delta({ content: 'x' })), text]);
    expect(message).toMatchObject({
      stopReason: 'error',
      errorCode: 'model.inStream',
      content: [{ text: 'x' }],
    });
    expect(message.errorMessage).toContain('overloaded');
  });

  it('a chunk that is broken JSON is told from an error that the server reports', async () => {
    const { message } = await run([...events(delta({ content: 'x' })), 'data: {"choices":[{\n\n']);
    expect(message).toMatchObject({
      stopReason: 'error',
      errorCode: 'model.badChunk',
      errorParams: { detail: '{"choices":[{' },
      content: [{ text: 'x' }],
    });
  });

  it.each([
    ['an error as JSON', '{"error":{"message":"No GPU","code":"busy"}}', 'model.inStream'],
    ['a page', '<!DOCTYPE html><title>Welcome</title>', 'model.notAModelServer'],
    ['nothing', '', 'model.cut'],
    ['prose', 'It works!', 'model.notAModelServer'],
  ])('a body of status 200 that is %s is an error', async (_what, text, errorCode) => {
    const { message } = await run([text], { headers: {} });
    expect(message).toMatchObject({ stopReason: 'error', errorCode, content: [] });
  });

  it('a server that does not stream is understood', async () => {
    const whole = {
      choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
    };
    const { message } = await run([JSON.stringify(whole, undefined, 1)], { headers: {} });
    expect(message).toMatchObject({ stopReason: 'stop', content: [{ type: 'text', text: 'hi' }] });
  });

  it('calls of an answer that was cut keep their partial view beside an error', async () => {
    const { message } = await run(
      events(callDelta({ index: 0, id: 'c', name: 'write', args: '{"path":"a","text":"b' })),
    );
    expect(message).toMatchObject({
      stopReason: 'error',
      content: [
        { arguments: { path: 'a', text: 'b' }, argumentsError: expect.stringContaining('cut off') as string },
      ],
    });
  });

  it('shows the key in no error, wherever the server put it', async () => {
    const key = 'sk-very-secret';
    const chunks = [JSON.stringify({ error: { message: `Bad key ${key}` } })];
    const { message } = await run(chunks, { status: 401 }, { apiKey: key });
    expect(JSON.stringify(message)).not.toContain(key);
    expect(message.errorMessage).toContain('401');
  });

  it.each([
    ['an empty quota', { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } }],
    ['no credit', { error: { message: 'Insufficient balance' } }],
  ])('%s is not tried again', async (_what, body) => {
    const { message, server } = await run([JSON.stringify(body)], { status: 429 });
    expect(message.errorCode).toBe('model.quota');
    expect(server.bodies).toHaveLength(1);
  });

  it.each([
    ['120', 'model.waitsMinutes', 2],
    ['7200', 'model.waitsHours', 2],
    ['259200', 'model.waitsDays', 3],
  ])(
    'a wait of %s seconds is not waited for, and its error says how long it is',
    async (asked, code, count) => {
      const { message, server } = await run(['{}'], { status: 429, headers: { 'retry-after': asked } });
      expect(message).toMatchObject({ errorCode: code, errorParams: { count } });
      expect(server.bodies).toHaveLength(1);
    },
  );

  it('tries 5xx and connection errors again, and 400 never', async () => {
    const good = stream(events(delta({ content: 'x' }, 'stop'), '[DONE]'));
    const options = { maxRetryDelayMs: 5 };
    const retried = await run([], { responses: [{ ...good, status: 503, chunks: ['busy'] }, good] }, options);
    expect(retried.message.stopReason).toBe('stop');
    expect(retried.server.bodies).toHaveLength(2);
    const refused = await run(['{"error":"tool_use ids without tool_result"}'], { status: 400 }, options);
    expect(refused.message).toMatchObject({ errorCode: 'model.badRequest' });
    expect(refused.server.bodies).toHaveLength(1);
  });

  it('an observer that throws ends the message, not the caller', async () => {
    const onHttp = (): void => {
      throw new Error('observer failed');
    };
    const { message } = await run(events(delta({ content: 'x' }, 'stop')), {}, { onHttp });
    expect(message).toMatchObject({ stopReason: 'error', errorMessage: 'observer failed' });
  });

  it('ends with a message whatever bytes come', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'data: ',
        'event: error\n',
        '\n\n',
        '\r',
        '[DONE]',
        '{"choices":[',
        ']}',
        'null',
        '{"error":1}',
      ),
      fc.json(),
      fc.json().map((json) => `data: {"choices":[{"delta":${json},"finish_reason":null}]}\n\n`),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (chunks) => {
        const { message, events: told } = await run(chunks);
        expect(['stop', 'error', 'toolUse', 'length']).toContain(message.stopReason);
        expect(told.filter(({ type }) => type === 'done' || type === 'error')).toHaveLength(1);
      }),
      { numRuns: 300 },
    );
  });
});
