import { describe, expect, test } from 'vitest';
import type { AssistantMessage, AssistantMessageEvent, StreamFn } from './index';
import {
  agentOn,
  call,
  callsTools,
  deferred,
  lastAssistant,
  manualTimers,
  MODEL,
  nextEvent,
  plays,
  resultTexts,
  says,
  toolSaying,
  toolThat,
} from './loop.testing';
import { emptyAssistantMessage } from './run';

const never = () => new Promise<never>(() => undefined);

describe('an abort during tools', () => {
  test('gives every call of the batch a result; those that had not started say so (A-03)', async () => {
    const tool = toolThat('work', () => {
      agent.abort();
      return Promise.resolve({ content: [{ type: 'text', text: 'worked' }] });
    });
    const { agent } = agentOn(
      plays(callsTools(...['c1', 'c2', 'c3'].map((id) => call(id, 'work'))), says('done')),
      [tool],
      { toolExecution: 'sequential' },
    );
    await agent.prompt('go');
    const notRun = 'Tool call was aborted: it was not run.';
    expect(resultTexts(agent.state.messages)).toEqual(['worked', notRun, notRun]);
  });

  test('waits for a tool that ignores it no longer than the grace (A-09)', async () => {
    const timers = manualTimers();
    const begun = deferred();
    const late = deferred<{ content: [] }>();
    const { agent, events } = agentOn(
      plays(callsTools(call('c1', 'stuck')), says('done')),
      [
        toolThat('stuck', (_id, _args, _signal, onUpdate) => {
          begun.resolve();
          return late.promise.finally(() => onUpdate?.({ content: [] }));
        }),
      ],
      { setTimer: timers.setTimer },
    );
    const run = agent.prompt('go');
    await begun.promise;
    expect(timers.waits()).toEqual([]);
    agent.abort();
    expect(timers.waits()).toEqual([2000]);
    timers.expire();
    await run;
    expect(resultTexts(agent.state.messages)).toEqual([
      expect.stringMatching(/^Aborted: .*may still be working/),
    ]);
    const count = events.length;
    late.resolve({ content: [] });
    await late.promise;
    expect(events).toHaveLength(count);
  });

  test('takes its grace from the options, and leaves no timer behind when the tool does stop', async () => {
    const timers = manualTimers();
    const stopping = toolThat('stopping', async (_id, _args, signal) => {
      agent.abort();
      waits.push(...timers.waits());
      await Promise.resolve();
      throw new Error(`stopped: ${signal?.aborted}`);
    });
    const waits: number[] = [];
    const { agent } = agentOn(
      plays(callsTools(call('c1', 'first'), call('c2', 'stopping')), says('done')),
      [toolThat('first', never), stopping],
      {
        setTimer: timers.setTimer,
        abortGraceMs: 50,
      },
    );
    const ended = nextEvent(agent, 'tool_execution_end');
    const run = agent.prompt('go');
    expect(await ended).toMatchObject({ toolCallId: 'c2', result: { content: [{ text: 'stopped: true' }] } });
    expect(waits).toEqual([50]);
    expect(timers.waits()).toEqual([50]);
    timers.expire();
    await run;
    expect(timers.waits()).toEqual([]);
  });

  test('works with the real timer', async () => {
    const { agent } = agentOn(
      plays(callsTools(call('c1', 'stuck')), says('done')),
      [toolThat('stuck', never)],
      { abortGraceMs: 1 },
    );
    agent.subscribe((event) => {
      if (event.type === 'tool_execution_start') agent.abort();
    });
    const begun = agent.prompt('go');
    await begun;
    expect(resultTexts(agent.state.messages)).toHaveLength(1);
  });

  test('works with many calls at once, without a warning of too many listeners', async () => {
    const warnings: Error[] = [];
    const warn = (warning: Error) => void warnings.push(warning);
    process.on('warning', warn);
    const calls = Array.from({ length: 30 }, (_, index) => call(`c${index}`, 'ls'));
    const { agent } = agentOn(plays(callsTools(...calls), says('done')), [toolSaying('ls', 'file')]);
    await agent.prompt('go');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', warn);
    expect(warnings).toEqual([]);
  });
});

describe('an abort during a response', () => {
  /** Streams some text, then does what the test says at each further step. */
  function streamsThen(
    next: (signal: AbortSignal | undefined) => Promise<IteratorResult<AssistantMessageEvent>>,
  ): StreamFn {
    return (_model, _context, options) => {
      const partial: AssistantMessage = {
        ...emptyAssistantMessage({ model: MODEL, now: Date.now }, 'pending', ''),
        content: [],
      };
      delete partial.errorMessage;
      const block = { type: 'text' as const, text: 'half an ans' };
      const events: AssistantMessageEvent[] = [
        { type: 'start', partial },
        { type: 'text_start', contentIndex: 0, partial },
        { type: 'text_delta', contentIndex: 0, delta: block.text, partial },
      ];
      const iterator: AsyncIterator<AssistantMessageEvent> = {
        next: () => {
          const value = events.shift();
          if (value?.type === 'text_start') partial.content.push(block);
          return value ? Promise.resolve({ done: false, value }) : next(options.signal);
        },
        return: never,
      };
      return { [Symbol.asyncIterator]: () => iterator, result: never };
    };
  }

  test('ends a stalled stream as aborted with the text so far (A-11)', async () => {
    const timers = manualTimers();
    const { agent, events } = agentOn({ streamFn: streamsThen(never), requests: [] }, [], {
      setTimer: timers.setTimer,
    });
    const delta = nextEvent(agent, 'message_update', 2);
    const run = agent.prompt('go');
    await delta;
    agent.abort();
    await expect.poll(() => timers.waits()).toEqual([500]);
    timers.expire();
    await run;
    expect(lastAssistant(agent.state.messages)).toMatchObject({
      content: [{ type: 'text', text: 'half an ans' }],
      stopReason: 'aborted',
      errorMessage: 'Request was aborted',
      thinkingLevel: 'off',
    });
    expect(events.at(-1)?.type).toBe('agent_end');
  });

  test('ends a stream function that never gives a stream', async () => {
    const timers = manualTimers();
    const asked = deferred();
    const streamFn: StreamFn = () => {
      asked.resolve();
      return never();
    };
    const { agent } = agentOn({ streamFn, requests: [] }, [], {
      setTimer: timers.setTimer,
      streamAbortGraceMs: 7,
    });
    const run = agent.prompt('go');
    await asked.promise;
    agent.abort();
    expect(timers.waits()).toEqual([7]);
    timers.expire();
    await run;
    expect(lastAssistant(agent.state.messages)).toMatchObject({ content: [], stopReason: 'aborted' });
  });

  test('ends a stream whose result never comes', async () => {
    const timers = manualTimers();
    const streamFn = streamsThen(() => {
      agent.abort();
      return Promise.resolve({ done: true, value: undefined });
    });
    const { agent } = agentOn({ streamFn, requests: [] }, [], { setTimer: timers.setTimer });
    const run = agent.prompt('go');
    await expect.poll(() => timers.waits()).toEqual([500]);
    timers.expire();
    await run;
    expect(lastAssistant(agent.state.messages).stopReason).toBe('aborted');
  });

  test('does not count the time in which a listener holds the loop', async () => {
    const timers = manualTimers();
    const held = deferred();
    const reached = deferred();
    const { agent } = agentOn(plays(says('whole answer')), [], { setTimer: timers.setTimer });
    agent.subscribe((event) => {
      if (event.type !== 'message_start' || event.origin !== 'model') return;
      agent.abort();
      reached.resolve();
      return held.promise;
    });
    const run = agent.prompt('go');
    await reached.promise;
    expect(timers.waits()).toEqual([]);
    held.resolve();
    await run;
    // The stream looked at the signal by itself: nothing was cut off.
    expect(lastAssistant(agent.state.messages)).toMatchObject({
      stopReason: 'aborted',
      errorMessage: 'Request was aborted',
    });
  });
});

test('an abort without a run does nothing', async () => {
  const { agent } = agentOn(plays(says('done')));
  agent.abort();
  await agent.prompt('go');
  expect(lastAssistant(agent.state.messages).stopReason).toBe('stop');
});
