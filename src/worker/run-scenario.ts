/** Plays a scenario without a page or a store: for tests, lessons and "what if". */
import type { BlobHash, TraceRecord } from '../records/types';
import { expandFiles, parseScenario } from '../scenario';
import type { Scenario } from '../scenario/types';
import { planOfScenario } from './plan';
import { scenarioEpoch, Session } from './session';

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
export async function runScenario(scenario: Scenario, options: RunScenarioOptions = {}): Promise<TraceRecord[]> {
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
  session.onStall = () => {
    if (session.asks.isWaiting) session.asks.refuseAll();
    else session.abort();
  };
  session.play();
  await session.whenIdle();
  await session.close();
  if (failures.length > 0) throw failures[0];
  return records;
}

function noSample(path: string): Promise<never> {
  return Promise.reject(new Error(`There is no sample ${path} here`));
}
