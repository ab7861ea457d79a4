import { expect, it } from 'vitest';
import type { Session } from '../session.svelte';
import { transportAction, unplayable, unsteppable } from './transport';

interface More {
  paused?: boolean;
  ready?: boolean;
  goesOn?: boolean;
  virtual?: boolean;
  readOnly?: boolean;
  scenario?: object | undefined;
}

function session(state: 'idle' | 'running' | 'settling', more: More = {}): Session {
  const { paused = false, ready = false, goesOn = false, virtual = true, readOnly = false } = more;
  return {
    phase: 'open',
    version: 1,
    readOnly,
    clock: { virtual, playing: !paused, speed: 1, still: false, resting: false, at: 0, ready, goesOn },
    trace: { state, paused },
    info: { scenario: 'scenario' in more ? more.scenario : {} },
  } as unknown as Session;
}

const action = (...given: Parameters<typeof session>) => transportAction(session(...given));

it('plays a scenario that has not begun, and plays it again once it is over', () => {
  expect(action('idle', { ready: true })).toBe('play');
  expect(action('idle')).toBe('again');
});

it.each([true, false])('pauses and resumes a run, also one that was typed first (ready: %s)', (ready) => {
  expect(action('running', { ready })).toBe('pause');
  expect(action('running', { ready, paused: true })).toBe('resume');
});

it('pauses and resumes also in the moment before its scenario goes on', () => {
  expect(action('idle', { goesOn: true })).toBe('pause');
  expect(action('idle', { goesOn: true, paused: true })).toBe('resume');
});

it('has nothing to play while a run settles', () => {
  expect(action('settling', { ready: true })).toBe('none');
});

it('says why there is nothing to play', () => {
  expect(unplayable(session('idle', { ready: true }), true)).toBeUndefined();
  expect(unplayable(session('idle', { ready: true }), false)).toBe('noSession');
  expect(unplayable(session('idle', { ready: true, readOnly: true }), true)).toBe('readOnly');
  expect(unplayable(session('running', { virtual: false }), true)).toBe('live');
  expect(unplayable(session('settling'), true)).toBe('settling');
  expect(unplayable(session('idle', { scenario: undefined }), true)).toBe('idle');
});

it('steps wherever it could play or pause, and begins nothing anew once the scenario is over', () => {
  for (const [state, more] of [
    ['idle', { ready: true }],
    ['idle', { goesOn: true }],
    ['running', {}],
    ['running', { paused: true }],
  ] as const)
    expect(unsteppable(session(state, more), true)).toBeUndefined();
  expect(unsteppable(session('idle'), true)).toBe('over');
  expect(unsteppable(session('running', { virtual: false }), true)).toBe('live');
  expect(unsteppable(session('running', { readOnly: true }), true)).toBe('readOnly');
});
