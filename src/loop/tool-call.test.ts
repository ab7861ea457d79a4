import { describe, expect, test } from 'vitest';
import { runToolCall } from './index';
import type { AgentTool, Hooks, RunToolCallOptions, ToolResult } from './index';
import { call, manualTimers, MODEL, toolSaying, toolThat } from './loop.testing';
import { emptyAssistantMessage } from './run';

const run = (
  toolCall: Parameters<typeof runToolCall>[0],
  tools: AgentTool[],
  more: Partial<RunToolCallOptions> = {},
) =>
  runToolCall(toolCall, {
    assistantMessage: emptyAssistantMessage({ model: MODEL, now: () => 0 }, 'toolUse', ''),
    context: { messages: [], tools },
    ...more,
  });
const textOf = ({ content }: ToolResult) =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');

describe('runToolCall', () => {
  test('runs a call of the context, with validated arguments and progress', async () => {
    const seen: unknown[] = [];
    const tool = toolThat(
      'add',
      (_id, args, _signal, onUpdate) => {
        onUpdate?.({ content: [], details: 'half' });
        return Promise.resolve({ content: [{ type: 'text', text: JSON.stringify(args) }] });
      },
      { parameters: { type: 'object', properties: { a: { type: 'number' } } } },
    );
    const toolCall = call('n1', 'add', { a: '2' });
    const finished = await run(toolCall, [tool], { onUpdate: (partial) => void seen.push(partial.details) });
    expect(textOf(finished.result)).toBe('{"a":2}');
    expect(finished).toMatchObject({ toolCall, isError: false });
    expect(seen).toEqual(['half']);
  });

  test('takes the tools that are given in the place of those of the context', async () => {
    const finished = await run(call('n1', 'ls'), [toolSaying('ls', 'context')], {
      tools: [toolSaying('ls', 'given')],
    });
    expect(textOf(finished.result)).toBe('given');
  });

  test('asks the same hooks as a call of the model', async () => {
    const hooks: Pick<Hooks, 'beforeToolCall' | 'afterToolCall'> = {
      beforeToolCall: ({ toolCall }) =>
        Promise.resolve(toolCall.name === 'rm' ? { block: true, reason: 'not allowed' } : undefined),
      afterToolCall: () =>
        Promise.resolve({ content: [{ type: 'text', text: 'rewritten' }], terminate: true }),
    };
    const tools = [toolSaying('ls', 'file'), toolSaying('rm', 'gone')];
    const blocked = await run(call('n1', 'rm'), tools, hooks);
    expect(blocked).toMatchObject({ isError: true, result: { content: [{ text: 'not allowed' }] } });
    const rewritten = await run(call('n2', 'ls'), tools, hooks);
    expect(rewritten).toMatchObject({
      isError: false,
      result: { content: [{ text: 'rewritten' }], terminate: true },
    });
  });

  test.each<[string, Parameters<typeof run>, RegExp]>([
    ['an unknown tool', [call('n1', 'rm'), []], /^Unknown tool "rm"\. There are no tools\.$/],
    [
      'arguments that cannot be prepared',
      [
        call('n1', 'ls'),
        [
          toolSaying('ls', '', {
            prepareArguments: () => {
              throw new Error('odd');
            },
          }),
        ],
      ],
      /^odd$/,
    ],
    [
      'invalid arguments',
      [call('n1', 'ls'), [toolSaying('ls', '', { parameters: { type: 'object', required: ['path'] } })]],
      /^Invalid arguments.*path/s,
    ],
    [
      'a tool that throws',
      [call('n1', 'ls'), [toolThat('ls', () => Promise.reject(new Error('disk full')))]],
      /^disk full$/,
    ],
    [
      'a hook that throws',
      [
        call('n1', 'ls'),
        [toolSaying('ls', '')],
        { beforeToolCall: () => Promise.reject(new Error('hook bad')) },
      ],
      /^hook bad$/,
    ],
    [
      'an abort before it',
      [call('n1', 'ls'), [toolSaying('ls', '')], { signal: AbortSignal.abort() }],
      /^Tool call was aborted/,
    ],
    [
      'whoever cannot take its progress',
      [
        call('n1', 'ls'),
        [
          toolThat(
            'ls',
            (_id, _args, _signal, onUpdate) => (
              onUpdate?.({ content: [] }),
              Promise.resolve({ content: [] })
            ),
          ),
        ],
        {
          onUpdate: () => {
            throw new Error('cannot draw');
          },
        },
      ],
      /^cannot draw$/,
    ],
  ])('never rejects: %s gives an error result', async (_, args, text) => {
    const finished = await run(...args);
    expect(finished.isError).toBe(true);
    expect(textOf(finished.result)).toMatch(text);
  });

  test('tells of its hooks and its execution to whoever listens', async () => {
    const told: string[] = [];
    await run(call('n1', 'ls'), [toolSaying('ls', '')], {
      beforeToolCall: () => Promise.resolve(undefined),
      afterToolCall: () => Promise.resolve({ isError: true }),
      onStep: (step) => void told.push(step.type === 'hook' ? step.name : step.type),
    });
    expect(told).toEqual(['beforeToolCall', 'execute', 'afterToolCall']);
  });

  test('looks at the abort before it asks a hook', async () => {
    let asked = 0;
    await run(call('n1', 'ls'), [toolSaying('ls', '')], {
      signal: AbortSignal.abort(),
      beforeToolCall: () => Promise.resolve(void asked++),
    });
    expect(asked).toBe(0);
  });

  test('waits for a tool that ignores an abort no longer than the grace', async () => {
    const timers = manualTimers();
    const controller = new AbortController();
    const stuck = toolThat('stuck', () => {
      controller.abort();
      return new Promise(() => undefined);
    });
    const finished = run(call('n1', 'stuck'), [stuck], {
      signal: controller.signal,
      setTimer: timers.setTimer,
      abortGraceMs: 30,
    });
    await expect.poll(() => timers.waits()).toEqual([30]);
    timers.expire();
    expect(textOf((await finished).result)).toMatch(/^Aborted/);
  });

  test('leaves the call of the transcript as it was when a hook changes the arguments', async () => {
    const toolCall = call('n1', 'echo', { text: 'a' });
    const echo = toolThat('echo', (_id, args) =>
      Promise.resolve({ content: [{ type: 'text', text: String(args['text']) }] }),
    );
    const finished = await run(toolCall, [echo], {
      beforeToolCall: ({ args }) => {
        args['text'] = 'b';
        return Promise.resolve(undefined);
      },
    });
    expect(textOf(finished.result)).toBe('b');
    expect(toolCall.arguments).toEqual({ text: 'a' });
  });
});
