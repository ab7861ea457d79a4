import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ScriptedTurn } from './conformance/script.testing';
import type { Agent, AgentEvent, AgentOptions, AgentTool, QueueName } from './index';
import { agentOn, call, plays, says, toolThat, user } from './loop.testing';

interface RandomTool {
  ticks: number;
  outcome: 'ok' | 'throw' | 'terminate' | 'error';
  sequential: boolean;
  progress: boolean;
}
interface RandomAction {
  /** Counted on all events of the run. */
  atEvent: number;
  do: 'steer' | 'followUp' | 'abort' | 'clear' | 'remove' | 'edit' | 'move' | 'mode' | 'break';
  queue: QueueName;
  nth: number;
}
interface RandomScenario {
  tools: RandomTool[];
  turns: ScriptedTurn[];
  actions: RandomAction[];
  early: QueueName[];
  hooks: {
    finishTurn: ('continue' | 'end' | undefined)[];
    blocks: boolean[];
    fails: boolean[];
    notes: number[];
  };
  options: Pick<AgentOptions, 'toolExecution' | 'steeringMode' | 'followUpMode'>;
}

const toolName = fc.constantFrom('t0', 't1', 't2', 'unknown');
const turn: fc.Arbitrary<ScriptedTurn> = fc
  .record({
    calls: fc.array(fc.record({ name: toolName, id: fc.constantFrom('a', 'b', 'c'), wrong: fc.boolean() }), {
      maxLength: 4,
    }),
    stopReason: fc.oneof(
      { weight: 8, arbitrary: fc.constant('toolUse' as const) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('stop' as const, 'length' as const, 'error' as const, 'aborted' as const),
      },
    ),
    start: fc.boolean(),
    silent: fc.boolean(),
  })
  .map(({ calls, stopReason, start, silent }) => ({
    ...says('text'),
    blocks: [
      { type: 'text' as const, text: 'text' },
      ...calls.map(({ id, name, wrong }) => call(id, name, wrong ? {} : { value: 'v' })),
    ],
    stopReason,
    start,
    end: silent ? 'silent' : 'done',
  }));

const queue = fc.constantFrom<QueueName>('steering', 'followUp');
const scenario = (breaks: boolean): fc.Arbitrary<RandomScenario> =>
  fc.record({
    tools: fc.array(
      fc.record({
        ticks: fc.nat(12),
        outcome: fc.constantFrom('ok' as const, 'throw' as const, 'terminate' as const, 'error' as const),
        sequential: fc.boolean(),
        progress: fc.boolean(),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    turns: fc.array(turn, { minLength: 1, maxLength: 5 }),
    actions: fc.array(
      fc.record({
        atEvent: fc.nat(60),
        do: fc.constantFrom<RandomAction['do']>(
          'steer',
          'steer',
          'followUp',
          'followUp',
          'abort',
          'clear',
          'remove',
          'edit',
          'move',
          'mode',
          ...(breaks ? (['break'] as const) : []),
        ),
        queue,
        nth: fc.nat(5),
      }),
      { maxLength: 8 },
    ),
    early: fc.array(queue, { maxLength: 3 }),
    hooks: fc.record({
      finishTurn: fc.array(fc.constantFrom('continue' as const, 'end' as const, undefined, undefined), {
        maxLength: 4,
      }),
      blocks: fc.array(fc.boolean(), { maxLength: 4 }),
      fails: fc.array(fc.boolean(), { maxLength: 4 }),
      notes: fc.array(fc.nat(2), { maxLength: 4 }),
    }),
    options: fc.record({
      toolExecution: fc.constantFrom('parallel' as const, 'sequential' as const),
      steeringMode: fc.constantFrom('one-at-a-time' as const, 'all' as const),
      followUpMode: fc.constantFrom('one-at-a-time' as const, 'all' as const),
    }),
  });

async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick++) await Promise.resolve();
}

function randomTool({ ticks: wait, outcome, sequential, progress }: RandomTool, index: number): AgentTool {
  return toolThat(
    `t${index}`,
    async (_id, _args, _signal, onUpdate) => {
      if (progress) onUpdate?.({ content: [] });
      await ticks(wait);
      if (outcome === 'throw') throw new Error('failed');
      return {
        content: [],
        ...(outcome === 'terminate' ? { terminate: true } : {}),
        isError: outcome === 'error',
      };
    },
    {
      parameters: { type: 'object', required: ['value'] },
      ...(sequential ? { executionMode: 'sequential' as const } : {}),
    },
  );
}

/** What a run did, and where each queued message went. */
interface Observed {
  agent: Agent;
  events: AgentEvent[];
  queued: string[];
  dropped: string[];
}

async function play(random: RandomScenario): Promise<Observed> {
  const { tools, turns, actions, early, options } = random;
  // Used up below; fast-check may want to play the same scenario again.
  const hooks = structuredClone(random.hooks);
  const queued: string[] = [];
  const dropped: string[] = [];
  let text = 0;
  const next = <T>(list: T[]) => list.shift();
  const model = plays(...turns, says('end'));
  const { agent, events } = agentOn(model, tools.map(randomTool), {
    ...options,
    finishTurn: ({ context, newMessages }) => {
      expect(context.messages.slice(context.messages.length - newMessages.length)).toEqual(newMessages);
      const action = next(hooks.finishTurn);
      return Promise.resolve(action && { action });
    },
    beforeToolCall: () => Promise.resolve(next(hooks.blocks) ? { block: true, terminate: true } : undefined),
    afterToolCall: () =>
      next(hooks.fails) ? Promise.reject(new Error('hook bad')) : Promise.resolve(undefined),
    prepareNextTurn: () =>
      Promise.resolve({
        messages: Array.from({ length: next(hooks.notes) ?? 0 }, () => user(`note ${text++}`)),
      }),
    onQueueChange: (_queue, _content, why, ids) => {
      if (why === 'remove' || why === 'clear') dropped.push(...ids);
    },
  });
  const enqueue = (name: QueueName) =>
    queued.push(name === 'steering' ? agent.steer(user(`m${text++}`)) : agent.followUp(user(`m${text++}`)));
  for (const name of early) enqueue(name);
  agent.subscribe(() => {
    for (const action of actions) if (action.atEvent === events.length) act(agent, action, queued, enqueue);
  });
  await agent.prompt('go');
  return { agent, events, queued, dropped };
}

function act(
  agent: Agent,
  action: RandomAction,
  queued: string[],
  enqueue: (queue: QueueName) => void,
): void {
  const id = queued[action.nth % Math.max(queued.length, 1)] ?? 'none';
  switch (action.do) {
    case 'steer':
      return enqueue('steering');
    case 'followUp':
      return enqueue('followUp');
    case 'abort':
      return agent.abort();
    case 'clear':
      return action.queue === 'steering' ? agent.clearSteeringQueue() : agent.clearFollowUpQueue();
    case 'remove':
      return void agent.removeQueued(id);
    case 'edit':
      return void agent.editQueued(id, user('edited'));
    case 'move':
      return void agent.moveQueued(id, action.queue, action.nth);
    case 'mode':
      agent.steeringMode = agent.followUpMode = action.nth % 2 === 0 ? 'all' : 'one-at-a-time';
      return;
    case 'break':
      throw new Error('listener failed');
  }
}

/** In every batch that ran, exactly one result for each call, in the order of the calls. */
function expectWholeBatches(events: AgentEvent[]): void {
  for (const event of events) {
    if (event.type !== 'turn_end') continue;
    const { message, toolResults } = event;
    const ran = message.stopReason !== 'error' && message.stopReason !== 'aborted';
    const calls = message.content.flatMap((block) =>
      block.type === 'toolCall' ? [`${block.id} ${block.name}`] : [],
    );
    expect(toolResults.map((result) => `${result.toolCallId} ${result.toolName}`)).toEqual(ran ? calls : []);
    const callIds = (type: AgentEvent['type']) =>
      events.flatMap((one) =>
        one.type === type && 'callId' in one && one.turnId === event.turnId ? [one.callId] : [],
      );
    expect(callIds('tool_execution_start')).toHaveLength(toolResults.length);
    expect(callIds('tool_execution_end').sort()).toEqual(callIds('tool_execution_start').sort());
    expect(callIds('message_end')).toEqual(callIds('tool_execution_start'));
  }
}

/** Every queued message was delivered once, or still waits, or was taken out by hand. */
function expectNothingLost({ agent, events, queued, dropped }: Observed): void {
  const delivered = events.flatMap((event) =>
    event.type === 'message_end' && (event.origin === 'steering' || event.origin === 'followUp')
      ? [event.messageId]
      : [],
  );
  const waiting = [...agent.queued('steering'), ...agent.queued('followUp')].map(({ id }) => id);
  expect([...delivered, ...waiting, ...dropped].sort()).toEqual([...queued].sort());
}

test('500 random scenarios that nothing breaks: one agent_end, whole batches, new messages at the tail, queues whole', async () => {
  await fc.assert(
    fc.asyncProperty(scenario(false), async (random) => {
      const observed = await play(random);
      const { agent, events } = observed;
      expect(events.filter(({ type }) => type === 'agent_end')).toHaveLength(1);
      const last = events.at(-1);
      expect(last?.type).toBe('agent_end');
      const added = last?.type === 'agent_end' ? last.messages : [];
      expect(agent.state.messages.slice(agent.state.messages.length - added.length)).toEqual(added);
      expect(events.flatMap((event) => (event.type === 'message_end' ? [event.message] : []))).toEqual(added);
      expectWholeBatches(events);
      expectNothingLost(observed);
    }),
    { numRuns: 500 },
  );
});

test('random scenarios with a listener that fails: the run closes all the same, with one failure message each time', async () => {
  await fc.assert(
    fc.asyncProperty(scenario(true), async (random) => {
      // One failure: a second one, while the first is closed, is what prompt() rejects with.
      const first = random.actions.find((action) => action.do === 'break');
      const actions = random.actions.filter((action) => action.do !== 'break' || action === first);
      const { agent, events } = await play({ ...random, actions });
      expect(events.at(-1)?.type).toBe('agent_end');
      expect(agent.state.isStreaming).toBe(false);
      expect(agent.state.pendingToolCalls.size).toBe(0);
      const turns = (type: AgentEvent['type']) =>
        events.flatMap((event) => (event.type === type && 'turnId' in event ? [event.turnId] : []));
      expect(turns('turn_end')).toEqual(expect.arrayContaining(turns('turn_start')));
    }),
    { numRuns: 200 },
  );
});
