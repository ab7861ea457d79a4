import { expect, it } from 'vitest';
import type { SessionInfo } from '../../records/types';
import { asItIs } from './as-it-is';

const info = (id: string, seq: number): SessionInfo => ({
  id,
  title: id,
  createdAt: 0,
  updatedAt: 5,
  seq,
  at: seq * 10,
  state: 'idle',
});
const stored = [info('a', 3), info('b', 7)];

it('counts the records of the open session as the page has them, not as the list was read', () => {
  const trace = { seq: 12, at: 140, state: 'running' } as const;
  expect(asItIs(stored, { info: info('b', 1), trace })).toEqual([
    stored[0],
    { ...stored[1], seq: 12, at: 140, state: 'running' },
  ]);
});

it('leaves a session as it was read when the page knows less of it, or has another one open', () => {
  expect(asItIs(stored, { info: info('b', 7), trace: { seq: 2, at: 20, state: 'idle' } })).toEqual(stored);
  expect(asItIs(stored, { info: info('c', 9), trace: { seq: 9, at: 90, state: 'idle' } })).toEqual(stored);
  expect(asItIs(stored, { info: undefined, trace: { seq: 9, at: 90, state: 'idle' } })).toEqual(stored);
});
