import { describe, expect, test } from 'vitest';
import type { AgentEvent, AgentOptions, LoopStep } from './index';
import {
  agentOn,
  call,
  callsTools,
  deferred,
  failsWith,
  MODEL,
  plays,
  resultTexts,
  says,
  toolSaying,
  toolThat,
  user,
} from './loop.testing';
import type { PlayedModel } from './loop.testing';

/** What is said of a step in one line, for reading. */
function line(step: LoopStep): string {
  switch (step.type) {
    case 'poll':
      return `poll ${step.queue} at ${step.at}: ${step.count}`;
    case 'inject':
      return `inject ${step.prepared}+${step.pending}${step.tools ? ' and tools' : ''}`;
    case 'request':
      return `request ${step.model.id} ${step.thinkingLevel} ${step.context.messages.length}`;
    case 'batch':
      return `batch of ${step.calls} ${step.mode}, ${step.why}${step.toolName ? ` ${step.toolName}` : ''}`;
    case 'execute':
      return `execute ${step.toolName} ${JSON.stringify(step.args)}`;
    case 'hook':
      return `hook ${step.name}${step.decision ? ` ${JSON.stringify(step.decision)}` : ''}`;
    case 'decide':
      return `decide ${step.loop} ${step.go} ${JSON.stringify(step.values)}`;
  }
}

async function stepsOf(
  model: PlayedModel,
  options: Partial<AgentOptions> = {},
  setUp: (agent: ReturnType<typeof agentOn>['agent']) => void = () => undefined,
) {
  const steps: LoopStep[] = [];
  const { agent, events } = agentOn(model, options.initialState?.tools ?? [toolSaying('ls', 'file')], {
    onStep: (step) => void steps.push(step),
    ...options,
  });
  setUp(agent);
  await agent.prompt('go');
  return { steps, lines: steps.map(line), agent, events };
}

describe('steps', () => {
  test('say in order what the loop does and why it goes on or stops', async () => {
    const { lines } = await stepsOf(plays(callsTools(call('c1', 'ls', { path: '/' })), says('done')));
    const toolTurn = { stopReason: 'toolUse', toolResults: 1, terminated: false, pending: 0 };
    const lastTurn = { stopReason: 'stop', toolResults: 0, terminated: false, pending: 0 };
    expect(lines).toEqual([
      'inject 0+1',
      'poll steering at start: 0',
      'inject 0+0',
      'request m-1 off 2',
      'batch of 1 parallel, default',
      'execute ls {"path":"/"}',
      'poll steering at turnEnd: 0',
      `decide inner true ${JSON.stringify(toolTurn)}`,
      'poll steering at prepare: 0',
      'inject 0+0',
      'request m-1 off 4',
      'poll steering at turnEnd: 0',
      `decide inner false ${JSON.stringify(lastTurn)}`,
      'poll followUp at stop: 0',
      `decide outer false ${JSON.stringify({ ...lastTurn, followUps: 0 })}`,
    ]);
  });

  test('belong to the turn that is open, or to the one that they look back at', async () => {
    const { steps, events } = await stepsOf(plays(callsTools(call('c1', 'ls')), says('done')));
    const turns = events.flatMap((event) => (event.type === 'turn_start' ? [event.turnId] : []));
    const of = (turnId: string | undefined) =>
      steps.filter((step) => step.turnId === turnId).map(({ type }) => type);
    expect(of(turns[0])).toEqual([
      'inject',
      'poll',
      'inject',
      'request',
      'batch',
      'execute',
      'poll',
      'decide',
    ]);
    expect(of(turns[1])).toEqual(['inject', 'request', 'poll', 'decide']);
    expect(of(undefined)).toEqual(['poll', 'poll', 'decide']);
    expect(new Set(steps.map(({ runId }) => runId))).toEqual(new Set(events.map(({ runId }) => runId)));
  });

  test('count what queues gave, and say when steering makes the loop go on', async () => {
    const { lines } = await stepsOf(plays(says('done')), {}, (agent) => {
      agent.followUp(user('F'));
      agent.subscribe((event) => {
        if (event.type === 'turn_end' && agent.state.messages.length === 3) agent.steer(user('S'));
      });
    });
    expect(lines).toContain('poll steering at turnEnd: 1');
    expect(lines).toContain('inject 0+1');
    expect(lines.filter((one) => one.startsWith('decide inner true'))[0]).toContain('"pending":1');
    expect(lines.filter((one) => one.startsWith('decide outer true'))[0]).toContain('"followUps":1');
  });

  test('of a turn that failed: one decision, without polls', async () => {
    const { lines } = await stepsOf(plays(failsWith('no credit')));
    expect(lines.slice(3)).toEqual([
      'request m-1 off 2',
      expect.stringMatching(/^decide inner false .*"stopReason":"error"/),
    ]);
  });

  test('of finishTurn: what it said is among the values', async () => {
    const answers = ['continue', 'end'] as const;
    let asked = 0;
    const { lines } = await stepsOf(plays(says('done')), {
      finishTurn: () => Promise.resolve({ action: answers[asked++] ?? 'end' }),
    });
    expect(lines.filter((one) => one.startsWith('decide'))).toEqual([
      expect.stringMatching(/^decide inner false .*"finishTurn":"continue"/),
      expect.stringMatching(/^decide outer true .*"finishTurn":"continue"/),
      expect.stringMatching(/^decide inner false .*"finishTurn":"end"/),
    ]);
  });

  test('say when tools are declared in an injection', async () => {
    const { lines } = await stepsOf(plays(says('done')), {}, (agent) => {
      agent.state.tools = [];
    });
    expect(lines[0]).toBe('inject 0+1 and tools');
  });

  test('of a batch say what made it sequential or refused it', async () => {
    const called = callsTools(call('c1', 'ls'), call('c2', 'ask'));
    const tools = [toolSaying('ls', ''), toolSaying('ask', '', { executionMode: 'sequential' })];
    const batch = async (turn: typeof called, options: Partial<AgentOptions>) =>
      (await stepsOf(plays(turn, says('done')), options)).lines.find((one) => one.startsWith('batch'));
    expect(await batch(called, { initialState: { model: MODEL, tools } })).toBe(
      'batch of 2 sequential, tool ask',
    );
    expect(await batch(called, { toolExecution: 'sequential' })).toBe('batch of 2 sequential, config');
    expect(await batch({ ...called, stopReason: 'length' }, {})).toBe('batch of 2 refused, length');
  });

  test('of a request carry what really goes out, under the id of the coming message', async () => {
    const { steps, events } = await stepsOf(plays(says('done')), {
      transformContext: (messages) => Promise.resolve(messages.slice(-1)),
    });
    const request = steps.find((step) => step.type === 'request');
    expect(request?.context.messages).toHaveLength(1);
    expect(events.find((event) => event.type === 'message_start' && event.origin === 'model')).toMatchObject({
      messageId: request?.messageId,
    });
  });
});

describe('hooks are reported after they ran, with what they decided', () => {
  const hookLines = async (
    options: Partial<AgentOptions>,
    model = plays(callsTools(call('c1', 'ls')), says('done')),
  ) => (await stepsOf(model, options)).lines.filter((one) => one.startsWith('hook'));

  test('and without a decision when they changed nothing', async () => {
    const nothing = () => Promise.resolve(undefined);
    const lines = await hookLines({
      transformContext: (messages) => Promise.resolve([...messages]),
      getApiKey: () => 'secret',
      prepareRequest: nothing,
      prepareNextTurn: nothing,
      finishTurn: nothing,
      beforeToolCall: nothing,
      afterToolCall: nothing,
    });
    const request = ['hook prepareRequest', 'hook transformContext', 'hook getApiKey'];
    expect(lines).toEqual([
      ...request,
      'hook beforeToolCall',
      'hook afterToolCall',
      'hook finishTurn',
      'hook prepareNextTurn',
      ...request,
      'hook finishTurn',
    ]);
  });

  test.each<[string, Partial<AgentOptions>, object]>([
    [
      'transformContext',
      { transformContext: (messages) => Promise.resolve(messages.slice(-1)) },
      { replaced: ['messages'], messages: 1 },
    ],
    [
      'prepareRequest',
      { prepareRequest: ({ context }) => Promise.resolve({ context, model: MODEL, thinkingLevel: 'high' }) },
      { replaced: ['context', 'model', 'thinkingLevel'], thinkingLevel: 'high' },
    ],
    [
      'prepareNextTurn',
      { prepareNextTurn: () => Promise.resolve({ messages: [user('note')] }) },
      { messages: 1 },
    ],
    ['finishTurn', { finishTurn: () => Promise.resolve({ action: 'end' }) }, { action: 'end' }],
    [
      'beforeToolCall',
      { beforeToolCall: () => Promise.resolve({ block: true, reason: 'no', terminate: true }) },
      { block: true, reason: 'no', terminate: true },
    ],
    [
      'beforeToolCall',
      { beforeToolCall: ({ args }) => Promise.resolve(void (args['path'] = '/')) },
      { replaced: ['args'] },
    ],
    [
      'afterToolCall',
      { afterToolCall: () => Promise.resolve({ content: [], isError: false, terminate: true }) },
      { replaced: ['content', 'isError'], terminate: true },
    ],
    ['afterToolCall', { afterToolCall: () => Promise.reject(new Error('hook bad')) }, { error: 'hook bad' }],
    [
      'prepareRequest',
      { prepareRequest: () => Promise.reject(new Error('hook bad')) },
      { error: 'hook bad' },
    ],
  ])('%s', async (name, options, decision) => {
    const [first] = (await stepsOf(plays(callsTools(call('c1', 'ls')), says('done')), options)).steps.filter(
      (step) => step.type === 'hook',
    );
    expect(first).toMatchObject({ name });
    expect(first?.decision).toEqual(decision);
  });

  test('with the time that they took, and the call that they were asked about', async () => {
    let time = 0;
    const { steps, events } = await stepsOf(plays(callsTools(call('c1', 'ls')), says('done')), {
      now: () => time,
      beforeToolCall: () => Promise.resolve(void (time += 40)),
    });
    const started = events.find((event) => event.type === 'tool_execution_start');
    const hook = steps.find((step) => step.type === 'hook');
    expect(hook).toMatchObject({ durationMs: 40, callId: started?.callId });
    expect(steps.find((step) => step.type === 'execute')).toMatchObject({
      callId: started?.callId,
      toolCallId: 'c1',
    });
  });
});

describe('holding the loop', () => {
  test('at a step holds everything that comes after it', async () => {
    const held = deferred();
    const reached = deferred();
    const { agent, events } = agentOn(plays(says('done')), [], {
      onStep: (step) => {
        if (step.type !== 'request') return;
        reached.resolve();
        return held.promise;
      },
    });
    const run = agent.prompt('go');
    await reached.promise;
    await new Promise((resolve) => setTimeout(resolve, 0));
    const isAnswer = (event: AgentEvent) => event.type === 'message_start' && event.origin === 'model';
    expect(events.some(isAnswer)).toBe(false);
    held.resolve();
    await run;
    expect(events.some(isAnswer)).toBe(true);
  });

  test('before a call and aborting there leaves the call unrun', async () => {
    let executed = 0;
    const tool = toolThat('ls', () => Promise.resolve({ content: [], details: executed++ }));
    const { agent } = agentOn(plays(callsTools(call('c1', 'ls')), says('done')), [tool], {
      onStep: (step) => {
        if (step.type === 'execute') agent.abort();
      },
    });
    await agent.prompt('go');
    expect(executed).toBe(0);
    expect(resultTexts(agent.state.messages)).toEqual(['Tool call was aborted: it was not run.']);
  });

  test('shows the arguments that really run: a change there takes effect', async () => {
    const echo = toolThat('echo', (_id, args) =>
      Promise.resolve({ content: [{ type: 'text', text: String(args['text']) }] }),
    );
    const { agent } = agentOn(plays(callsTools(call('c1', 'echo', { text: 'a' })), says('done')), [echo], {
      onStep: (step) => {
        if (step.type === 'execute') step.args['text'] = 'by hand';
      },
    });
    await agent.prompt('go');
    expect(resultTexts(agent.state.messages)).toEqual(['by hand']);
  });

  test('changes nothing in the events: a run with steps has those of a run without', async () => {
    const types = async (options: Partial<AgentOptions>) => {
      const { agent, events } = agentOn(
        plays(callsTools(call('c1', 'ls'), call('c2', 'none')), says('done')),
        [toolSaying('ls', '')],
        options,
      );
      await agent.prompt('go');
      return events.map(({ type }) => type);
    };
    expect(await types({ onStep: () => undefined })).toEqual(await types({}));
  });
});
