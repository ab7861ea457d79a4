/** Plays a scenario without a page or a store: for tests, lessons and "what if". */
import type { BlobHash, TraceRecord } from '../records/types';
import { expandFiles, parseScenario } from '../scenario';
import type { Scenario } from '../scenario/types';
import { planOfScenario } from './plan';
import { Session } from './session';
import { scenarioEpoch } from './session-parts';

export interface RunScenarioOptions {
  /** The bytes of a shipped sample; without it, samples are missing. */
  loadSample?: (path: string) => Promise<Uint8Array>;
  /** Virtual ms in a real one; `Infinity` when absent. */
  speed?: number;
  onBlob?: (hash: BlobHash, bytes: Uint8Array) => void;
}

/**
 * All records of a scenario, played to its end: the same ones every time. Permissions and questions that it does not answer
 * are refused. Rejects with a ScenarioError, `scenario.needsEndpoint`, or what broke the recording.
 */
export async function runScenario(
  scenario: Scenario,
  options: RunScenarioOptions = {},
): Promise<TraceRecord[]> {
  const { loadSample = noSample, speed = Infinity, onBlob = () => undefined } = options;
  const plan = planOfScenario(parseScenario(scenario));
  const files = await expandFiles(plan.scenario?.files, loadSample);
  const records: TraceRecord[] = [];
  const failures: unknown[] = [];
  const session = new Session({
    plan,
    createdAt: scenarioEpoch,
    keys: new Map(),
    sink: { record: (record) => records.push(record), blob: onBlob },
    onFailure: (error) => failures.push(error),
    files,
    speed,
  });
  const stuck = untilStuck(session);
  session.play();
  try {
    await Promise.race([session.whenIdle(), stuck]);
  } finally {
    await session.close();
  }
  if (failures.length > 0) throw failures[0];
  return records;
}

/** Nobody is there to answer or to wait: refuses, then aborts, and rejects when that does not help either. */
function untilStuck(session: Session): Promise<never> {
  return new Promise((_, reject) => {
    let abortedAt: number | undefined;
    const clock = session.parts.virtual;
    if (!clock) return;
    clock.onStall = () => {
      if (session.isIdle) return false;
      if (session.trace.seq === abortedAt) {
        reject(new Error('The scenario waits for something that never comes'));
        return false;
      }
      if (session.asks.isWaiting) session.asks.refuseAll();
      else {
        session.abort();
        abortedAt = session.trace.seq;
      }
      return true;
    };
  });
}

function noSample(path: string): Promise<never> {
  return Promise.reject(new Error(`There is no sample ${path} here`));
}
