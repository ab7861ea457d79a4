import { describe, expect, it } from 'vitest';
import { normalizeContext } from '../loop/transcript';
import type { AssistantMessage, AssistantMessageEvent, Message, ToolDeclaration } from '../loop/types';
import type { ScriptedTurn } from '../scenario/types';
import type { PlayedTurn } from './playback';
import { scriptedModel, scriptedModelInfo } from './scripted';

const user = (content: string): Message => ({ role: 'user', content, timestamp: 0 });
const tool = (name: string, properties: object = {}, required: string[] = []): ToolDeclaration => ({
  name,
  description: name,
  parameters: { type: 'object', properties, required },
});
const write = tool('write', { path: { type: 'string' }, content: { type: 'string' } }, ['path', 'content']);
const ls = tool('ls', { path: { type: 'string' }, limit: { type: 'number' } });

/** Plays one request; `at` is the virtual time, and `abortAt` aborts when that time has come. */
async function play(
  turns: readonly PlayedTurn[],
  { messages = [user('hello')], tools = [] as ToolDeclaration[], next = 0, abortAt = Infinity } = {},
) {
  let at = 0;
  const controller = new AbortController();
  if (abortAt <= 0) controller.abort();
  const sleep = (ms: number): Promise<void> => {
    at = Math.min(abortAt, at + ms);
    if (at >= abortAt) controller.abort();
    return Promise.resolve();
  };
  const stream = await scriptedModel({ turns, next: () => next, sleep, now: () => 1_000 + at })(
    scriptedModelInfo,
    normalizeContext({ messages, tools }),
    { signal: controller.signal },
  );
  const events: { at: number; event: AssistantMessageEvent }[] = [];
  for await (const event of stream) events.push({ at, event });
  return { events, types: events.map(({ event }) => event.type), message: await stream.result(), at };
}
const textOf = (message: AssistantMessage): string =>
  message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');

describe('scriptedModel', () => {
  it('takes the turns of the scenario format as they are', () => {
    const turn: ScriptedTurn = { blocks: [{ type: 'toolCall', name: 'a', rawArguments: '{' }] };
    const played: PlayedTurn = turn;
    expect(played.blocks).toHaveLength(1);
  });

  it('waits for the first token, then sends a delta of `chunk` characters each `gapMs`', async () => {
    const { events, message, at } = await play([
      { blocks: [{ type: 'text', text: 'abcdefg' }], firstTokenMs: 100, chunk: 3, gapMs: 10 },
    ]);
    expect(events.map(({ event }) => ('delta' in event ? event.delta : event.type))).toEqual([
      'start',
      'text_start',
      'abc',
      'def',
      'g',
      'text_end',
      'done',
    ]);
    expect(at).toBe(120);
    expect(message).toMatchObject({ stopReason: 'stop', content: [{ type: 'text', text: 'abcdefg' }] });
    expect(message.timestamp).toBe(1_000);
  });

  it('never cuts a surrogate pair in two', async () => {
    const { events } = await play([{ blocks: [{ type: 'text', text: 'a😀b' }], chunk: 2 }]);
    expect(events.flatMap(({ event }) => ('delta' in event ? [event.delta] : []))).toEqual(['a😀', 'b']);
  });

  it('stops for tool use when the turn calls a tool, and names calls after turn and block', async () => {
    const { message, types } = await play([
      {
        blocks: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'toolCall', name: 'ls', arguments: { path: 'src' } },
        ],
      },
    ]);
    expect(message.stopReason).toBe('toolUse');
    expect(message.content[1]).toEqual({
      type: 'toolCall',
      id: 'call_1_2',
      name: 'ls',
      arguments: { path: 'src' },
    });
    expect(types).toContain('toolcall_delta');
    expect(types.slice(-2)).toEqual(['toolcall_end', 'done']);
  });

  it('gives each request its own copy of the arguments', async () => {
    const turns: PlayedTurn[] = [{ blocks: [{ type: 'toolCall', name: 'a', arguments: { list: [1] } }] }];
    const first = (await play(turns)).message.content[0];
    if (first?.type === 'toolCall') (first.arguments['list'] as number[]).push(2);
    expect((await play(turns)).message.content[0]).toMatchObject({ arguments: { list: [1] } });
  });

  it('streams raw argument text and reads it once, at the end', async () => {
    const repaired = await play([{ blocks: [{ type: 'toolCall', name: 'a', rawArguments: '{"x":"a"' }] }]);
    expect(repaired.message.content[0]).toMatchObject({ arguments: { x: 'a' }, argumentsRepaired: true });
    const broken = await play([{ blocks: [{ type: 'toolCall', name: 'a', rawArguments: '{"x": "on' }] }]);
    expect(broken.message.content[0]).toMatchObject({ arguments: {} });
    expect(broken.message.content[0]).toHaveProperty('argumentsError', expect.stringContaining('{"x": "on'));
  });

  it('keeps the partial view of arguments that a cut-off message leaves, and marks them', async () => {
    const { message } = await play([
      { blocks: [{ type: 'toolCall', name: 'a', rawArguments: '{"x":1,"y":"on' }], stopReason: 'length' },
    ]);
    expect(message.stopReason).toBe('length');
    expect(message.content[0]).toMatchObject({ arguments: { x: 1 } });
    expect(message.content[0]).toHaveProperty('argumentsError');
  });

  it('sends a message whole when the start is missing', async () => {
    const { types, message } = await play([
      { blocks: [{ type: 'text', text: 'all at once' }], noStart: true },
    ]);
    expect(types).toEqual(['done']);
    expect(textOf(message)).toBe('all at once');
  });

  it('just ends when the end is silent, with the message as the result', async () => {
    const { types, message } = await play([{ blocks: [{ type: 'text', text: 'hm' }], silentEnd: true }]);
    expect(types.at(-1)).toBe('text_end');
    expect(message).toMatchObject({ stopReason: 'stop', content: [{ text: 'hm' }] });
  });

  it.each([
    ['inBlock', 'text_delta'],
    ['afterBlocks', 'text_end'],
  ] as const)('falls silent %s until it is aborted', async (stalls, last) => {
    const turns: PlayedTurn[] = [{ blocks: [{ type: 'text', text: 'half' }], firstTokenMs: 10, stalls }];
    const { types, message } = await play(turns, { abortAt: 5_000 });
    expect(types.slice(-2)).toEqual([last, 'error']);
    expect(message).toMatchObject({ stopReason: 'aborted', content: [{ text: 'half' }] });
    expect((await play(turns)).message).toMatchObject({ stopReason: 'error' });
  });

  it('takes what was read of arguments as it is written', async () => {
    const call = { type: 'toolCall' as const, name: 'a', arguments: {}, argumentsError: 'cut off' };
    const { message } = await play([{ blocks: [{ ...call, argumentsRepaired: true }], noStart: true }]);
    expect(message.content[0]).toMatchObject({ argumentsError: 'cut off', argumentsRepaired: true });
  });

  it('ends as an error with what was written before', async () => {
    const { events, message } = await play([
      { blocks: [{ type: 'text', text: 'half' }], stopReason: 'error', errorMessage: '529 overloaded' },
    ]);
    expect(events.at(-1)?.event).toMatchObject({ type: 'error', reason: 'error' });
    expect(message).toMatchObject({
      stopReason: 'error',
      errorMessage: '529 overloaded',
      content: [{ text: 'half' }],
    });
  });

  it('can be aborted at any time, and keeps what had arrived', async () => {
    const turns: PlayedTurn[] = [
      {
        blocks: [
          { type: 'text', text: 'abcd' },
          { type: 'toolCall', name: 'write', arguments: { path: 'a.txt', content: 'long' } },
        ],
        firstTokenMs: 10,
        chunk: 2,
        gapMs: 10,
      },
    ];
    const before = await play(turns, { abortAt: 0 });
    expect(before.types).toEqual(['error']);
    for (let abortAt = 0; abortAt < 200; abortAt += 10) {
      const { message, types } = await play(turns, { abortAt });
      expect(types.at(-1)).toBe('error');
      expect(message).toMatchObject({ stopReason: 'aborted', errorMessage: 'Request was aborted' });
      expect('abcd'.startsWith(textOf(message))).toBe(true);
      const call = message.content[1];
      if (call && abortAt < 180) expect(call).toHaveProperty('argumentsError');
    }
    expect((await play(turns, { abortAt: 40 })).message.content).toHaveLength(2);
  });

  it('turns what breaks inside it into a final message', async () => {
    const stream = await scriptedModel({
      turns: [],
      next: () => {
        throw new Error('no script');
      },
      sleep: () => Promise.resolve(),
      now: () => 0,
    })(scriptedModelInfo, normalizeContext({ messages: [] }), {});
    expect(await stream.result()).toMatchObject({ stopReason: 'error', errorMessage: 'no script' });
  });

  it('estimates usage from the characters of request and answer', async () => {
    const { message } = await play([{ blocks: [{ type: 'text', text: 'x'.repeat(40) }] }], {
      messages: [user('y'.repeat(400))],
    });
    expect(message.usage).toMatchObject({ input: 100, output: 10, totalTokens: 110 });
  });
});

describe('the fallback after the script', () => {
  it('says that it is a stand-in, echoes, and names the tools', async () => {
    const { message } = await play([], { messages: [user('What is new?')], tools: [ls] });
    expect(textOf(message)).toContain('scripted stand-in');
    expect(textOf(message)).toContain('What is new?');
    expect(textOf(message)).toContain('`ls`');
  });

  it.each([
    ['ls', { name: 'ls', arguments: {} }],
    ['ls src', { name: 'ls', arguments: { path: 'src' } }],
    ['Please `ls` src', { name: 'ls', arguments: { path: 'src' } }],
    ['write a.txt hello there', { name: 'write', arguments: { path: 'a.txt', content: 'hello there' } }],
    ['write {"path":"b","content":""}', { name: 'write', arguments: { path: 'b', content: '' } }],
  ])('calls the declared tool that %j begins with', async (prompt, call) => {
    const { message } = await play([], { messages: [user(prompt)], tools: [ls, write], next: 4 });
    expect(message.content).toEqual([{ type: 'toolCall', id: 'call_5_1', ...call }]);
  });

  it('calls no tool that is not declared', async () => {
    expect((await play([], { messages: [user('ls')], tools: [write] })).message.stopReason).toBe('stop');
  });

  it('says what came back after a batch of tool results', async () => {
    const result = (toolName: string, text: string, isError: boolean): Message => ({
      role: 'toolResult',
      toolCallId: toolName,
      toolName,
      content: [{ type: 'text', text }],
      isError,
      timestamp: 0,
    });
    const { message } = await play([], {
      messages: [user('ls'), result('ls', 'src/', false), result('read', 'no such file', true)],
      tools: [ls],
    });
    expect(message.stopReason).toBe('stop');
    expect(textOf(message)).toMatch(/`ls` gave me:[^]*src\/[^]*`read` failed:[^]*no such file/);
  });
});
