import { describe, expect, test } from 'vitest';
import type { Scenario } from '../scenario/types';
import type { TraceRecord } from '../records';
import { planOfScenario } from './plan';
import { Session } from './session';
import { scenarioEpoch } from './session-parts';

const twoPrompts: Scenario = {
  version: 1,
  title: 'Test',
  start: 'prompt',
  prompts: ['one', 'two'],
  model: { kind: 'scripted', turns: [] },
};

/** A session as the page has it, and what it says of its clock when that changes. */
function open() {
  const records: TraceRecord[] = [];
  const waiting: (() => void)[] = [];
  const session = new Session({
    plan: planOfScenario(twoPrompts),
    createdAt: scenarioEpoch,
    keys: new Map(),
    sink: { record: (record) => records.push(record), blob: () => undefined },
    onFailure: (error) => {
      throw error;
    },
    momentMs: 2500,
    speed: Infinity,
    onClock: () => {
      if (session.clock.goesOn) for (const go of waiting.splice(0)) go();
    },
  });
  const inMoment = () => new Promise<void>((resolve) => waiting.push(resolve));
  const starts = () => records.filter(({ type }) => type === 'agent_start');
  return { session, records, inMoment, starts };
}

describe('between a run and what its scenario does next', () => {
  test('a moment passes, in which the session is idle', async () => {
    const { session, records, inMoment, starts } = open();
    const moment = inMoment();
    session.play();
    await moment;
    expect([session.isIdle, session.trace.state]).toEqual([true, 'idle']);
    await session.whenIdle();
    const ended = records.find(({ type }) => type === 'settled');
    expect((starts()[1]?.at ?? 0) - (ended?.at ?? 0)).toBe(2500);
    expect(session.clock.goesOn).toBe(false);
  });

  test('Pause holds it there, and Play goes on at once', async () => {
    const { session, records, inMoment, starts } = open();
    const moment = inMoment();
    session.play();
    await moment;
    session.pause();
    expect(starts()).toHaveLength(1);
    session.play();
    await session.whenIdle();
    const ended = records.find(({ type }) => type === 'settled');
    expect(starts().map(({ at }) => at)).toEqual([0, ended?.at]);
  });
});
