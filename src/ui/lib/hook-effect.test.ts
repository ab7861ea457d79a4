import { expect, it } from 'vitest';
import { hookEffect } from './hook-effect';

it('a hook says what came of it', () => {
  const effect = (name: string, decision: Parameters<typeof hookEffect>[0]['decision'], rules?: string[]) =>
    hookEffect({
      type: 'hook',
      name,
      durationMs: 0,
      ...(decision ? { decision } : {}),
      ...(rules ? { rules } : {}),
    });
  expect(effect('beforeToolCall', undefined)).toBe('no decision');
  expect(effect('beforeToolCall', undefined, ['a'])).toBe('asked, and allowed');
  expect(effect('beforeToolCall', { block: true, reason: 'secrets' })).toBe('blocked: secrets');
  expect(effect('beforeToolCall', { replaced: ['args'] })).toBe('changed the arguments');
  expect(effect('afterToolCall', { replaced: ['content', 'isError'], terminate: true })).toBe(
    'rewrote the result',
  );
  expect(effect('afterToolCall', { terminate: true })).toBe('ends after the batch');
  expect(effect('finishTurn', { action: 'continue' })).toBe('asks to go on');
  expect(effect('prepareNextTurn', { messages: 1 })).toBe('appended 1 message');
  expect(effect('transformContext', { replaced: ['messages'], messages: 3 })).toBe(
    'showed the model 3 messages',
  );
  expect(effect('prepareRequest', { replaced: ['thinkingLevel'], thinkingLevel: 'high' })).toBe(
    'set thinking to high',
  );
  expect(effect('finishTurn', { error: 'It broke.' })).toBe('It broke.');
});
