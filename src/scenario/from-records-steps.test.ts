import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TraceRecord } from '../records/types';
import { ProblemError } from '../store';
import { randomScenario } from '../worker/random-scenario.testing';
import { runScenario } from '../worker/run-scenario';
import type { Session } from '../worker/session';
import { stepThrough } from '../worker/stepping.testing';
import { scenarioFromRecords } from './from-records';
import type { Scenario } from './types';

type Act = (session: Session) => void;
const first = (session: Session, queue: 'steering' | 'followUp') => session.queuedId(queue, 1) ?? '';
const acts: Record<string, Act> = {
  steer: (session) => session.queue('steering', 'Steered.'),
  followUp: (session) => session.queue('followUp', 'Later.'),
  abort: (session) => void session.abortRun(session.trace.runs.at(-1)?.id ?? ''),
  remove: (session) => session.removeQueued(first(session, 'steering')),
  edit: (session) => session.editQueued(first(session, 'followUp'), 'Edited.'),
  move: (session) => session.moveQueued(first(session, 'followUp'), 'steering'),
  recall: (session) => session.clearQueue('followUp'),
  all: (session) => session.setMode('steering', 'all'),
  oneAtATime: (session) => session.setMode('followUp', 'one-at-a-time'),
  think: (session) => session.configure({ thinkingLevel: 'high' }),
  oneByOne: (session) => session.configure({ toolExecution: 'sequential' }),
  limit: (session) => session.configure({ requestLimit: 3 }),
  tools: (session) => session.setTools(['read']),
  write: (session) => session.changeFile('a.txt', 'By the person.'),
  allow: (session) => session.asks.answerOldest('permission', true),
};
const holds = fc.array(
  fc.record({
    skip: fc.nat(6),
    acts: fc.array(fc.constantFrom(...Object.keys(acts)), { minLength: 1, maxLength: 2 }),
  }),
  { maxLength: 4 },
);

/** Steps through a scenario, and at some holds does something. */
async function steppedBy(scenario: Scenario, doing: readonly { skip: number; acts: string[] }[]) {
  const blobs = new Map<string, Uint8Array>();
  const left = [...doing];
  let skip = left[0]?.skip;
  const records = await stepThrough(
    scenario,
    (_, session) => {
      if (skip === undefined || skip-- > 0) return;
      for (const name of left.shift()?.acts ?? []) attempt(acts[name], session);
      skip = left[0]?.skip;
    },
    (hash, bytes) => void blobs.set(hash, bytes),
  );
  return { records, saved: scenarioFromRecords(records, { blobs: (hash) => blobs.get(hash) }) };
}
function attempt(act: Act | undefined, session: Session): void {
  // After an abort the loop goes on, and is held no more.
  if (!session.trace.paused) return;
  try {
    act?.(session);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
  }
}
/** Without pauses, and without how deltas were joined. */
function seen(records: readonly TraceRecord[]): string[] {
  const rows: string[] = [];
  let text = '';
  for (const { seq: _, ...record } of records) {
    if (record.type === 'pause' || record.type === 'resume') continue;
    if (record.type === 'message_update' && record.delta !== undefined) {
      text += record.delta;
      continue;
    }
    rows.push(JSON.stringify([text, record]));
    text = '';
  }
  return rows;
}

test('what a person did at the steps at which the loop was held is done there when it is saved and played again', async () => {
  await fc.assert(
    fc.asyncProperty(randomScenario, holds, async (random, doing) => {
      const actions = random.actions?.map(({ afterMs: _, ...action }) => action) ?? [];
      const { records, saved } = await steppedBy({ ...random, actions }, doing);
      expect(seen(await runScenario(saved))).toEqual(seen(records));
    }),
    { numRuns: 100 },
  );
}, 120_000);
