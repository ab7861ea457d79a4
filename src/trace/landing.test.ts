import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TraceRecord } from '../records/types';
import type { Scenario, ScenarioAction } from '../scenario/types';
import { randomScenario } from '../worker/random-scenario.testing';
import { runScenario } from '../worker/run-scenario';
import { emptyTrace, foldInto } from './fold';
import { landingOf, landings, nextTaken, type Landing } from './landing';
import { Recording } from './testing/recording';
import type { Trace } from './types';

/** Random scenarios in which a person is busy with the queues, and more turns than fail. */
const busy: fc.Arbitrary<Scenario> = fc
  .record({
    scenario: randomScenario,
    acts: fc.array(
      fc.record({
        do: fc.constantFrom('steer' as const, 'followUp' as const),
        event: fc.constantFrom(
          'turn_start' as const,
          'message_start' as const,
          'message_end' as const,
          'tool_execution_start' as const,
          'turn_end' as const,
        ),
        nth: fc.integer({ min: 1, max: 4 }),
      }),
      { minLength: 1, maxLength: 8 },
    ),
    failing: fc.boolean(),
  })
  .map(({ scenario, acts, failing }) => {
    const { model } = scenario;
    const more = acts.map(({ event, nth, ...act }, index): ScenarioAction => ({
      on: { event, nth },
      ...act,
      text: `more ${index}`,
    }));
    const turns = model.kind === 'scripted' ? model.turns : [];
    const kept = turns.map(({ stopReason, ...turn }) =>
      failing && stopReason ? { ...turn, stopReason } : turn,
    );
    return {
      ...scenario,
      model: { kind: 'scripted' as const, turns: kept },
      actions: [...(scenario.actions ?? []), ...more],
    };
  });

/** Calls `look` with the trace before each record. */
function before(records: readonly TraceRecord[], look: (trace: Trace, record: TraceRecord) => void): Trace {
  const trace = emptyTrace();
  for (const record of records) {
    look(trace, record);
    foldInto(trace, [record]);
  }
  return trace;
}

const taken = (record: TraceRecord): string[] =>
  record.type === 'queue' && record.why === 'drain' ? (record.remove ?? []) : [];

/** Run and turn of each message that a queue gave, from the records alone. */
function landed(records: readonly TraceRecord[]): Map<string, { run: number; turn: number }> {
  const places = new Map<string, { run: number; turn: number }>();
  const joined = new Map<string, { run: number; turn: number }>();
  let run = 0;
  let turn = 0;
  for (const record of records) {
    if (record.type === 'agent_start') [run, turn] = [run + 1, 0];
    if (record.type === 'turn_start') places.set(record.turn, { run, turn: ++turn });
    if (record.type !== 'message_start' || (record.origin !== 'steering' && record.origin !== 'followUp'))
      continue;
    const place = places.get(record.turn ?? '');
    if (place) joined.set(record.message, place);
  }
  return joined;
}

/** Why the run that has just ended left its queues, from the records alone. */
function reasonOf(records: readonly TraceRecord[], end: number): string {
  const start = records.slice(0, end).findLastIndex(({ type }) => type === 'agent_start');
  const run = records.slice(start, end);
  const last = run.findLast((record) => record.type === 'message_end' && record.body.role === 'assistant');
  const stopReason =
    last?.type === 'message_end' && 'stopReason' in last.body ? last.body.stopReason : undefined;
  if (stopReason === 'error' || stopReason === 'aborted') return stopReason;
  const hook = run.findLast((record) => record.type === 'hook' && record.name === 'finishTurn');
  const decision = hook?.type === 'hook' ? JSON.stringify(hook.decision ?? {}) : '';
  const polled = run.slice(hook ? run.indexOf(hook) : 0).some(({ type }) => type === 'turn_start');
  if (!decision.includes('"end"') || polled) return 'late';
  // The random scenarios end a run by their request limit, which actions change, and by rules.
  const limit = records
    .slice(0, end)
    .findLast((record) => record.type === 'config' && record.set.requestLimit !== undefined);
  const most = limit?.type === 'config' ? limit.set.requestLimit || Infinity : Infinity;
  return run.filter(({ type }) => type === 'request').length >= most ? 'requestLimit' : 'finishTurn';
}

const CHANGES = new Set(['queue', 'config', 'agent_start', 'agent_end', 'settled', 'rewind']);

describe('where a queued message will land', () => {
  it('is, in the last place shown before it was taken, where it lands, and it is one of those to be taken next', async () => {
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(busy, async (scenario) => {
        const records = await runScenario(scenario);
        const places = landed(records);
        before(records, (trace, record) => {
          const ids = taken(record);
          if (ids.length > 0) expect(nextTaken(trace)).toEqual(ids);
          for (const id of ids) {
            const { run, turn } = landingOf(trace, id) ?? {};
            const place = places.get(id);
            if (place) expect({ run, turn }).toEqual(place);
            if (place) seen++;
          }
        });
      }),
      { numRuns: 80 },
    );
    expect(seen).toBeGreaterThan(100);
  });

  it('is kept at each record for steering, unless somebody changes a queue or the message is stranded', async () => {
    let kept = 0;
    await fc.assert(
      fc.asyncProperty(busy, async (scenario) => {
        let last = new Map<string, Landing>();
        let changed = true;
        before(await runScenario(scenario), (trace, record) => {
          const now = landings(trace);
          for (const [id, { code, run, turn }] of last) {
            const next = now.get(id);
            if (changed || !next || trace.queueItems.get(id)?.queue !== 'steering') continue;
            if (next.code.startsWith('landing.stranded') || code.startsWith('landing.stranded')) continue;
            expect([next.run, next.turn]).toEqual([run, turn]);
            kept++;
          }
          last = new Map(now);
          // A taking of the loop's own moves nobody; what it took is in no queue any more.
          changed = CHANGES.has(record.type) && taken(record).length === 0;
        });
      }),
      { numRuns: 80 },
    );
    expect(kept).toBeGreaterThan(1000);
  });

  it('is not shown as stranded of a message that the same run then takes, unless something changed', async () => {
    let checked = 0;
    await fc.assert(
      fc.asyncProperty(busy, async (scenario) => {
        let stranded = new Set<string>();
        before(await runScenario(scenario), (trace, record) => {
          for (const id of taken(record))
            if (trace.state === 'running') expect([id, stranded.has(id)]).toEqual([id, false]);
          checked += taken(record).length;
          const changes = record.type === 'abort' || CHANGES.has(record.type);
          if (trace.state !== 'running' || changes) stranded = new Set();
          // What is shown before a change may be another thing behind it.
          if (changes || trace.state !== 'running' || trace.runs.at(-1)?.abortedAt !== undefined) return;
          for (const [id, { code }] of landings(trace))
            if (code.startsWith('landing.stranded')) stranded.add(id);
        });
      }),
      { numRuns: 80 },
    );
    expect(checked).toBeGreaterThan(50);
  });

  it('says of every message that a run left behind that it is stranded, and why', async () => {
    const reasons = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(busy, async (scenario) => {
        const records = await runScenario(scenario);
        before(records, (trace, record) => {
          const last = records[record.seq - 2];
          if (last?.type !== 'agent_end') return;
          const reason = reasonOf(records, record.seq - 2);
          for (const [id, landing] of landings(trace)) {
            expect([id, landing.code]).toEqual([id, `landing.stranded.${reason}`]);
            reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
          }
        });
      }),
      { numRuns: 160 },
    );
    expect([...reasons.keys()]).toEqual(
      expect.arrayContaining(['aborted', 'error', 'finishTurn', 'requestLimit']),
    );
  });

  describe('in a run that is told record by record', () => {
    it('is this turn until the first poll, and then the next turn, behind what stands ahead', () => {
      const recording = new Recording();
      const run = recording.startRun();
      const first = recording.enqueue('steering', 'one');
      const second = recording.enqueue('steering', 'two');
      const turn = recording.startTurn(run);
      recording.user(turn, 'Do it.');
      const trace = foldInto(emptyTrace(), recording.records);
      expect(landingOf(trace, first)).toEqual(at('landing.thisTurn', 1, { turn: 1, ahead: 0 }));
      expect(landingOf(trace, second)).toEqual(at('landing.beforeTurn', 2, { turn: 2, ahead: 1 }));
      expect(nextTaken(trace)).toEqual([first]);
    });

    it('is behind the answer, then behind its batch, then at the next poll', () => {
      const recording = new Recording();
      const { run, turn } = started(recording);
      const item = recording.enqueue('steering', 'one');
      const codes: (string | undefined)[] = [];
      const look = () => codes.push(landingOf(foldInto(emptyTrace(), recording.records), item)?.code);
      look();
      const message = recording.assistant(run, turn, {
        blocks: [{ type: 'toolCall', name: 'read', arguments: {} }],
      });
      const call = recording.startCall(run, turn, message, 0, 'read');
      look();
      recording.endCall(call, 'text');
      recording.endTurn(turn, message, [recording.result(turn, call, 'read')]);
      look();
      expect(codes).toEqual(['landing.afterAnswer', 'landing.afterBatch', 'landing.nextPoll']);
    });

    it('is when the agent would stop, as long as the batch before the last request may still end the turns', () => {
      const recording = new Recording();
      recording.add({ type: 'config', set: { requestLimit: 2 } });
      const { run, turn } = started(recording);
      const item = recording.enqueue('followUp', 'one');
      const message = recording.assistant(run, turn, {
        blocks: [{ type: 'toolCall', name: 'read', arguments: {} }],
      });
      const call = recording.startCall(run, turn, message, 0, 'read');
      const code = () => landingOf(foldInto(emptyTrace(), recording.records), item)?.code;
      expect(code()).toBe('landing.whenStops');
      recording.endCall(call, 'text');
      expect(code()).toBe('landing.stranded.requestLimit');
    });

    it('is when the agent would stop for follow-ups, one stop for each, or one for all', () => {
      const recording = new Recording();
      started(recording);
      const ids = ['one', 'two'].map((text) => recording.enqueue('followUp', text));
      const trace = foldInto(emptyTrace(), recording.records);
      const places = () => ids.map((id) => landingOf(trace, id));
      expect(places()).toEqual([
        at('landing.whenStops', 2, { nth: 1 }),
        at('landing.whenStops', 3, { nth: 2 }),
      ]);
      recording.add({ type: 'config', set: { followUpMode: 'all' } });
      foldInto(trace, recording.records.slice(-1));
      expect(places()).toEqual([
        at('landing.whenStops', 2, { nth: 1 }),
        at('landing.whenStops', 2, { nth: 1 }),
      ]);
    });

    it('is nowhere as soon as finishTurn has ended the run, or its request limit will', () => {
      const recording = new Recording();
      const { run, turn } = started(recording);
      const ids = [recording.enqueue('steering', 'one'), recording.enqueue('followUp', 'two')];
      const trace = foldInto(emptyTrace(), recording.records);
      foldInto(trace, [{ seq: 900, at: 900, type: 'config', set: { requestLimit: 1 } }]);
      const codes = () => ids.map((id) => landingOf(trace, id)?.code);
      expect(codes()).toEqual(ids.map(() => 'landing.stranded.requestLimit'));
      foldInto(trace, [{ seq: 901, at: 901, type: 'config', set: { requestLimit: 8 } }]);
      expect(codes()).toEqual(['landing.afterAnswer', 'landing.whenStops']);
      foldInto(trace, [{ seq: 901, at: 901, type: 'config', set: { requestLimit: 0 } }]);
      expect(codes()).toEqual(['landing.afterAnswer', 'landing.whenStops']);
      const decision = { action: 'end' as const };
      foldInto(trace, [
        { seq: 902, at: 902, type: 'hook', run, turn, name: 'finishTurn', durationMs: 1, decision },
      ]);
      expect(codes()).toEqual(ids.map(() => 'landing.stranded.finishTurn'));
    });

    it('is nowhere after the last poll, unless a follow-up makes the loop go on', () => {
      const recording = new Recording();
      const { run, turn } = started(recording);
      const message = recording.assistant(run, turn, { blocks: [{ type: 'text', text: 'Done.' }] });
      recording.endTurn(turn, message);
      recording.step(run, turn, { type: 'poll', queue: 'steering', at: 'turnEnd', count: 0 });
      const late = recording.enqueue('steering', 'too late');
      const trace = foldInto(emptyTrace(), recording.records);
      expect(landingOf(trace, late)).toEqual({ code: 'landing.stranded.late' });
      recording.enqueue('followUp', 'and then');
      foldInto(trace, recording.records.slice(-1));
      expect(landingOf(trace, late)).toEqual(at('landing.beforeTurn', 3, { turn: 3, ahead: 0 }));
    });

    it('is nowhere once an answer that is under way is aborted, but behind a batch that is under way', () => {
      const recording = new Recording();
      const { run, turn } = started(recording);
      const item = recording.enqueue('steering', 'one');
      const aborted = foldInto(emptyTrace(), recording.records);
      foldInto(aborted, [{ seq: 1000, at: 1000, type: 'abort', run }]);
      expect(landingOf(aborted, item)).toEqual({ code: 'landing.stranded.aborted' });
      const other = recording.enqueue('steering', 'two');
      recording.assistant(run, turn, { blocks: [{ type: 'toolCall', name: 'read', arguments: {} }] });
      recording.add({ type: 'abort', run });
      const trace = foldInto(emptyTrace(), recording.records);
      expect(landingOf(trace, item)).toMatchObject({ run: 1, turn: 2 });
      expect(landingOf(trace, other)).toEqual({ code: 'landing.stranded.aborted' });
    });
  });

  it('is the next run while none is going on, by Continue alone for a follow-up behind an answer', () => {
    const recording = new Recording();
    const { run, turn } = started(recording);
    const message = recording.assistant(run, turn, { blocks: [{ type: 'text', text: 'Done.' }] });
    recording.endTurn(turn, message);
    const left = recording.enqueue('followUp', 'left behind');
    recording.endRun(run);
    const later = recording.enqueue('followUp', 'later');
    const trace = foldInto(emptyTrace(), recording.records);
    expect(landingOf(trace, left)).toEqual({
      code: 'landing.stranded.late',
      run: 2,
      turn: 1,
      then: { code: 'landing.nextContinue', params: { turn: 1 } },
    });
    expect(landingOf(trace, later)).toMatchObject({ code: 'landing.nextRunStops', params: { nth: 1 } });
    recording.enqueue('steering', 'first');
    foldInto(trace, recording.records.slice(-1));
    expect(landingOf(trace, left)?.then).toEqual({ code: 'landing.nextRunStops', params: { nth: 1 } });
  });

  it('is unknown of a message that waits in no queue', () => {
    expect(landingOf(emptyTrace(), 'none')).toBeUndefined();
  });
});

function at(code: string, turn: number, params: Record<string, number>) {
  return { code, params, run: 1, turn };
}

/** A run whose first request is on its way. */
function started(recording: Recording): { run: string; turn: string } {
  const run = recording.startRun();
  const turn = recording.startTurn(run);
  recording.user(turn, 'Do it.');
  recording.step(run, turn, { type: 'poll', queue: 'steering', at: 'start', count: 0 });
  return { run, turn };
}
