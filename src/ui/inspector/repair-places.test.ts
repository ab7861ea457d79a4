import { describe, expect, it } from 'vitest';
import type { AssistantMessage, Message, ToolCall } from '../../loop/types';
import { chatRequest } from '../../models/chat-request';
import { manualModelInfo } from '../../models/manual';
import { responsesRequest } from '../../models/responses-request';
import { messagesKey, repairPlaces, sentEntries } from './repair-places';
import { emptyTrace } from '../../trace';

const user = (content: string): Message => ({ role: 'user', content, timestamp: 0 });
const call = (id: string): ToolCall => ({ type: 'toolCall', id, name: 'read', arguments: {} });
const result = (toolCallId: string, text = 'read'): Message => ({
  role: 'toolResult',
  toolCallId,
  toolName: 'read',
  content: [{ type: 'text', text }],
  isError: false,
  timestamp: 0,
});

function answer(content: AssistantMessage['content'], stopReason: AssistantMessage['stopReason'] = 'stop') {
  const { api, provider, id: model } = manualModelInfo;
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost };
  return { role: 'assistant' as const, content, api, provider, model, usage, stopReason, timestamp: 0 };
}
const text = (said: string) => ({ type: 'text' as const, text: said });

/** What is sent for a transcript by either API, with the places of its repairs. */
function sent(transcript: Message[], make: typeof chatRequest, tellFailures = false) {
  const { body, repairs } = make(manualModelInfo, transcript, { tellFailures });
  const ids = new Map(transcript.map((message, index) => [message, `m${index}`]));
  const items = body[messagesKey(body) ?? ''] as Record<string, unknown>[];
  const entries = transcript.map((message) => ({
    ...(sentEntries(emptyTrace(), [message])[0] ?? expect.fail()),
    id: ids.get(message) ?? '',
  }));
  const named = repairs.map(({ index, code }) => ({ code, message: `m${index}` }));
  return { items, ...repairPlaces(items, entries, named) };
}

for (const [api, make] of [
  ['Chat Completions', chatRequest],
  ['Responses', responsesRequest],
] as const)
  describe(`the places of repairs in a request for ${api}`, () => {
    it('are before what follows the message that was left out', () => {
      const { items, before, elsewhere } = sent(
        [user('a'), answer([text('half')], 'error'), user('b'), user(' '), user('c')],
        make,
      );
      expect(elsewhere).toEqual([]);
      expect([...before].map(([at, all]) => [items[at], all.map(({ code }) => code)])).toMatchObject([
        [{ role: 'user' }, ['failedLeftOut']],
        [{ role: 'user' }, ['emptyLeftOut']],
      ]);
      expect([...before.keys()]).toEqual([1, 2]);
    });

    it('are at the note that tells of a failure', () => {
      const { items, at, before } = sent([user('a'), answer([text('half')], 'error'), user('b')], make, true);
      expect(before.size).toBe(0);
      expect([...at.keys()].map((index) => JSON.stringify(items[index]))).toMatchObject([
        expect.stringContaining('Your last answer is left out'),
      ]);
    });

    it('are at the result that was added, moved or filled', () => {
      const transcript = [
        user('a'),
        answer([text('I read.'), call('one'), call('two'), call('three')], 'toolUse'),
        result('three', ''),
        result('one'),
        answer([call('four')], 'toolUse'),
        answer([text('Wait.')]),
        answer([text('Done.')]),
      ];
      const { items, at, elsewhere } = sent(transcript, make);
      expect(elsewhere).toEqual([]);
      const told = [...at].flatMap(([index, all]) =>
        all.map(({ code }) => [code, items[index]?.tool_call_id ?? items[index]?.call_id]),
      );
      expect(told.toSorted()).toEqual([
        ['emptyResult', 'three'],
        ['resultAdded', 'four'],
        ['resultAdded', 'two'],
        ['resultMoved', 'one'],
        ['resultMoved', 'three'],
      ]);
    });

    it('are at the end when the last message was left out', () => {
      const { items, before } = sent([user('a'), answer([text('half')], 'aborted')], make);
      expect([...before.keys()]).toEqual([items.length]);
    });
  });

describe('the places of repairs', () => {
  it('are unknown where body and transcript do not go together', () => {
    const repairs = ['m1', 'm2'].map((message) => ({ code: 'emptyResult', message }));
    const entries = ['user', 'user', 'user'].map((role, index) => {
      return { id: `m${index}`, role, hasText: true, calls: [] };
    });
    const { at, elsewhere } = repairPlaces([{ role: 'user' }, { role: 'other' }], entries, repairs);
    expect([at.size, elsewhere]).toEqual([0, repairs]);
  });
});
