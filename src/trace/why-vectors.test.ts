import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { runScenario, type Scenario } from '../loop/conformance/run-scenario.testing';
import type { RecordOf, TraceRecord } from '../records/types';
import { BlobWriter } from '../worker/blob-writer';
import type { Clock } from '../worker/clock';
import { RecordWriter } from '../worker/record-writer';
import { Recorder } from '../worker/recorder';
import { emptyTrace, fold, foldInto } from './fold';
import { landingOf, nextTaken } from './landing';
import { why, type WhyCode } from './why';

interface Vector {
  name: string;
  scenario: Scenario;
}
const file = new URL('../loop/conformance/cases/vectors.json', import.meta.url);
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vector[];

/** The records of a vector, as a session would have written them. */
async function recordsOf({ scenario }: Vector): Promise<TraceRecord[]> {
  const records: TraceRecord[] = [];
  const failures: unknown[] = [];
  let at = 0;
  const clock: Clock = {
    now: () => ++at,
    setTimer: () => () => undefined,
    sleep: () => Promise.resolve(),
  };
  const recorder = new Recorder({
    writer: new RecordWriter({ clock, sink: (record) => records.push(record) }),
    blobs: new BlobWriter(() => undefined),
    onFailure: (error) => failures.push(error),
  });
  const { steeringMode, followUpMode } = scenario.config;
  recorder.write({
    type: 'config',
    set: { ...(steeringMode ? { steeringMode } : {}), ...(followUpMode ? { followUpMode } : {}) },
  });
  for (const [index, message] of scenario.history.entries())
    recorder.message(`history${index}`, structuredClone(message), { origin: 'history' });
  if (scenario.api.endsWith('continue')) recorder.how = 'request';
  await runScenario(scenario, {
    event: (event) => recorder.event(event),
    step: (step) => recorder.step(step),
    queueChange: (queue, content, change, ids) => {
      // `continue()` takes its prompts before the run tells of itself.
      if (change === 'drain' && !records.some(({ type }) => type === 'agent_start')) recorder.how = queue;
      recorder.queueChange(queue, content, change, ids);
    },
  });
  expect(failures).toEqual([]);
  return records;
}

type Decide = RecordOf<'step'> & { step: { type: 'decide' } };
const isDecide = (record: TraceRecord): record is Decide =>
  record.type === 'step' && record.step.type === 'decide';

/** What the loop did after a decision: the first thing that only one of the ways has. */
function nextDone(records: readonly TraceRecord[]): string | undefined {
  for (const record of records) {
    if (record.type === 'turn_start' || record.type === 'agent_end') return record.type;
    if (record.type === 'step' && record.step.type === 'poll' && record.step.at === 'stop') return 'followUp';
    // Asked before every turn but the first: it goes on, whatever the hook then does.
    if (record.type === 'hook' && record.name === 'prepareNextTurn') return 'turn_start';
  }
  return undefined;
}

const promises: Record<'goesOn' | 'asksOuter' | 'stops', string> = {
  goesOn: 'turn_start',
  asksOuter: 'followUp',
  stops: 'agent_end',
};

/** The causes that the events show to be true, without a look at what the loop said of its decision. */
function trueCauses(before: readonly TraceRecord[], after: readonly TraceRecord[]): string[] {
  const turn = before.slice(before.findLastIndex(({ type }) => type === 'turn_start'));
  const ends = turn.filter((record) => record.type === 'tool_execution_end');
  const terminated = ends.length > 0 && ends.every(({ result }) => result.terminate === true);
  const answer = turn.findLast((record) => record.type === 'message_end' && record.body.role === 'assistant');
  const stopReason = answer?.type === 'message_end' && 'stopReason' in answer.body && answer.body.stopReason;
  const hook = turn.findLast((record) => record.type === 'hook' && record.name === 'finishTurn');
  const decision = hook?.type === 'hook' ? JSON.stringify(hook.decision ?? {}) : '';
  const nextTurn = after.slice(0, after.findIndex((record) => record.type === 'request') + 1);
  const joins = (origin: string) =>
    nextTurn.filter((record) => record.type === 'message_start' && record.origin === origin).length;
  const all: Record<string, boolean> = {
    [`toolResults ${ends.length}`]: ends.length > 0 && !terminated,
    [`steering ${joins('steering')}`]: joins('steering') > 0,
    [`both ${ends.length} ${joins('steering')}`]: ends.length > 0 && !terminated && joins('steering') > 0,
    [`followUp ${joins('followUp')}`]: joins('followUp') > 0,
    finishTurn: /"(continue|end)"/.test(decision),
    [`terminated ${ends.length}`]: terminated,
    nothing: ends.length === 0,
    error: stopReason === 'error',
    aborted: stopReason === 'aborted',
  };
  return Object.keys(all).filter((cause) => all[cause]);
}

describe('over the traces of all vectors', () => {
  const traces = new Map<string, TraceRecord[]>();
  beforeAll(async () => {
    for (const vector of vectors) traces.set(vector.name, await recordsOf(vector));
  });

  it('there are 93 of them, with a decision in each but those that break or cannot begin', () => {
    expect(traces.size).toBe(93);
    const without = vectors.filter(({ name }) => !traces.get(name)?.some(isDecide));
    expect(without.map(({ name }) => name).sort()).toMatchInlineSnapshot(`
      [
        "continue-assistant-nothing-queued",
        "continue-empty",
        "listener-throws",
        "low-level-continue-assistant",
        "low-level-continue-empty",
        "prepare-request-throws",
        "stream-function-throws",
        "transform-context-throws",
      ]
    `);
  });

  it.each(vectors)(
    '$name: the sentence says what the loop did next, and a true reason for it',
    ({ name }) => {
      const records = traces.get(name) ?? expect.fail();
      const trace = emptyTrace();
      for (const [index, record] of records.entries()) {
        foldInto(trace, [record]);
        if (!isDecide(record)) continue;
        const { code, params = {} } = why(trace) ?? expect.fail();
        const [, way, cause] = code.split('.') as ['why', keyof typeof promises, string];
        expect(nextDone(records.slice(index + 1))).toBe(promises[way]);
        const stated = [cause, ...Object.values(params)].join(' ');
        expect(trueCauses(records.slice(0, index), records.slice(index + 1))).toContain(stated);
      }
    },
  );

  it.each(vectors)('$name: at its end the sentence tells how the run ended', ({ name }) => {
    const records = traces.get(name) ?? expect.fail();
    const trace = fold(records);
    const failure = records.findLast(
      (record) => record.type === 'message_end' && record.body.role === 'assistant',
    );
    const body = failure?.type === 'message_end' && 'stopReason' in failure.body ? failure.body : undefined;
    if (trace.runs.length === 0) return expect(why(trace)).toBeUndefined();
    const { code } = why(trace) ?? expect.fail();
    if (body?.stopReason === 'error' || body?.stopReason === 'aborted')
      expect(code).toBe(`why.stops.${body.stopReason}`);
    else expect(code).toMatch(/^why\.stops\.(nothing|terminated|finishTurn)$/);
  });

  it('all reasons but one of a session are met', () => {
    const met = new Set<WhyCode>();
    for (const records of traces.values()) {
      const trace = emptyTrace();
      for (const record of records) {
        const reason = isDecide(record) && why(foldInto(trace, [record]));
        if (reason) met.add(reason.code);
        else foldInto(trace, [record]);
      }
    }
    expect([...met].sort()).toMatchInlineSnapshot(`
      [
        "why.asksOuter.nothing",
        "why.asksOuter.terminated",
        "why.goesOn.both",
        "why.goesOn.finishTurn",
        "why.goesOn.followUp",
        "why.goesOn.steering",
        "why.goesOn.toolResults",
        "why.stops.aborted",
        "why.stops.error",
        "why.stops.finishTurn",
        "why.stops.nothing",
        "why.stops.terminated",
      ]
    `);
  });

  it.each(vectors)('$name: what the next poll takes, and where it lands, is known before', ({ name }) => {
    const records = traces.get(name) ?? expect.fail();
    const trace = emptyTrace();
    const whole = fold(records);
    for (const record of records) {
      if (record.type === 'queue' && record.why === 'drain') {
        expect(nextTaken(trace)).toEqual(record.remove);
        for (const id of record.remove ?? []) {
          const turn = whole.turns.get(whole.queueItems.get(id)?.landed?.turn ?? '');
          const { n } = whole.runsById.get(turn?.run ?? '') ?? {};
          if (turn) expect(landingOf(trace, id)).toMatchObject({ run: n, turn: turn.n });
        }
      }
      foldInto(trace, [record]);
    }
  });
});
