import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createInitialSystemMessage,
  getCurrentSystemMessage,
  getCurrentSystemPrompt,
  getCurrentTools,
  normalizeContext,
} from './index';
import type { SystemMessage, ToolDeclaration } from './index';
import { toolSaying, user } from './loop.testing';
import { declareTools, toolChanges } from './transcript';

const system = (fields: Partial<SystemMessage>): SystemMessage => ({
  role: 'system',
  content: '',
  timestamp: 1,
  ...fields,
});
const declared = (name: string, description = name): ToolDeclaration => ({
  name,
  description,
  parameters: {},
});

describe('the leading system message', () => {
  test('is absent when there is neither a prompt nor a tool', () => {
    expect(createInitialSystemMessage()).toBeUndefined();
    expect(createInitialSystemMessage('', [])).toBeUndefined();
  });

  test('declares tools without their code', () => {
    const message = createInitialSystemMessage('Be brief.', [toolSaying('ls', 'a')]);
    expect(message).toEqual({
      role: 'system',
      content: 'Be brief.',
      toolsAdded: [{ name: 'ls', description: 'ls', parameters: { type: 'object' } }],
      timestamp: 0,
    });
    expect(() => structuredClone(message)).not.toThrow();
  });

  test('leads a normalized context, whose list is its own', () => {
    const messages = [user('hi')];
    const context = normalizeContext({ messages, systemPrompt: 'Be brief.' });
    messages.push(user('later'));
    expect(context.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(normalizeContext({ messages }).messages).not.toBe(messages);
  });
});

describe('replaying system messages', () => {
  test('joins contents with blank lines and leaves out empty ones', () => {
    const messages = [
      system({ content: 'One.' }),
      user('hi'),
      system({}),
      system({ content: [{ type: 'text', text: 'Two.' }] }),
    ];
    expect(getCurrentSystemPrompt(messages)).toBe('One.\n\nTwo.');
  });

  test('puts sections after the content, replaced by name and removed by null', () => {
    const messages = [
      system({ content: 'Base.', sections: { style: 'Be brief.', files: 'a.txt' } }),
      system({ sections: { style: 'Be long.' } }),
      system({ sections: { files: null, date: 'Monday' } }),
    ];
    expect(getCurrentSystemPrompt(messages)).toBe('Base.\n\nBe long.\n\nMonday');
    expect(getCurrentSystemMessage(messages)?.sections).toEqual({ style: 'Be long.', date: 'Monday' });
  });

  test('gives one message that replays to the same prompt and tools', () => {
    const messages = [
      system({ content: 'One.', sections: { a: 'A' }, toolsAdded: [declared('ls'), declared('rm')] }),
      system({ content: 'Two.', toolsRemoved: [{ name: 'rm' }] }),
    ];
    const replayed = getCurrentSystemMessage(messages);
    expect(getCurrentSystemPrompt(replayed ? [replayed] : [])).toBe(getCurrentSystemPrompt(messages));
    expect(replayed?.toolsAdded).toEqual([declared('ls')]);
    expect(replayed?.timestamp).toBe(1);
  });

  test('gives nothing for a transcript without system messages', () => {
    expect(getCurrentSystemMessage([user('hi')])).toBeUndefined();
    expect(getCurrentSystemPrompt([user('hi')])).toBe('');
  });

  test('takes the tools in the order of the messages, a later declaration in the place of an earlier one', () => {
    const messages = [
      system({ toolsAdded: [declared('ls', 'old'), declared('rm')] }),
      system({ toolsRemoved: [{ name: 'ls' }], toolsAdded: [declared('ls', 'new')] }),
    ];
    expect(getCurrentTools(messages)).toEqual([declared('rm'), declared('ls', 'new')]);
  });
});

describe('declaring tools', () => {
  const wrap = (message: SystemMessage) => ({ message, made: true });
  const declare = (
    transcript: SystemMessage[],
    pending: { message: SystemMessage | ReturnType<typeof user> }[],
    names: string[],
  ) =>
    declareTools(
      transcript,
      pending,
      names.map((name) => toolSaying(name, '')),
      wrap,
      () => 7,
    ).map(({ message }) => message);

  test('a changed declaration is removed and added', () => {
    const changes = toolChanges([declared('ls', 'old')], [toolSaying('ls', '')]);
    expect(changes.toolsRemoved).toEqual([{ name: 'ls' }]);
    expect(changes.toolsAdded).toHaveLength(1);
  });

  test('of two runnable tools with one name the first is declared, since it is the one that runs', () => {
    const tools = [
      toolSaying('ls', '', { description: 'first' }),
      toolSaying('ls', '', { description: 'second' }),
    ];
    expect(toolChanges([], tools).toolsAdded.map(({ description }) => description)).toEqual(['first']);
  });

  test('a difference becomes a system message ahead of what is pending, also when nothing is', () => {
    expect(declare([], [{ message: user('go') }], ['ls'])).toMatchObject([
      { role: 'system', content: '', timestamp: 7, toolsAdded: [{ name: 'ls' }] },
      { role: 'user' },
    ]);
    expect(declare([], [], ['ls'])).toMatchObject([{ role: 'system' }]);
  });

  test('nothing is added when the transcript declares the tools already', () => {
    const transcript = [createInitialSystemMessage('', [toolSaying('ls', '')])].filter(
      (message) => message !== undefined,
    );
    expect(declare(transcript, [{ message: user('go') }], ['ls'])).toHaveLength(1);
  });

  test('the last pending system message carries the real difference in the place of its own tool fields', () => {
    const pending = [
      { message: system({ content: 'A', toolsAdded: [declared('zz')] }) },
      { message: system({ content: 'B', toolsRemoved: [{ name: 'qq' }] }) },
    ];
    const [first, last] = declare([], pending, ['ls']);
    expect(first).toBe(pending[0]?.message);
    expect(last).toMatchObject({
      content: 'B',
      toolsAdded: [{ name: 'ls' }],
      toolsRemoved: [{ name: 'zz' }],
    });
  });

  test('replaying the transcript gives exactly the runnable tools, whatever was declared before', () => {
    const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'));
    const messages = fc.array(
      fc
        .record({ added: names, removed: names, description: fc.constantFrom('x', 'y') })
        .map(({ added, removed, description }) =>
          system({
            toolsAdded: added.map((name) => declared(name, description)),
            toolsRemoved: removed.map((name) => ({ name })),
          }),
        ),
    );
    fc.assert(
      fc.property(messages, messages, names, (transcript, pending, runnable) => {
        const joined = declare(
          transcript,
          pending.map((message) => ({ message })),
          runnable,
        );
        const replayed = getCurrentTools([...transcript, ...joined]);
        expect(replayed.map(({ name }) => name).sort()).toEqual([...runnable].sort());
        expect(replayed.every(({ name, description }) => name === description)).toBe(true);
      }),
    );
  });
});
