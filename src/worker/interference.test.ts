import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TraceRecord } from '../records';
import { loadShipped } from '../scenario/shipped';
import type { Scenario } from '../scenario/types';
import { ProblemError } from '../store';
import { planOfScenario } from './plan';
import { randomScenario } from './random-scenario.testing';
import { Session } from './session';
import { scenarioEpoch } from './session-parts';

/** What a person does, so many virtual ms after what he did before. */
interface Deed {
  afterMs: number;
  act: (session: Session) => void;
}

/** The person's own abort, of whatever runs. */
const abort = (session: Session) => void session.abortRun(session.trace.runs.at(-1)?.id ?? '');
const removeFirst = (session: Session) => session.removeQueued(session.queuedId('steering', 1) ?? '');
const acts: Record<string, (session: Session) => void> = {
  retry: (session) => session.retry(),
  continue: (session) => session.continue(),
  prompt: (session) => session.prompt('Mine.'),
  abort,
  steer: (session) => session.queue('steering', 'Steered.'),
  followUp: (session) => session.queue('followUp', 'Later.'),
  recall: (session) => session.clearQueue('steering'),
  remove: removeFirst,
  edit: (session) => session.editPrompt(session.trace.transcript[0] ?? '', 'Edited.'),
  play: (session) => session.play(),
  step: (session) => session.step(),
  pauseAndPlay: (session) => {
    session.pause();
    setTimeout(() => session.play());
  },
  pauseAndStep: (session) => {
    session.pause();
    setTimeout(() => session.step());
  },
};

/** Plays a scenario while a person interferes, until nothing is due any more. Resolves with what the page was told last. */
async function interfered(scenario: Scenario, deeds: readonly Deed[], begin = acts['play']) {
  const records: TraceRecord[] = [];
  const failures: unknown[] = [];
  let told: Session['clock'] | undefined;
  const session: Session = new Session({
    plan: planOfScenario(scenario),
    createdAt: scenarioEpoch,
    keys: new Map(),
    sink: { record: (record) => records.push(record), blob: () => undefined },
    onFailure: (error) => failures.push(error),
    momentMs: 2500,
    speed: Infinity,
    onClock: () => {
      told = session.clock;
      // Stepping through all of it.
      if (session.trace.paused && records.at(-1)?.type === 'pause') setTimeout(() => session.step());
    },
  });
  const tries = (act: Deed['act']) => {
    try {
      act(session);
    } catch (error) {
      if (!(error instanceof ProblemError)) failures.push(error);
    }
  };
  const left = [...deeds];
  const next = () => {
    const deed = left.shift();
    if (!deed) return;
    session.after(deed.afterMs, () => {
      tries(deed.act);
      next();
    });
  };
  const rest = new Promise<void>((resolve) => {
    const clock = session.parts.virtual;
    if (clock)
      clock.onStall = () => {
        if (session.isIdle) {
          resolve();
          return false;
        }
        if (session.asks.isWaiting) session.asks.refuseAll();
        else session.abort();
        return true;
      };
  });
  next();
  begin?.(session);
  await rest;
  const now = session.clock;
  await session.close();
  expect(failures).toEqual([]);
  return { told, now, records, trace: session.trace };
}

/** Nothing is to come: the page, too, knows it. */
function expectRest({ told, now, trace }: Awaited<ReturnType<typeof interfered>>): void {
  expect(trace.state).toBe('idle');
  expect(trace.paused).toBe(false);
  expect(now).toMatchObject({ goesOn: false, ready: false });
  expect(told).toMatchObject({ goesOn: false, ready: false });
}
const how = (records: readonly TraceRecord[]) =>
  records.flatMap((record) => (record.type === 'agent_start' ? [record.how] : []));

describe('a scenario in which a person does what it was about to do', () => {
  test('retries once, and ends', async () => {
    const scenario = await loadShipped('provider-error');
    const alone = await interfered(scenario, []);
    const failedAt = alone.trace.runs[0]?.endAt ?? 0;
    const done = await interfered(scenario, [{ afterMs: failedAt + 100, act: (one) => one.retry() }]);
    expectRest(done);
    expect(done.trace.runs.map(({ status }) => status)).toEqual(['error', 'done']);
  });

  test('continues once, and goes on to what comes behind it', async () => {
    const scenario = await loadShipped('three-continues');
    const alone = await interfered(scenario, []);
    const first = alone.trace.runs[0]?.endAt ?? 0;
    const done = await interfered(scenario, [{ afterMs: first + 100, act: (one) => one.continue() }]);
    expectRest(done);
    expect(how(done.records)).toEqual(how(alone.records));
  });

  test('is not begun by Continue when the person went on from the history before', async () => {
    const scenario = await loadShipped('three-continues');
    const play = (one: Session) => one.play();
    const done = await interfered(scenario, [{ afterMs: 60_000, act: play }], (one) => one.continue());
    expectRest(done);
    expect(how(done.records)).toEqual(['request']);
  });
});

describe('whatever a person does meanwhile', () => {
  const deed = fc.record({
    afterMs: fc.oneof(fc.nat(60), fc.nat(600), fc.nat(4000)),
    act: fc.constantFrom(...Object.keys(acts)),
  });

  test('a scenario comes to rest, and the page is told so', async () => {
    await fc.assert(
      fc.asyncProperty(randomScenario, fc.array(deed, { maxLength: 5 }), async (scenario, deeds) => {
        const done = deeds.map(({ afterMs, act }) => ({ afterMs, act: acts[act] ?? abort }));
        expectRest(await interfered(scenario, done));
      }),
      { numRuns: 150 },
    );
  }, 60_000);
});
