import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agentLoop, agentLoopContinue, runAgentLoop, runAgentLoopContinue } from './index';
import type {
  AgentContext,
  AgentEvent,
  AgentLoopConfig,
  AgentMessage,
  AssistantMessage,
  Message,
  StreamFn,
} from './index';
import {
  call,
  callsTools,
  lastAssistant,
  MODEL,
  outline,
  plays,
  says,
  toolSaying,
  user,
} from './loop.testing';

const config: AgentLoopConfig = { model: MODEL, convertToLlm: (messages) => messages as Message[] };
const empty = (): AgentContext => ({ messages: [] });

async function all(stream: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

const unhandled: unknown[] = [];
const note = (error: unknown) => void unhandled.push(error);
beforeAll(() => void process.on('unhandledRejection', note));
afterAll(async () => {
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

describe('agentLoop', () => {
  test('streams the events of the run, and its result is what the run added', async () => {
    const stream = agentLoop([user('go')], empty(), config, undefined, plays(says('done')).streamFn);
    const events = await all(stream);
    expect(events.at(0)?.type).toBe('agent_start');
    expect(events.at(-1)?.type).toBe('agent_end');
    expect(outline(await stream.result())).toEqual(['user go', 'assistant done']);
  });

  test('does not wait for whoever consumes it', async () => {
    const stream = agentLoop([user('go')], empty(), config, undefined, plays(says('done')).streamFn);
    expect(await stream.result()).toHaveLength(2);
    expect((await all(stream)).at(-1)?.type).toBe('agent_end');
  });

  test('leaves the lists of its caller alone', async () => {
    const context: AgentContext = { messages: [user('earlier')], tools: [toolSaying('ls', '')] };
    const prompts = [user('go')];
    await agentLoop(prompts, context, config, undefined, plays(says('done')).streamFn).result();
    await runAgentLoopContinue(context, config, () => undefined, undefined, plays(says('done')).streamFn);
    expect(context.messages).toHaveLength(1);
    expect(prompts).toHaveLength(1);
  });

  test('sees an abort of the signal that it was given', async () => {
    const stream = agentLoop(
      [user('go')],
      empty(),
      config,
      AbortSignal.abort(),
      plays(says('done')).streamFn,
    );
    expect(lastAssistant(await stream.result()).stopReason).toBe('aborted');
  });

  test('without a stream function ends with an error', async () => {
    const [failure] = await agentLoop([user('go')], empty(), config).result();
    expect(failure).toMatchObject({
      stopReason: 'error',
      errorMessage: expect.stringContaining('No stream function') as string,
    });
  });
});

describe('agentLoopContinue', () => {
  test('asks at once, without events for what is there already', async () => {
    const stream = agentLoopContinue(
      { messages: [user('go')] },
      config,
      undefined,
      plays(says('done')).streamFn,
    );
    const messages = (await all(stream)).flatMap((event) =>
      event.type === 'message_end' ? [event.message] : [],
    );
    expect(outline(messages)).toEqual(['assistant done']);
  });

  test('throws at once when there is nothing to answer', () => {
    expect(() => agentLoopContinue(empty(), config)).toThrow('no messages');
    const answered = { messages: [{ role: 'assistant', timestamp: 1 }] };
    expect(() => agentLoopContinue(answered, config)).toThrow('assistant');
  });
});

describe('whatever throws, a stream ends and its result settles (L-01, L-03)', () => {
  const fail = () => Promise.reject(new Error('boom'));
  const failNow = () => {
    throw new Error('boom');
  };
  const streaming = (
    next: () => Promise<IteratorResult<never>>,
    result: () => Promise<AssistantMessage>,
  ): StreamFn => {
    const iterator: AsyncIterator<never> = { next, return: fail };
    return () => ({ [Symbol.asyncIterator]: () => iterator, result });
  };
  const ended = () => Promise.resolve({ done: true as const, value: undefined });
  const broken: [string, Partial<AgentLoopConfig>, StreamFn?][] = [
    ['getApiKey', { getApiKey: fail }],
    ['getApiKey, at once', { getApiKey: failNow }],
    ['convertToLlm', { convertToLlm: failNow }],
    ['convertToLlm, later', { convertToLlm: fail }],
    ['transformContext', { transformContext: fail }],
    ['transformContext, at once', { transformContext: failNow }],
    ['prepareRequest', { prepareRequest: fail }],
    ['prepareNextTurn', { prepareNextTurn: fail }],
    ['finishTurn', { finishTurn: fail }],
    ['the steering poll', { getSteeringMessages: fail }],
    ['the follow-up poll', { getFollowUpMessages: fail }],
    ['the follow-up poll, at once', { getFollowUpMessages: failNow }],
    ['onStep', { onStep: fail }],
    ['the stream function, at once', {}, failNow],
    ['the stream function, later', {}, fail],
    ['the iteration of the stream', {}, streaming(fail, fail)],
    ['the result of the stream', {}, streaming(ended, fail)],
  ];
  const starts: [string, (config: AgentLoopConfig, streamFn: StreamFn) => ReturnType<typeof agentLoop>][] = [
    ['agentLoop', (...rest) => agentLoop([user('go')], empty(), rest[0], undefined, rest[1])],
    [
      'agentLoopContinue',
      (...rest) => agentLoopContinue({ messages: [user('go')] }, rest[0], undefined, rest[1]),
    ],
  ];

  describe.each(starts)('%s', (_, start) => {
    test.each(broken)(
      '%s',
      async (_name, more, streamFn = plays(callsTools(call('c1', 'none')), says('done')).streamFn) => {
        const stream = start({ ...config, ...more }, streamFn);
        const events = await all(stream);
        const result = await stream.result();
        expect(events.slice(-4).map(({ type }) => type)).toEqual([
          'message_start',
          'message_end',
          'turn_end',
          'agent_end',
        ]);
        expect(events.filter(({ type }) => type === 'agent_end')).toHaveLength(1);
        const turns = (type: AgentEvent['type']) =>
          events.flatMap((event) => (event.type === type && 'turnId' in event ? [event.turnId] : []));
        expect(turns('turn_end')).toEqual(expect.arrayContaining(turns('turn_start')));
        expect(result).toMatchObject([{ role: 'assistant', stopReason: 'error', errorMessage: 'boom' }]);
      },
    );
  });

  test('runAgentLoop rejects instead, and leaves closing to its caller', async () => {
    const events: AgentEvent[] = [];
    const emit = (event: AgentEvent) => void events.push(event);
    const run = runAgentLoop(
      [user('go')],
      empty(),
      { ...config, prepareRequest: fail },
      emit,
      undefined,
      plays(says('done')).streamFn,
    );
    await expect(run).rejects.toThrow('boom');
    expect(events.at(-1)?.type).toBe('message_end');
  });

  test('runAgentLoop rejects when its sink throws', async () => {
    await expect(
      runAgentLoop([user('go')], empty(), config, failNow, undefined, plays(says('done')).streamFn),
    ).rejects.toThrow('boom');
  });
});

describe('what hooks replace', () => {
  const twoTurns = () => plays(callsTools(call('c1', 'ls')), says('done'));
  const run = (
    model: ReturnType<typeof plays>,
    more: Partial<AgentLoopConfig>,
    tools = [toolSaying('ls', 'file')],
  ) =>
    runAgentLoop(
      [user('go')],
      { messages: [], tools },
      { ...config, ...more },
      () => undefined,
      undefined,
      model.streamFn,
    );

  test('prepareRequest: the model and the level stay for the rest of the run', async () => {
    const model = twoTurns();
    let asked = 0;
    const added = await run(model, {
      prepareRequest: ({ model: current, thinkingLevel }) => {
        seen.push(`${current.id} ${thinkingLevel}`);
        return Promise.resolve(
          asked++ === 0 ? { model: { ...MODEL, id: 'm-2' }, thinkingLevel: 'high' } : undefined,
        );
      },
    });
    expect(seen).toEqual(['m-1 off', 'm-2 high']);
    expect(model.requests.map((request) => [request.model, request.options.reasoning])).toEqual([
      ['m-2', 'high'],
      ['m-2', 'high'],
    ]);
    expect(lastAssistant(added)).toMatchObject({ thinkingLevel: 'high' });
  });
  const seen: string[] = [];

  test('prepareRequest: a level of off asks for no reasoning', async () => {
    const model = plays(says('done'));
    await run(model, { reasoning: 'low', prepareRequest: () => Promise.resolve({ thinkingLevel: 'off' }) });
    expect(model.requests[0]?.options).not.toHaveProperty('reasoning');
  });

  test('prepareNextTurn: the next request sees the new context, and what the run added stays whole', async () => {
    const model = twoTurns();
    const compacted: AgentMessage[] = [user('summary')];
    const added = await run(model, {
      prepareNextTurn: () =>
        Promise.resolve({ context: { messages: compacted, tools: [] }, messages: [user('note')] }),
    });
    // The tool is not declared in the new context, and cannot run in it: nothing has to be said.
    expect(outline(model.requests[1]?.messages ?? [])).toEqual(['user summary', 'user note']);
    expect(outline(added)).toEqual([
      'system',
      'user go',
      'assistant toolCall',
      'toolResult file',
      'user note',
      'assistant done',
    ]);
    expect(compacted).toHaveLength(1);
  });

  test('prepareNextTurn: new tools are declared ahead of the next request, and can run', async () => {
    const model = plays(callsTools(call('c1', 'ls')), callsTools(call('c2', 'rm')), says('done'));
    const added = await run(model, {
      prepareNextTurn: ({ context }) =>
        Promise.resolve({ context: { ...context, tools: [toolSaying('rm', 'removed')] } }),
    });
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'system',
      toolsAdded: [{ name: 'rm' }],
      toolsRemoved: [{ name: 'ls' }],
    });
    expect(outline(added)).toContain('toolResult removed');
  });

  test('transformContext shapes the request, and cannot change the transcript, not even in place', async () => {
    const model = twoTurns();
    const contexts: string[][] = [];
    const added = await run(model, {
      transformContext: (messages) => {
        messages.splice(0, messages.length, user('only this'));
        return Promise.resolve(messages);
      },
      finishTurn: ({ context }) => Promise.resolve(void contexts.push(outline(context.messages))),
    });
    expect(contexts[0]).toEqual(['system', 'user go', 'assistant toolCall', 'toolResult file']);
    expect(model.requests.map(({ messages }) => outline(messages))).toEqual([
      ['user only this'],
      ['user only this'],
    ]);
    expect(outline(added)).toContain('user go');
  });

  test('getApiKey gives each request its key; without one the configured key is used', async () => {
    const model = twoTurns();
    let count = 0;
    await run(model, { apiKey: 'fixed', getApiKey: () => (count++ === 0 ? 'fresh' : undefined) });
    expect(model.requests.map(({ options }) => options.apiKey)).toEqual(['fresh', 'fixed']);
  });

  test('finishTurn sees the turn, the context and what the run has added', async () => {
    const turns: string[][] = [];
    await run(twoTurns(), {
      finishTurn: ({ message, toolResults, context, newMessages }) => {
        expect(newMessages).toEqual(context.messages.slice(-newMessages.length));
        turns.push([message.stopReason, String(toolResults.length), outline(newMessages).at(-1) ?? '']);
        return Promise.resolve(undefined);
      },
    });
    expect(turns).toEqual([
      ['toolUse', '1', 'toolResult file'],
      ['stop', '0', 'assistant done'],
    ]);
  });
});

describe('a stream', () => {
  test('is told to clean up when it is finished, and when the run breaks in the middle of it', async () => {
    const closed: string[] = [];
    const streamFn: StreamFn = (model, context, options) => {
      const stream = plays(says('done')).streamFn(model, context, options) as AsyncIterable<never> & {
        result: () => Promise<AssistantMessage>;
      };
      async function* events() {
        try {
          yield* stream;
          throw new Error('read on after the end');
        } finally {
          closed.push('closed');
        }
      }
      return { [Symbol.asyncIterator]: events, result: () => stream.result() };
    };
    await agentLoop([user('go')], empty(), config, undefined, streamFn).result();
    expect(closed).toEqual(['closed']);
    const emit = (event: AgentEvent) =>
      event.type === 'message_update' ? Promise.reject(new Error('boom')) : undefined;
    await expect(runAgentLoop([user('go')], empty(), config, emit, undefined, streamFn)).rejects.toThrow(
      'boom',
    );
    await expect.poll(() => closed).toEqual(['closed', 'closed']);
  });
});

describe('sections of the prompt', () => {
  test('reach the request as they were patched, and the agent can be asked for the whole', async () => {
    const model = plays(says('done'));
    const messages: AgentMessage[] = [
      { role: 'system', content: 'Base.', sections: { files: 'a.txt' }, timestamp: 1 },
      user('earlier'),
    ];
    const patch: AgentMessage = {
      role: 'system',
      content: '',
      sections: { files: null, date: 'Monday' },
      timestamp: 2,
    };
    await runAgentLoop([patch, user('go')], { messages }, config, () => undefined, undefined, model.streamFn);
    expect(model.requests[0]?.messages.filter(({ role }) => role === 'system')).toMatchObject([
      { sections: { files: 'a.txt' } },
      { sections: { files: null, date: 'Monday' } },
    ]);
  });
});

describe('ids', () => {
  test('say where every event belongs, whatever order they come in', async () => {
    const model = plays(callsTools(call('c1', 'ls'), call('c1', 'ls')), says('done'));
    const events = await all(
      agentLoop(
        [user('go')],
        { messages: [], tools: [toolSaying('ls', 'file')] },
        config,
        undefined,
        model.streamFn,
      ),
    );
    const runs = new Set(events.map(({ runId }) => runId));
    expect(runs.size).toBe(1);
    const open = { turns: new Set<string>(), messages: new Set<string>(), calls: new Set<string>() };
    for (const event of events) {
      if (event.type === 'turn_start') open.turns.add(event.turnId);
      else if ('turnId' in event) expect(open.turns).toContain(event.turnId);
      if (event.type === 'turn_end') open.turns.delete(event.turnId);
      if (event.type === 'message_start') open.messages.add(event.messageId);
      if (event.type === 'message_update') expect(open.messages).toContain(event.messageId);
      if (event.type === 'message_end') expect(open.messages.delete(event.messageId)).toBe(true);
      if (event.type === 'tool_execution_start') open.calls.add(event.callId);
      if (event.type === 'tool_execution_end') expect(open.calls.delete(event.callId)).toBe(true);
    }
    expect([open.turns.size, open.messages.size, open.calls.size]).toEqual([0, 0, 0]);
    const answer = events.find((event) => event.type === 'message_end' && event.origin === 'model');
    const started = events.find((event) => event.type === 'tool_execution_start');
    expect(started).toMatchObject({ messageId: answer && 'messageId' in answer ? answer.messageId : '' });
  });

  test('come from the host when it makes them, and are the same in the same run', async () => {
    const record = async () => {
      let count = 0;
      const stream = agentLoop(
        [user('go')],
        empty(),
        { ...config, newId: () => `id${++count}`, now: () => 7 },
        undefined,
        plays(says('done')).streamFn,
      );
      return JSON.stringify(await all(stream));
    };
    expect(await record()).toBe(await record());
  });

  test('name the origin of each message', async () => {
    const model = plays(callsTools(call('c1', 'ls')), says('done'));
    const steering = [[user('S')]];
    const events = await all(
      agentLoop(
        [user('go')],
        { messages: [], tools: [toolSaying('ls', 'file')] },
        {
          ...config,
          getSteeringMessages: () => Promise.resolve(steering.pop() ?? []),
          prepareNextTurn: () => Promise.resolve({ messages: [user('note')] }),
        },
        undefined,
        model.streamFn,
      ),
    );
    const origins = events.flatMap((event) => (event.type === 'message_end' ? [event.origin] : []));
    expect(origins).toEqual([
      'tools',
      'prompt',
      'steering',
      'model',
      'toolResult',
      'prepareNextTurn',
      'model',
    ]);
  });
});
