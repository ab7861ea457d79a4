import { describe, expect, it } from 'vitest';
import { runAgentLoop } from '../loop/agent-loop';
import type {
  AgentMessage,
  AgentTool,
  AssistantMessage,
  CallInfo,
  ThinkingLevel,
  TranscriptContext,
} from '../loop/types';
import type { PlayedTurn } from '../models/playback';
import { scriptedModel, scriptedModelInfo } from '../models/scripted';
import type { HookRule as ScenarioRule } from '../scenario/types';
import { createHooks } from './create-hooks';
import type { AskSubject, Consulted, HookOptions, HookRule } from './types';

const quiet: HookOptions = { ask: () => Promise.resolve(true), now: () => 7 };
const call = (name: string, args: Record<string, unknown>): CallInfo => ({
  assistantMessage: { role: 'assistant' } as AssistantMessage,
  toolCall: { type: 'toolCall', id: 'c', name, arguments: args },
  args,
  context: { messages: [] },
});
const user = (content: string): AgentMessage => ({ role: 'user', content, timestamp: 0 });

describe('rules', () => {
  it('are the rules of the scenario format, both ways', () => {
    const toHooks = (rule: ScenarioRule): HookRule => rule;
    const toScenario = (rule: HookRule): ScenarioRule => rule;
    expect(toScenario(toHooks({ id: 'a', rule: 'ask' }))).toEqual({ id: 'a', rule: 'ask' });
  });

  it('make only the hooks that one of them needs', () => {
    const names = (rules: HookRule[], more = {}): string[] =>
      Object.keys(createHooks(rules, { ...quiet, ...more }));
    expect(names([])).toEqual([]);
    expect(names([{ id: 'a', rule: 'block', on: false }])).toEqual([]);
    expect(names([{ id: 'a', rule: 'block' }])).toEqual(['beforeToolCall']);
    expect(names([{ id: 'a', rule: 'append', text: 'x' }])).toEqual(['prepareNextTurn']);
    expect(names([], { requestLimit: () => 3 })).toEqual(['finishTurn']);
  });

  it('may change while they are in use', async () => {
    let rules: HookRule[] = [{ id: 'a', rule: 'block', tool: 'write' }];
    const { beforeToolCall } = createHooks(() => rules, quiet);
    expect(await beforeToolCall?.(call('write', {}))).toMatchObject({ block: true });
    rules = [];
    expect(await beforeToolCall?.(call('write', {}))).toBeUndefined();
  });

  it('that may change make all hooks, and tell which askings were idle and which rules acted', async () => {
    let rules: HookRule[] = [];
    const told: Consulted[] = [];
    const hooks = createHooks(() => rules, { ...quiet, consulted: (what) => told.push(what) });
    expect(Object.keys(hooks)).toHaveLength(6);
    await hooks.beforeToolCall?.(call('write', {}));
    rules = [
      { id: 'other', rule: 'block', tool: 'read' },
      { id: 'asks', rule: 'ask' },
      { id: 'off', rule: 'block', on: false },
    ];
    await hooks.beforeToolCall?.(call('write', {}));
    await hooks.beforeToolCall?.(call('read', {}));
    expect(told).toEqual([
      { hook: 'beforeToolCall', judged: false, acted: [], counted: [] },
      { hook: 'beforeToolCall', judged: true, acted: ['asks'], counted: [] },
      { hook: 'beforeToolCall', judged: true, acted: ['other'], counted: [] },
    ]);
  });

  it('are told of also when asking the person failed', async () => {
    const told: Consulted[] = [];
    const { beforeToolCall } = createHooks([{ id: 'a', rule: 'ask' }], {
      ...quiet,
      ask: () => Promise.reject(new Error('gone')),
      consulted: (what) => told.push(what),
    });
    await expect(beforeToolCall?.(call('write', {}))).rejects.toThrow('gone');
    expect(told).toMatchObject([{ judged: true, acted: ['a'] }]);
  });
});

describe('permission', () => {
  const permit = (call: CallInfo): Promise<string | undefined> =>
    Promise.resolve(call.toolCall.name === 'fetch' ? 'Not there.' : undefined);

  it('is judged without any rule, and its refusal is what the model reads', async () => {
    const { beforeToolCall } = createHooks([], { ...quiet, permit });
    expect(await beforeToolCall?.(call('fetch', {}))).toEqual({ block: true, reason: 'Not there.' });
    expect(await beforeToolCall?.(call('read', {}))).toBeUndefined();
  });

  it('comes last: nobody is asked for it when a rule blocks the call, or the person refuses it', async () => {
    const asked: string[] = [];
    const options: HookOptions = {
      ...quiet,
      ask: () => Promise.resolve(asked.push('rule') > 1),
      permit: () => Promise.resolve(void asked.push('permission')),
    };
    const blocks = createHooks([{ id: 'a', rule: 'block' }], options);
    expect(await blocks.beforeToolCall?.(call('fetch', {}))).toMatchObject({ block: true });
    const { beforeToolCall } = createHooks([{ id: 'a', rule: 'ask' }], options);
    await beforeToolCall?.(call('fetch', {}));
    await beforeToolCall?.(call('fetch', {}));
    expect(asked).toEqual(['rule', 'rule', 'permission']);
  });
});

describe('block', () => {
  it('blocks what matches tool and arguments, with its reason', async () => {
    const { beforeToolCall } = createHooks(
      [{ id: 'a', rule: 'block', tool: 'w*', args: { path: '*.env' }, reason: 'secrets', terminate: true }],
      quiet,
    );
    expect(await beforeToolCall?.(call('write', { path: 'x.env' }))).toEqual({
      block: true,
      reason: 'secrets',
      terminate: true,
    });
    expect(await beforeToolCall?.(call('read', { path: 'x.env' }))).toBeUndefined();
    expect(await beforeToolCall?.(call('write', { path: 'x.txt' }))).toBeUndefined();
    expect(await beforeToolCall?.(call('write', {}))).toBeUndefined();
  });

  it('matches arguments that are no texts by their JSON', async () => {
    const { beforeToolCall } = createHooks(
      [{ id: 'a', rule: 'block', args: { n: '1?', list: '*"b"*' } }],
      quiet,
    );
    expect(await beforeToolCall?.(call('x', { n: 12, list: ['a', 'b'] }))).toMatchObject({ block: true });
    expect(await beforeToolCall?.(call('x', { n: 2, list: ['a', 'b'] }))).toBeUndefined();
  });

  it('counts for each rule alone the times that it would apply', async () => {
    const { beforeToolCall } = createHooks(
      [
        { id: 'second', rule: 'block', nth: 2, reason: 'second' },
        { id: 'write', rule: 'block', nth: 1, tool: 'write', reason: 'first write' },
      ],
      quiet,
    );
    const reasons: (string | undefined)[] = [];
    for (const name of ['read', 'read', 'write', 'write']) {
      reasons.push((await beforeToolCall?.(call(name, {})))?.reason);
    }
    expect(reasons).toEqual([undefined, 'second', 'first write', undefined]);
  });

  it('goes on counting over several makings when it is given the counts', async () => {
    const counts = new Map<string, number>();
    const blocked: unknown[] = [];
    for (let run = 0; run < 3; run++) {
      const hooks = createHooks([{ id: 'a', rule: 'block', nth: 2 }], { ...quiet, counts });
      blocked.push((await hooks.beforeToolCall?.(call('x', {})))?.block);
    }
    expect(blocked).toEqual([undefined, true, undefined]);
  });
});

describe('ask', () => {
  const rules: HookRule[] = [
    { id: 'ask', rule: 'ask', tool: 'fetch', text: 'May it?' },
    { id: 'block', rule: 'block', args: { url: 'http://evil*' } },
  ];

  it('asks the person, and blocks what is not allowed', async () => {
    const asked: AskSubject[] = [];
    let allow = true;
    const { beforeToolCall } = createHooks(rules, {
      ...quiet,
      ask: (subject) => {
        asked.push(subject);
        return Promise.resolve(allow);
      },
    });
    const args = { url: 'http://good' };
    expect(await beforeToolCall?.(call('fetch', args))).toBeUndefined();
    allow = false;
    expect(await beforeToolCall?.(call('fetch', args))).toMatchObject({ block: true });
    expect(asked[0]).toEqual({ toolName: 'fetch', args, text: 'May it?' });
    expect(asked[0]?.args).not.toBe(args);
  });

  it('asks nobody about a call that a rule blocks anyway', async () => {
    const { beforeToolCall } = createHooks(rules, {
      ...quiet,
      ask: () => Promise.reject(new Error('was asked')),
    });
    expect(await beforeToolCall?.(call('fetch', { url: 'http://evil.test' }))).toMatchObject({ block: true });
  });
});

describe('rewrite', () => {
  it('replaces only the fields that it names', async () => {
    const { afterToolCall } = createHooks(
      [
        { id: 'a', rule: 'rewrite', tool: 'read', text: 'redacted' },
        { id: 'b', rule: 'rewrite', tool: 'r*', isError: true },
        { id: 'c', rule: 'rewrite', tool: 'other', terminate: true },
      ],
      quiet,
    );
    const after = (name: string) =>
      afterToolCall?.({ ...call(name, {}), result: { content: [] }, isError: false });
    expect(await after('read')).toEqual({ content: [{ type: 'text', text: 'redacted' }], isError: true });
    expect(await after('write')).toBeUndefined();
  });
});

describe('limitContext', () => {
  const system: AgentMessage = { role: 'system', content: 'prompt', timestamp: 0 };
  const assistant = { role: 'assistant', content: [], timestamp: 0 } as unknown as AgentMessage;
  const result = (id: string): AgentMessage =>
    ({ role: 'toolResult', toolCallId: id, content: [], timestamp: 0 }) as unknown as AgentMessage;
  const limited = (keep: number, messages: AgentMessage[]) =>
    createHooks([{ id: 'a', rule: 'limitContext', keep }], quiet).transformContext?.(messages);

  it('keeps system messages and the last others', async () => {
    const patch = { ...system, content: 'patch' };
    const messages = [system, user('1'), patch, user('2'), user('3')];
    expect(await limited(2, messages)).toEqual([system, patch, user('2'), user('3')]);
    expect(await limited(3, messages)).toBe(messages);
  });

  it('never parts tool results from the message that called', async () => {
    const messages = [system, user('1'), assistant, result('a'), result('b'), user('2')];
    for (const keep of [2, 3, 4]) {
      expect(await limited(keep, messages)).toEqual([system, assistant, result('a'), result('b'), user('2')]);
    }
    expect(await limited(1, messages)).toEqual([system, user('2')]);
  });
});

/** A run of the real loop with these rules: what each request carried, and the run's new messages. */
async function loop(rules: HookRule[], turns: PlayedTurn[], requestLimit?: number) {
  const requests: { context: TranscriptContext; reasoning: ThinkingLevel | undefined }[] = [];
  let next = 0;
  const play = scriptedModel({ turns, next: () => next++, sleep: () => Promise.resolve(), now: () => 0 });
  const ping: AgentTool = {
    name: 'ping',
    label: 'ping',
    description: 'ping',
    parameters: { type: 'object' },
    execute: () => Promise.resolve({ content: [{ type: 'text', text: 'pong' }] }),
  };
  const messages = await runAgentLoop(
    [user('go')],
    { messages: [], tools: [ping] },
    {
      model: scriptedModelInfo,
      convertToLlm: (list) => list as TranscriptContext['messages'],
      ...createHooks(
        rules,
        requestLimit === undefined ? quiet : { ...quiet, requestLimit: () => requestLimit },
      ),
    },
    () => undefined,
    undefined,
    (model, context, options) => {
      requests.push({ context, reasoning: options.reasoning });
      return play(model, context, options);
    },
  );
  return { requests, roles: messages.map((message) => message.role), messages };
}
const ping: PlayedTurn = { blocks: [{ type: 'toolCall', name: 'ping', arguments: {} }] };
const say = (text: string): PlayedTurn => ({ blocks: [{ type: 'text', text }] });

describe('in the loop', () => {
  it('a request limit ends the run after so many requests, with the results of the last batch', async () => {
    const { requests, roles } = await loop([], [ping, ping, ping, say('done')], 2);
    expect(requests).toHaveLength(2);
    expect(roles.slice(-2)).toEqual(['assistant', 'toolResult']);
  });

  it('finishTurn ends the run at its nth turn', async () => {
    const { requests } = await loop(
      [{ id: 'a', rule: 'finishTurn', action: 'end', nth: 1 }],
      [ping, say('done')],
    );
    expect(requests).toHaveLength(1);
  });

  it('finishTurn lets the model speak once more', async () => {
    const rules: HookRule[] = [{ id: 'a', rule: 'finishTurn', action: 'continue', nth: 1 }];
    expect((await loop(rules, [say('one'), say('two')])).requests).toHaveLength(2);
  });

  it('append adds a message before every turn but the first', async () => {
    const { messages } = await loop([{ id: 'a', rule: 'append', text: 'Be brief.' }], [ping, say('done')]);
    expect(messages.filter((message) => message.role === 'user')).toEqual([
      user('go'),
      { role: 'user', content: 'Be brief.', timestamp: 7 },
    ]);
  });

  it('thinkingLevel changes the level from its nth request on', async () => {
    const rules: HookRule[] = [{ id: 'a', rule: 'thinkingLevel', level: 'high', nth: 2 }];
    const { requests } = await loop(rules, [ping, ping, say('done')]);
    expect(requests.map(({ reasoning }) => reasoning)).toEqual([undefined, 'high', 'high']);
  });

  it('limitContext shortens what a request carries, and not the transcript', async () => {
    const { requests, messages } = await loop(
      [{ id: 'a', rule: 'limitContext', keep: 1 }],
      [ping, ping, say('done')],
    );
    expect(requests.at(-1)?.context.messages.map((message) => message.role)).toEqual([
      'system',
      'assistant',
      'toolResult',
    ]);
    expect(messages.filter((message) => message.role === 'assistant')).toHaveLength(3);
  });
});
