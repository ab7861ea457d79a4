import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TraceRecord } from '../records';
import { expandFiles, parseScenario } from '../scenario';
import { loadShipped, shippedIds } from '../scenario/shipped';
import type { Scenario } from '../scenario/types';
import { loopPlace } from '../trace/loop-place';
import { why, whyDecided } from '../trace/why';
import { planOfScenario } from './plan';
import { randomScenario } from './random-scenario.testing';
import { runScenario } from './run-scenario';
import { Session } from './session';
import { scenarioEpoch } from './session-parts';

const samples = new URL('../../public/samples/', import.meta.url);
const loadSample = async (path: string) => new Uint8Array(await readFile(new URL(path, samples)));

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

async function open(scenario: Scenario) {
  const records: TraceRecord[] = [];
  const failures: unknown[] = [];
  let told = () => {};
  const plan = planOfScenario(parseScenario(scenario));
  const session: Session = new Session({
    plan,
    createdAt: scenarioEpoch,
    keys: new Map(),
    sink: { record: (record) => records.push(record), blob: () => undefined },
    onFailure: (error) => failures.push(error),
    files: await expandFiles(plan.scenario?.files, loadSample),
    speed: Infinity,
    onClock: () => told(),
  });
  const clock = session.parts.virtual;
  if (clock)
    clock.onStall = () => {
      if (session.isIdle) return false;
      if (session.asks.isWaiting) session.asks.refuseAll();
      else session.abort();
      return true;
    };
  /** One press: the loop is held again, or all is over. */
  const press = async () => {
    const held = new Promise<void>((resolve) => {
      told = () => session.trace.paused && resolve();
    });
    session.step();
    await Promise.race([held, session.whenIdle()]);
  };
  return { session, records, press, failures };
}

/** Presses until all is over. `atHold` gets what was recorded since the hold before. */
async function stepThrough(scenario: Scenario, atHold: (since: TraceRecord[], session: Session) => void) {
  const { session, records, press, failures } = await open(scenario);
  for (let before = records.length; ; before = records.length) {
    await press();
    if (!session.trace.paused) break;
    atHold(records.slice(before), session);
  }
  await session.close();
  expect(failures).toEqual([]);
  return records;
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
