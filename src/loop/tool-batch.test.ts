import { describe, expect, test } from 'vitest';
import type { AgentEvent, AgentTool } from './index';
import {
  agentOn,
  call,
  callsTools,
  deferred,
  outline,
  plays,
  resultTexts,
  says,
  toolSaying,
  toolThat,
} from './loop.testing';

const readSchema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const done = says('done');

const ends = (events: AgentEvent[]) => events.filter((event) => event.type === 'tool_execution_end');

const throwing = (thrown: unknown) =>
  toolThat('fail', () => {
    throw thrown;
  });

describe('a batch', () => {
  test('runs calls whatever the stop reason says, except length (L-05)', async () => {
    const model = plays({ ...callsTools(call('c1', 'ls')), stopReason: 'stop' }, done);
    const { agent } = agentOn(model, [toolSaying('ls', 'a.txt')]);
    await agent.prompt('go');
    expect(outline(model.requests[1]?.messages ?? []).at(-1)).toBe('toolResult a.txt');
  });

  test('in parallel ends calls as they finish and gives their messages in source order (P-05)', async () => {
    const first = deferred();
    const slow = toolThat('slow', async () => {
      await first.promise;
      return { content: [{ type: 'text', text: 'slow' }] };
    });
    const { agent, events } = agentOn(plays(callsTools(call('c1', 'slow'), call('c2', 'quick')), done), [
      slow,
      toolSaying('quick', 'quick'),
    ]);
    agent.subscribe((event) => {
      if (event.type === 'tool_execution_end') first.resolve();
    });
    await agent.prompt('go');
    expect(ends(events).map(({ toolCallId }) => toolCallId)).toEqual(['c2', 'c1']);
    expect(resultTexts(agent.state.messages)).toEqual(['slow', 'quick']);
  });

  test('runs in order as soon as one of its tools wants it (P-07)', async () => {
    const order: string[] = [];
    const noting = (name: string, more: Partial<AgentTool> = {}) =>
      toolThat(
        name,
        async () => {
          order.push(`${name} starts`);
          await Promise.resolve();
          order.push(`${name} ends`);
          return { content: [] };
        },
        more,
      );
    const { agent } = agentOn(plays(callsTools(call('c1', 'write'), call('c2', 'review')), done), [
      noting('write'),
      noting('review', { executionMode: 'sequential' }),
    ]);
    await agent.prompt('go');
    expect(order).toEqual(['write starts', 'write ends', 'review starts', 'review ends']);
  });

  test('asks the model again unless every result terminates (L-21)', async () => {
    const terminating = toolThat('stop', () => Promise.resolve({ content: [], terminate: true }));
    const tools = [terminating, toolSaying('ls', 'file')];
    const mixed = plays(callsTools(call('c1', 'stop'), call('c2', 'ls')), done);
    await agentOn(mixed, tools).agent.prompt('go');
    expect(mixed.requests).toHaveLength(2);
    const all = plays(callsTools(call('c1', 'stop'), call('c2', 'stop')), done);
    await agentOn(all, tools).agent.prompt('go');
    expect(all.requests).toHaveLength(1);
  });

  test('with one id twice runs both calls, and our own ids tell them apart (L-25)', async () => {
    const read = toolThat(
      'read',
      (_id, { path }) => Promise.resolve({ content: [{ type: 'text', text: `text of ${String(path)}` }] }),
      { parameters: readSchema },
    );
    const calls = [call('c1', 'read', { path: 'a' }), call('c1', 'read', { path: 'b' })];
    const { agent, events } = agentOn(plays(callsTools(...calls), done), [read]);
    await agent.prompt('go');
    expect(resultTexts(agent.state.messages)).toEqual(['text of a', 'text of b']);
    expect(new Set(ends(events).map(({ callId }) => callId)).size).toBe(2);
    expect(ends(events).map(({ contentIndex }) => contentIndex)).toEqual([0, 1]);
    const callIds = events.flatMap((event) =>
      event.type === 'message_end' && event.callId ? [event.callId] : [],
    );
    expect(callIds).toEqual(
      events.flatMap((event) => (event.type === 'tool_execution_start' ? [event.callId] : [])),
    );
  });
});

describe('a call that goes wrong', () => {
  test('with invalid arguments is not executed; the model reads which path is wrong, and the run goes on (L-09)', async () => {
    let executed = 0;
    const read = toolThat('read', () => Promise.resolve({ content: [], details: executed++ }), {
      parameters: readSchema,
    });
    const { agent, events } = agentOn(plays(callsTools(call('c1', 'read')), done), [read]);
    await agent.prompt('go');
    expect(executed).toBe(0);
    expect(resultTexts(agent.state.messages)).toEqual([
      'Invalid arguments for tool "read":\n- path: is required',
    ]);
    expect(ends(events)[0]).toMatchObject({ isError: true });
    expect(outline(agent.state.messages).at(-1)).toBe('assistant done');
  });

  test('whose argument text could not be read never runs', async () => {
    const broken = { ...call('c1', 'ls'), argumentsError: 'the JSON ends in the middle' };
    const { agent } = agentOn(plays(callsTools(broken), done), [toolSaying('ls', 'file')]);
    await agent.prompt('go');
    expect(resultTexts(agent.state.messages)).toEqual([
      'Invalid arguments for tool "ls": the JSON ends in the middle',
    ]);
  });

  test('of an unknown tool learns which there are', async () => {
    const { agent } = agentOn(plays(callsTools(call('c1', 'rm')), done), [
      toolSaying('ls', ''),
      toolSaying('read', ''),
    ]);
    await agent.prompt('go');
    expect(resultTexts(agent.state.messages)).toEqual(['Unknown tool "rm". There are: ls, read.']);
  });

  test.each<[string, unknown, string]>([
    ['a text', 'disk full', 'disk full'],
    ['an object', { code: 7 }, '{"code":7}'],
    ['an error without a message', new TypeError(), 'TypeError'],
  ])('gives the model something to read when its tool throws %s (L-11)', async (_, thrown, text) => {
    const { agent } = agentOn(plays(callsTools(call('c1', 'fail')), done), [throwing(thrown)]);
    await agent.prompt('go');
    expect(resultTexts(agent.state.messages)).toEqual([text]);
  });

  test.each([undefined, null, '', 1n, Symbol('s')])(
    'never has an empty error text: %s (L-11)',
    async (thrown) => {
      const { agent } = agentOn(plays(callsTools(call('c1', 'fail')), done), [throwing(thrown)]);
      await agent.prompt('go');
      expect(resultTexts(agent.state.messages)[0]).toMatch(/\S/);
    },
  );

  test('whose tool returns nothing is an error', async () => {
    const { agent, events } = agentOn(plays(callsTools(call('c1', 'void')), done), [
      toolThat('void', () => Promise.resolve(undefined as never)),
    ]);
    await agent.prompt('go');
    expect(ends(events)[0]).toMatchObject({
      isError: true,
      result: { content: [{ text: 'Tool "void" returned no result.' }] },
    });
  });

  test('in afterToolCall fails alone (L-15)', async () => {
    const { agent, events } = agentOn(
      plays(callsTools(call('c1', 'ls'), call('c2', 'ls')), done),
      [toolSaying('ls', 'file')],
      {
        afterToolCall: ({ toolCall }) =>
          toolCall.id === 'c1' ? Promise.reject(new Error('hook bad')) : Promise.resolve(undefined),
      },
    );
    await agent.prompt('go');
    expect(resultTexts(agent.state.messages)).toEqual(['hook bad', 'file']);
    expect(ends(events).map(({ isError }) => isError)).toEqual([true, false]);
    expect(outline(agent.state.messages).at(-1)).toBe('assistant done');
  });

  test('because a listener fails on its progress breaks the run, with no rejection left behind', async () => {
    const tool = toolThat('busy', async (_id, _args, _signal, onUpdate) => {
      onUpdate?.({ content: [] });
      onUpdate?.({ content: [] });
      // Long enough for a rejection that nobody handles to be reported.
      await new Promise((resolve) => setTimeout(resolve, 0));
      return { content: [] };
    });
    const { agent, events } = agentOn(plays(callsTools(call('c1', 'busy')), done), [tool]);
    agent.subscribe((event) => {
      if (event.type === 'tool_execution_update') throw new Error('cannot draw');
    });
    await agent.prompt('go');
    expect(events.at(-1)).toMatchObject({ type: 'agent_end', messages: [{ errorMessage: 'cannot draw' }] });
  });
});

describe('what a call tells', () => {
  test('the time that its tool took, by the clock of the host; none when it did not run', async () => {
    let time = 1000;
    const tool = toolThat('wait', () => {
      time += 250;
      return Promise.resolve({ content: [] });
    });
    const { agent, events } = agentOn(
      plays(callsTools(call('c1', 'wait'), call('c2', 'none')), done),
      [tool],
      { now: () => time },
    );
    await agent.prompt('go');
    const results = agent.state.messages.filter(({ role }) => role === 'toolResult');
    expect(results).toMatchObject([{ durationMs: 250, timestamp: 1250 }, {}]);
    expect(results[1]).not.toHaveProperty('durationMs');
    expect(ends(events).find(({ toolCallId }) => toolCallId === 'c1')).toMatchObject({ durationMs: 250 });
  });

  test('its progress, waited for before its end, and none after it', async () => {
    const held = deferred();
    let late: (() => void) | undefined;
    const tool = toolThat('busy', (_id, _args, _signal, onUpdate) => {
      onUpdate?.({ content: [], details: 1 });
      late = () => onUpdate?.({ content: [], details: 2 });
      return Promise.resolve({ content: [] });
    });
    const { agent, events } = agentOn(plays(callsTools(call('c1', 'busy')), done), [tool]);
    agent.subscribe((event) => (event.type === 'tool_execution_update' ? held.promise : undefined));
    agent.subscribe((event) => void (event.type === 'tool_execution_start' && setTimeout(held.resolve, 0)));
    await agent.prompt('go');
    late?.();
    const types = events.map(({ type }) => type).filter((type) => type.startsWith('tool_execution'));
    expect(types).toEqual(['tool_execution_start', 'tool_execution_update', 'tool_execution_end']);
  });

  test('that afterToolCall replaced fields, one by one', async () => {
    const tool = toolThat('ls', () =>
      Promise.resolve({
        content: [{ type: 'text', text: 'raw' }],
        details: { a: 1 },
        structuredContent: { b: 2 },
      }),
    );
    const { agent, events } = agentOn(plays(callsTools(call('c1', 'ls')), done), [tool], {
      afterToolCall: () => Promise.resolve({ content: [{ type: 'text', text: 'short' }], isError: true }),
    });
    await agent.prompt('go');
    expect(ends(events)[0]).toMatchObject({
      isError: true,
      result: { content: [{ text: 'short' }], details: { a: 1 } },
    });
    // It described the content that was replaced.
    expect(ends(events)[0]?.result).not.toHaveProperty('structuredContent');
  });
});
