import { describe, expect, test } from 'vitest';
import type { AgentEvent, QueueChange } from './index';
import {
  agentOn,
  call,
  callsTools,
  failsWith,
  MODEL,
  outline,
  plays,
  says,
  toolSaying,
  user,
} from './loop.testing';

const types = (events: AgentEvent[]) => events.map(({ type }) => type);

describe('steering and follow-ups during a run', () => {
  test('steering waits for the whole batch and joins before the next request (Q-01)', async () => {
    const calls = ['c1', 'c2', 'c3'].map((id) => call(id, 'ls'));
    const model = plays(callsTools(...calls), says('done'));
    const { agent } = agentOn(model, [toolSaying('ls', 'file')], { toolExecution: 'sequential' });
    agent.subscribe((event) => {
      if (event.type === 'tool_execution_start' && event.toolCallId === 'c1') agent.steer(user('S'));
    });
    await agent.prompt('go');
    const expected = ['toolResult file', 'toolResult file', 'toolResult file', 'user S'];
    expect(outline(model.requests[1]?.messages ?? []).slice(-4)).toEqual(expected);
  });

  test('a failed turn leaves the queues, and continue delivers them once (Q-05)', async () => {
    const model = plays(failsWith('500'), says('done'));
    const { agent } = agentOn(model);
    agent.followUp(user('F'));
    await agent.prompt('go');
    expect(agent.queued('followUp')).toHaveLength(1);
    await agent.continue();
    await agent.prompt('more');
    expect(outline(agent.state.messages).filter((line) => line === 'user F')).toHaveLength(1);
    expect(agent.hasQueuedMessages()).toBe(false);
  });

  test('one at a time gives each steering message a turn of its own, oldest first (Q-07)', async () => {
    const { agent } = agentOn(plays(says('ok')));
    let queued = false;
    agent.subscribe((event) => {
      if (event.type !== 'message_update' || queued) return;
      queued = true;
      for (const text of ['1', '2', '3']) agent.steer(user(text));
    });
    await agent.prompt('go');
    const expected = [
      'user go',
      'assistant ok',
      'user 1',
      'assistant ok',
      'user 2',
      'assistant ok',
      'user 3',
      'assistant ok',
    ];
    expect(outline(agent.state.messages)).toEqual(expected);
  });

  test('steering goes before a follow-up that was queued earlier (Q-09)', async () => {
    const { agent } = agentOn(plays(callsTools(call('c1', 'ls')), callsTools(call('c2', 'ls')), says('ok')), [
      toolSaying('ls', 'file'),
    ]);
    agent.subscribe((event) => {
      if (event.type !== 'tool_execution_start' || event.toolCallId !== 'c1') return;
      agent.followUp(user('F'));
      agent.steer(user('S'));
    });
    await agent.prompt('go');
    const texts = outline(agent.state.messages).filter(
      (line) => line.startsWith('user') || line === 'assistant ok',
    );
    expect(texts).toEqual(['user go', 'user S', 'assistant ok', 'user F', 'assistant ok']);
  });

  test('continue takes one steering message and does not poll another into the same turn (Q-11)', async () => {
    const model = plays(says('ok'));
    const { agent } = agentOn(model);
    await agent.prompt('go');
    agent.steer(user('A'));
    agent.steer(user('B'));
    await agent.continue();
    expect(outline(model.requests[1]?.messages ?? []).at(-1)).toBe('user A');
    expect(outline(model.requests[2]?.messages ?? []).at(-1)).toBe('user B');
  });

  test('what is cleared during a run does not arrive (Q-13)', async () => {
    const model = plays(says('ok'));
    const { agent } = agentOn(model);
    agent.subscribe((event) => {
      if (event.type === 'message_update') {
        agent.steer(user('S'));
        agent.followUp(user('F'));
      }
      if (event.type === 'message_end' && event.origin === 'model') agent.clearAllQueues();
    });
    await agent.prompt('go');
    expect(model.requests).toHaveLength(1);
    expect(outline(agent.state.messages)).toEqual(['user go', 'assistant ok']);
  });

  test('a mode that changes during a run counts from the next drain', async () => {
    const model = plays(says('ok'));
    const { agent } = agentOn(model);
    agent.subscribe((event) => {
      if (event.type === 'turn_start' && model.requests.length === 0)
        for (const text of ['1', '2']) agent.followUp(user(text));
      if (event.type === 'turn_end') agent.followUpMode = 'all';
    });
    await agent.prompt('go');
    expect(outline(model.requests[1]?.messages ?? []).slice(-2)).toEqual(['user 1', 'user 2']);
  });

  test('a follow-up that becomes steering during the run lands before the next request', async () => {
    const model = plays(callsTools(call('c1', 'ls')), callsTools(call('c2', 'ls')), says('ok'));
    const { agent } = agentOn(model, [toolSaying('ls', 'file')]);
    const id = agent.followUp(user('F'));
    agent.subscribe((event) => {
      if (event.type === 'tool_execution_start' && event.toolCallId === 'c1')
        agent.moveQueued(id, 'steering');
    });
    await agent.prompt('go');
    expect(outline(model.requests[1]?.messages ?? []).at(-1)).toBe('user F');
  });
});

describe('a queued message', () => {
  test('can be edited and removed until it is taken', async () => {
    const model = plays(says('ok'));
    const { agent } = agentOn(model);
    const edited = agent.followUp(user('draft'));
    const removed = agent.followUp(user('gone'));
    expect(agent.editQueued(edited, user('final'))).toBe(true);
    expect(agent.removeQueued(removed)).toMatchObject({ id: removed });
    await agent.prompt('go');
    expect(agent.editQueued(edited, user('too late'))).toBe(false);
    expect(outline(agent.state.messages).filter((line) => line.startsWith('user'))).toEqual([
      'user go',
      'user final',
    ]);
  });

  test('is the message of that id in the events, with the queue as its origin', async () => {
    const { agent, events } = agentOn(plays(says('ok')));
    const steering = agent.steer(user('S'));
    const followUp = agent.followUp(user('F'));
    await agent.prompt('go');
    const started = events.flatMap((event) =>
      event.type === 'message_start' ? [[event.messageId, event.origin]] : [],
    );
    expect(started.filter(([, origin]) => origin === 'steering')).toEqual([[steering, 'steering']]);
    expect(started.filter(([, origin]) => origin === 'followUp')).toEqual([[followUp, 'followUp']]);
    expect(new Set(started.map(([id]) => id)).size).toBe(started.length);
  });

  test('that continue begins with keeps its id and origin too', async () => {
    const messages = [user('go'), { role: 'assistant' as const, timestamp: 1 }];
    const { agent, events } = agentOn(plays(says('ok')), [], { initialState: { model: MODEL, messages } });
    const id = agent.steer(user('S'));
    await agent.continue();
    expect(events.find(({ type }) => type === 'message_start')).toMatchObject({
      messageId: id,
      origin: 'steering',
    });
  });

  test('of the role system keeps its id when the tools that it declares are put right', async () => {
    const { agent, events } = agentOn(plays(says('ok')), [toolSaying('ls', '')]);
    agent.state.tools = [];
    const id = agent.steer({ role: 'system', content: 'Rule.', timestamp: 1 });
    await agent.prompt('go');
    const event = events.find((one) => one.type === 'message_end' && one.origin === 'steering');
    expect(event).toMatchObject({ messageId: id, message: { content: 'Rule.' } });
  });

  test('queued twice as the same object arrives twice, under two ids', async () => {
    const { agent, events } = agentOn(plays(says('ok')), [], { steeringMode: 'all' });
    const message = user('again');
    const ids = [agent.steer(message), agent.steer(message)];
    await agent.prompt('go');
    const arrived = events.flatMap((event) =>
      event.type === 'message_end' && event.origin === 'steering' ? [event.messageId] : [],
    );
    expect(arrived).toEqual(ids);
  });
});

test('who watches the queues hears of what the run takes', async () => {
  const changes: [string, QueueChange, number][] = [];
  const { agent, events } = agentOn(plays(says('ok')), [], {
    onQueueChange: (queue, content, why) => changes.push([queue, why, content.length]),
  });
  agent.steer(user('S'));
  agent.followUp(user('F'));
  await agent.prompt('go');
  expect(changes).toEqual([
    ['steering', 'enqueue', 1],
    ['followUp', 'enqueue', 1],
    ['steering', 'drain', 0],
    ['followUp', 'drain', 0],
  ]);
  expect(types(events).filter((type) => type === 'agent_end')).toHaveLength(1);
});
