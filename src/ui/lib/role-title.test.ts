import { expect, it } from 'vitest';
import { roleTitle } from './role-title';

it('says what a message is in words for people', () => {
  expect(['user', 'assistant', 'system', 'toolResult', 'tool'].map(roleTitle)).toEqual([
    'User message',
    'Assistant message',
    'System message',
    'Tool result',
    'tool',
  ]);
});
