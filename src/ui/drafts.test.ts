import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  forgetDrafts,
  readPromptEdits,
  readRuleDrafts,
  readSystemPrompt,
  writePromptEdit,
  writeRuleDraft,
  writeSystemPrompt,
} from './drafts';

function fakeStorage(): Storage {
  const values = new Map<string, string>();
  return {
    getItem: (name: string) => values.get(name) ?? null,
    setItem: (name: string, value: string) => void values.set(name, value),
    removeItem: (name: string) => void values.delete(name),
    get length() {
      return values.size;
    },
  } as Storage;
}

beforeEach(() => {
  vi.stubGlobal('localStorage', fakeStorage());
  vi.stubGlobal('sessionStorage', fakeStorage());
});
afterEach(() => vi.unstubAllGlobals());

it('edits of earlier prompts are kept by session and message until they are sent', () => {
  writePromptEdit('s', '1', 'Another question');
  writePromptEdit('s', '9', '');
  writePromptEdit('t', '1', 'Elsewhere');
  expect([...readPromptEdits('s')]).toEqual([
    ['1', 'Another question'],
    ['9', ''],
  ]);
  writePromptEdit('s', '1', undefined);
  expect([...readPromptEdits('s').keys()]).toEqual(['9']);
});

it('a rule that was not saved is kept by session until it is', () => {
  writeRuleDraft('s', 'new', '{}');
  writeRuleDraft('s', 'rule-1', '[]');
  writeRuleDraft('s', 'rule-1', undefined);
  expect([...readRuleDrafts('s')]).toEqual([['new', '{}']]);
  expect(readRuleDrafts('t').size).toBe(0);
});

it('what is stored and is no edit counts as none', () => {
  for (const stored of ['{', '7', 'null', '{"1": 2}']) {
    sessionStorage.setItem('epicycle.promptEdits.s', stored);
    expect(readPromptEdits('s').size).toBe(0);
  }
});

it('a session that is deleted leaves nothing that was typed in it', () => {
  writePromptEdit('s', '1', 'Another question');
  writeSystemPrompt('s', 'Be kind.');
  writeRuleDraft('s', 'new', '{}');
  expect(readSystemPrompt('s')).toBe('Be kind.');
  forgetDrafts('s');
  expect([localStorage.length, sessionStorage.length]).toEqual([0, 0]);
});
