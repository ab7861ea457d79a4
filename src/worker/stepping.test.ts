import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TraceRecord } from '../records';
import { loadShipped, shippedIds } from '../scenario/shipped';
import { loopPlace } from '../trace/loop-place';
import { why, whyDecided } from '../trace/why';
import { randomScenario } from './random-scenario.testing';
import { runScenario } from './run-scenario';
import type { Session } from './session';
import { loadSample, stepThrough } from './stepping.testing';

/** Records without the pauses, numbered as if there had been none. */
function unpaused(records: readonly TraceRecord[]): string[] {
  const others = records.filter(({ type }) => type !== 'pause' && type !== 'resume');
  return others.map((record, index) => JSON.stringify({ ...record, seq: index + 1 }));
}
/** Whether it is a step of the run's own loop, at which it can be held. */
function isStep(record: TraceRecord, { trace }: Session): boolean {
  if (record.type === 'step' || record.type === 'request') return true;
  return record.type === 'hook' && trace.calls.get(record.call ?? '')?.parent === undefined;
}

/** The last record before the pause is the one step, and the trace says what that step decided. */
function expectHeldAtOneStep(since: TraceRecord[], session: Session): void {
  expect(since.filter((record) => isStep(record, session))).toHaveLength(1);
  const [step, pause] = since.slice(-2);
  expect(pause).toMatchObject({ type: 'pause', stepped: true });
  expect(step && isStep(step, session)).toBe(true);
  const place = loopPlace(session.trace);
  expect(place.paused).toBe(true);
  if (step?.type !== 'step' || step.step.type !== 'decide') return;
  expect(place.seq).toBe(step.seq);
  const said = why(session.trace);
  if (said?.code !== 'why.stops.requestLimit') expect(said).toEqual(whyDecided(step.step));
}

describe('a scenario that is stepped through', () => {
  test.each(shippedIds)(
    '%s: is held once at each step, and its records are those of playing it',
    async (id) => {
      const scenario = await loadShipped(id);
      const played = await runScenario(scenario, { loadSample });
      let holds = 0;
      const stepped = await stepThrough(scenario, (since, session) => {
        holds++;
        expectHeldAtOneStep(since, session);
      });
      expect(holds).toBeGreaterThan(5);
      expect(unpaused(stepped)).toEqual(unpaused(played));
    },
  );

  test('whatever it is, does the same as one that is played', async () => {
    await fc.assert(
      fc.asyncProperty(randomScenario, async (scenario) => {
        const played = await runScenario(scenario);
        const stepped = await stepThrough(scenario, expectHeldAtOneStep);
        expect(unpaused(stepped)).toEqual(unpaused(played));
      }),
      { numRuns: 100 },
    );
  }, 60_000);
});
