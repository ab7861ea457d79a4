import { expect, it } from 'vitest';
import type { Session } from '../session.svelte';
import { transportAction } from './transport';

function action(state: 'idle' | 'running' | 'settling', more: { paused?: boolean; ready?: boolean } = {}) {
  const { paused = false, ready = false } = more;
  return transportAction({
    phase: 'open',
    version: 1,
    clock: { virtual: true, playing: !paused, speed: 1, at: 0, ready },
    trace: { state, paused },
    info: { scenario: {} },
  } as unknown as Session);
}

it('plays a scenario that has not begun, and plays it again once it is over', () => {
  expect(action('idle', { ready: true })).toBe('play');
  expect(action('idle')).toBe('again');
});

it.each([true, false])('pauses and resumes a run, also one that was typed first (ready: %s)', (ready) => {
  expect(action('running', { ready })).toBe('pause');
  expect(action('running', { ready, paused: true })).toBe('resume');
});

it('has nothing to play while a run settles', () => {
  expect(action('settling', { ready: true })).toBe('none');
});
