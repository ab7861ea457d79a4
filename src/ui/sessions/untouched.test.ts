import { expect, it } from 'vitest';
import type { RecordBody, SessionInfo, TraceRecord } from '../../records/types';
import { isUntouched } from './untouched';

const info = { title: 'One', scenario: {} } as SessionInfo;
const start: RecordBody[] = [
  { type: 'config', set: {} },
  { type: 'file_change', path: '/a', by: 'start', after: { text: 'a' } },
  { type: 'message_start', message: '1', role: 'system', origin: 'history' },
  { type: 'message_end', message: '1', body: { role: 'system', content: 'Hi', timestamp: 0 } },
];
const log = (...more: RecordBody[]): TraceRecord[] =>
  [...start, ...more].map((body, index) => ({ seq: index + 1, at: 0, ...body }));

it('is untouched with the records that it began with', () => {
  expect(isUntouched(info, ['One'], log())).toBe(true);
});

it('is touched once a person set, changed, queued or asked for something', () => {
  const things: RecordBody[] = [
    { type: 'config', set: { toolExecution: 'sequential' } },
    { type: 'file_change', path: '/a', by: 'person' },
    { type: 'queue', queue: 'steering', why: 'enqueue', add: [] },
    { type: 'agent_start', run: '2', how: 'prompt' },
  ];
  for (const thing of things) expect(isUntouched(info, ['One'], log(thing))).toBe(false);
});

it('is touched when it was renamed, and is kept without a scenario that makes another', () => {
  expect(isUntouched({ ...info, title: 'Mine' }, ['One', undefined], log())).toBe(false);
  expect(isUntouched({ title: 'One', scenario: undefined }, ['One'], log())).toBe(false);
});
