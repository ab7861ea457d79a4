import { expect, it } from 'vitest';
import { QueueEdits } from './edits.svelte';

it('gives the changed text of a message that a poll took, once', () => {
  const edits = new QueueEdits();
  edits.begin('s1', 'a', 'old');
  edits.change('s1', 'a', 'new');
  expect(edits.takeLost('s1', () => true)).toEqual([]);
  expect(edits.textOf('s1', 'a')).toBe('new');
  expect(edits.takeLost('s1', () => false)).toEqual(['new']);
  expect(edits.takeLost('s1', () => false)).toEqual([]);
  expect(edits.textOf('s1', 'a')).toBeUndefined();
});

it('gives nothing of an edit that changed nothing', () => {
  const edits = new QueueEdits();
  edits.begin('s1', 'a', 'old');
  expect(edits.takeLost('s1', () => false)).toEqual([]);
});

it('keeps an edit while another session is open', () => {
  const edits = new QueueEdits();
  edits.begin('s1', 'a', 'old');
  edits.change('s1', 'a', 'new');
  expect(edits.takeLost('s2', () => false)).toEqual([]);
  expect(edits.textOf('s1', 'a')).toBe('new');
});
