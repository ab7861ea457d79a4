import { describe, expect, test } from 'vitest';
import { Agent, AgentError } from './index';
import type { AgentEvent, Model } from './index';
import {
  agentOn,
  call,
  callsTools,
  deferred,
  failsWith,
  MODEL,
  nextEvent,
  outline,
  plays,
  says,
  toolSaying,
  toolThat,
  user,
} from './loop.testing';

const answer = () => plays(says('done'));

describe('prompt', () => {
  test('takes a text with images, one message, or several', async () => {
    const { agent } = agentOn(answer(), [], { now: () => 5 });
    await agent.prompt('look', [{ type: 'image', data: 'AA==', mimeType: 'image/png' }]);
    expect(agent.state.messages[0]).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'look' },
        { type: 'image', data: 'AA==', mimeType: 'image/png' },
      ],
      timestamp: 5,
    });
    await agent.prompt(user('one'));
    await agent.prompt([user('two'), user('three')]);
    expect(outline(agent.state.messages).filter((line) => line.startsWith('user'))).toEqual([
      'user look image',
      'user one',
      'user two',
      'user three',
    ]);
  });

  test('is refused during a run, which it does not disturb (L-19)', async () => {
    const { agent } = agentOn(answer());
    const first = agent.prompt('a');
    await expect(agent.prompt('b')).rejects.toThrow(/steer\(\).*followUp\(\)/);
    await expect(agent.prompt('b')).rejects.toMatchObject({ code: 'alreadyRunning' });
    await first;
    expect(outline(agent.state.messages)).toEqual(['user a', 'assistant done']);
  });

  test('is refused until the listeners of agent_end have settled', async () => {
    const { agent } = agentOn(answer());
    const held = deferred();
    const ended = nextEvent(agent, 'agent_end');
    agent.subscribe((event) => (event.type === 'agent_end' ? held.promise : undefined));
    const run = agent.prompt('a');
    await ended;
    expect(agent.state.isStreaming).toBe(true);
    await expect(agent.prompt('b')).rejects.toBeInstanceOf(AgentError);
    held.resolve();
    await run;
    expect(agent.state.isStreaming).toBe(false);
    expect(agent.signal).toBeUndefined();
  });
});

test('messages of roles that are the host’s own stay in the transcript, and no model sees them', async () => {
  const model = answer();
  const { agent } = agentOn(model);
  await agent.prompt([{ role: 'note', timestamp: 1 }, user('go')]);
  expect(outline(agent.state.messages)).toEqual(['note', 'user go', 'assistant done']);
  expect(outline(model.requests[0]?.messages ?? [])).toEqual(['user go']);
});

describe('continue', () => {
  const tail = (...messages: ReturnType<typeof user>[]) =>
    agentOn(answer(), [], { initialState: { model: MODEL, messages } }).agent;

  test('says beforehand what it would do', async () => {
    const empty = tail();
    expect(empty.continueKind()).toEqual({ blocked: 'empty' });
    const agent = tail(user('go'));
    expect(agent.continueKind()).toBe('request');
    const run = agent.continue();
    expect(agent.continueKind()).toEqual({ blocked: 'running' });
    await run;
    expect(agent.continueKind()).toEqual({ blocked: 'nothingQueued' });
    agent.followUp(user('F'));
    expect(agent.continueKind()).toBe('followUp');
    agent.steer(user('S'));
    expect(agent.continueKind()).toBe('steering');
  });

  test('has nothing to go on from when there are only system messages', async () => {
    const { agent } = agentOn(answer(), [], { initialState: { model: MODEL, systemPrompt: 'Be brief.' } });
    expect(agent.continueKind()).toEqual({ blocked: 'empty' });
    await expect(agent.continue()).rejects.toMatchObject({ code: 'nothingToContinue' });
  });

  test('is refused during a run and with nothing queued after an answer', async () => {
    const agent = tail(user('go'));
    const run = agent.continue();
    await expect(agent.continue()).rejects.toMatchObject({ code: 'alreadyRunning' });
    await run;
    await expect(agent.continue()).rejects.toMatchObject({ code: 'assistantTail' });
  });
});

describe('state', () => {
  test('copies the lists that are assigned', () => {
    const { agent } = agentOn(answer());
    const messages = [user('a')];
    const tools = [toolSaying('ls', '')];
    agent.state.messages = messages;
    agent.state.tools = tools;
    messages.push(user('b'));
    tools.pop();
    expect(agent.state.messages).toHaveLength(1);
    expect(agent.state.tools).toHaveLength(1);
  });

  test('begins with the prompt and the tools, unless the messages begin with a system message of their own', () => {
    const prompted = agentOn(answer(), [toolSaying('ls', '')], {
      initialState: { model: MODEL, systemPrompt: 'Be brief.' },
    }).agent;
    expect(prompted.state.systemPrompt).toBe('Be brief.');
    const messages = [{ role: 'system' as const, content: 'Own.', timestamp: 1 }];
    const own = agentOn(answer(), [], {
      initialState: { model: MODEL, systemPrompt: 'Be brief.', messages },
    }).agent;
    expect(own.state.systemPrompt).toBe('Own.');
  });

  test('shows the message that streams and the calls that run, before the listeners hear of it', async () => {
    const gates = [deferred(), deferred()];
    let executions = 0;
    const tool = toolThat('wait', async () => {
      await gates[executions++]?.promise;
      return { content: [] };
    });
    const model = plays(callsTools(call('c1', 'wait'), call('c1', 'wait')), says('done'));
    const { agent } = agentOn(model, [tool]);
    const seen: [AgentEvent['type'], boolean, string[]][] = [];
    let ends = 0;
    agent.subscribe((event) => {
      seen.push([event.type, agent.state.streamingMessage !== undefined, [...agent.state.pendingToolCalls]]);
      if (event.type === 'tool_execution_start') gates[0]?.resolve();
      if (event.type === 'tool_execution_end') gates[++ends]?.resolve();
    });
    await agent.prompt('go');
    expect(seen).toContainEqual(['message_update', true, []]);
    expect(seen).toContainEqual(['message_end', false, []]);
    // Two calls with one id: the id stays pending until both have ended.
    expect(seen.filter(([type]) => type === 'tool_execution_end').map(([, , calls]) => calls)).toEqual([
      ['c1'],
      [],
    ]);
    expect(agent.state.pendingToolCalls.size).toBe(0);
  });

  test('keeps the error of a failed turn until the next run', async () => {
    const { agent } = agentOn(plays(failsWith('no credit'), says('done')));
    await agent.prompt('a');
    expect(agent.state.errorMessage).toBe('no credit');
    await agent.prompt('b');
    expect(agent.state.errorMessage).toBeUndefined();
  });

  test('a run keeps the tools and the model that it started with', async () => {
    const other: Model = { ...MODEL, id: 'm-2' };
    const model = plays(callsTools(call('c1', 'ls')), says('done'));
    const { agent, events } = agentOn(model, [toolSaying('ls', 'a.txt')]);
    agent.subscribe((event) => {
      if (event.type !== 'turn_start') return;
      agent.state.tools = [];
      agent.state.model = other;
    });
    await agent.prompt('go');
    expect(model.requests.map((request) => request.model)).toEqual(['m-1', 'm-1']);
    expect(events.find((event) => event.type === 'tool_execution_end')).toMatchObject({ isError: false });
  });

  test('reset keeps the replayed prompt and tools, and empties the queues', async () => {
    const { agent } = agentOn(answer(), [toolSaying('ls', '')], {
      initialState: { model: MODEL, systemPrompt: 'One.' },
    });
    await agent.prompt([{ role: 'system', content: 'Two.', timestamp: 1 }, user('go')]);
    agent.steer(user('S'));
    agent.followUp(user('F'));
    agent.reset();
    expect(agent.state.messages).toMatchObject([
      { role: 'system', content: 'One.\n\nTwo.', toolsAdded: [{ name: 'ls' }] },
    ]);
    expect(agent.hasQueuedMessages()).toBe(false);
  });

  test('reset is refused during a run', async () => {
    const { agent } = agentOn(answer());
    const run = agent.prompt('go');
    expect(() => agent.reset()).toThrow(AgentError);
    await run;
  });
});

describe('listeners', () => {
  test('are awaited in the order of subscription, with the signal of the run', async () => {
    const agent = new Agent({ streamFn: answer().streamFn });
    const order: string[] = [];
    agent.subscribe(async (event, signal) => {
      await Promise.resolve();
      if (event.type === 'turn_start') order.push(`first ${signal === agent.signal}`);
    });
    agent.subscribe((event) => {
      if (event.type === 'turn_start') order.push('second');
    });
    await agent.prompt('go');
    expect(order).toEqual(['first true', 'second']);
  });

  test('hear nothing after they unsubscribed', async () => {
    const agent = new Agent({ streamFn: answer().streamFn });
    let heard = 0;
    const stop = agent.subscribe(() => void heard++);
    stop();
    await agent.prompt('go');
    expect(heard).toBe(0);
  });

  test('waitForIdle resolves after the last of them', async () => {
    const { agent, events } = agentOn(answer());
    void agent.prompt('go');
    await agent.waitForIdle();
    expect(events.at(-1)?.type).toBe('agent_end');
    await agent.waitForIdle();
  });

  test('all hear an event that one of them fails on, and the run closes', async () => {
    const agent = new Agent({ streamFn: answer().streamFn });
    agent.subscribe((event) => {
      if (event.type === 'turn_start') throw new Error('first failed');
    });
    const heard: AgentEvent['type'][] = [];
    agent.subscribe((event) => void heard.push(event.type));
    await agent.prompt('go');
    expect(heard).toEqual([
      'agent_start',
      'turn_start',
      'message_start',
      'message_end',
      'turn_end',
      'agent_end',
    ]);
  });

  test('that fail on everything cannot keep a run open, and prompt says so', async () => {
    const agent = new Agent({ streamFn: answer().streamFn });
    const heard: AgentEvent['type'][] = [];
    agent.subscribe((event) => {
      heard.push(event.type);
      throw new Error(`no ${event.type}`);
    });
    await expect(agent.prompt('go')).rejects.toThrow('no turn_end; no agent_end');
    expect(heard).toEqual(['agent_start', 'message_start', 'message_end', 'turn_end', 'agent_end']);
    expect(agent.state.isStreaming).toBe(false);
  });
});

describe('a run that something breaks', () => {
  test('closes with one failure message, and agent_end carries that alone', async () => {
    const { agent, events } = agentOn(answer(), [], {
      getApiKey: () => Promise.reject(new Error('token refresh failed')),
    });
    await agent.prompt('go');
    const end = events.at(-1);
    expect(end).toMatchObject({
      type: 'agent_end',
      messages: [{ stopReason: 'error', errorMessage: 'token refresh failed' }],
    });
    expect(agent.state.errorMessage).toBe('token refresh failed');
  });

  test('ends the open turn; between two turns its failure has an end and no start', async () => {
    const turnsOf = async (options: Parameters<typeof agentOn>[2]) => {
      const { agent, events } = agentOn(plays(callsTools(call('c1', 'none')), says('done')), [], options);
      await agent.prompt('go');
      return events.map(({ type }) => type).filter((type) => type.startsWith('turn'));
    };
    const pair = ['turn_start', 'turn_end'];
    expect(await turnsOf({ prepareRequest: () => Promise.reject(new Error('no')) })).toEqual(pair);
    expect(await turnsOf({ prepareNextTurn: () => Promise.reject(new Error('no')) })).toEqual([
      ...pair,
      'turn_end',
    ]);
  });

  test('is marked aborted when it was aborted before it broke', async () => {
    const { agent } = agentOn(answer(), [], {
      transformContext: () => {
        agent.abort();
        return Promise.reject(new Error('stopped'));
      },
    });
    await agent.prompt('go');
    expect(agent.state.messages.at(-1)).toMatchObject({ stopReason: 'aborted', errorMessage: 'stopped' });
  });

  test('hears no more of the tools that were still at work, and tells them to stop', async () => {
    const held = deferred();
    const stopped = deferred();
    const slow = toolThat('slow', async (_id, _args, signal) => {
      signal?.addEventListener('abort', () => stopped.resolve());
      await held.promise;
      return { content: [] };
    });
    const { agent, events } = agentOn(plays(callsTools(call('c1', 'slow'), call('c2', 'quick'))), [
      slow,
      toolSaying('quick', 'q'),
    ]);
    agent.subscribe((event) => {
      if (event.type === 'tool_execution_end') throw new Error('listener failed');
    });
    await agent.prompt('go');
    await stopped.promise;
    held.resolve();
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(events.at(-1)?.type).toBe('agent_end');
    expect(events.filter(({ type }) => type === 'tool_execution_end')).toHaveLength(1);
  });

  test('leaves the agent ready for the next prompt', async () => {
    let fail = true;
    const { agent } = agentOn(answer(), [], {
      prepareRequest: () => (fail ? Promise.reject(new Error('once')) : Promise.resolve(undefined)),
    });
    await agent.prompt('a');
    fail = false;
    await agent.prompt('b');
    expect(outline(agent.state.messages)).toEqual(['user a', 'assistant', 'user b', 'assistant done']);
  });
});
