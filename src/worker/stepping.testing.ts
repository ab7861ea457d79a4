/** Goes through a scenario step by step, as a person does that presses Step until all is over. */
import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import type { BlobHash, TraceRecord } from '../records';
import { expandFiles, parseScenario } from '../scenario';
import type { Scenario } from '../scenario/types';
import { macrotask } from './macrotask';
import { planOfScenario } from './plan';
import { Session } from './session';
import { scenarioEpoch } from './session-parts';

const samples = new URL('../../public/samples/', import.meta.url);
export const loadSample = async (path: string) => new Uint8Array(await readFile(new URL(path, samples)));

type OnBlob = (hash: BlobHash, bytes: Uint8Array) => void;

async function open(scenario: Scenario, onBlob: OnBlob) {
  const records: TraceRecord[] = [];
  const failures: unknown[] = [];
  let told = () => {};
  const plan = planOfScenario(parseScenario(scenario));
  const session: Session = new Session({
    plan,
    createdAt: scenarioEpoch,
    keys: new Map(),
    sink: { record: (record) => records.push(record), blob: onBlob },
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
    // A person is slower than what has been set going.
    await new Promise<void>((resolve) => macrotask(resolve));
  };
  return { session, records, press, failures };
}

/** Presses until all is over. `atHold` gets what was recorded since the hold before. */
export async function stepThrough(
  scenario: Scenario,
  atHold: (since: TraceRecord[], session: Session) => void,
  onBlob: OnBlob = () => undefined,
) {
  const { session, records, press, failures } = await open(scenario, onBlob);
  for (let before = records.length; ; before = records.length) {
    await press();
    if (!session.trace.paused) break;
    atHold(records.slice(before), session);
  }
  await session.close();
  expect(failures).toEqual([]);
  return records;
}
