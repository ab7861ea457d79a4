import { beforeAll, describe, expect, it } from 'vitest';
import type { RecordOf, RecordType, TraceRecord } from '../../records/types';
import { fold, foldInto, emptyTrace } from '../../trace/fold';
import { landings } from '../../trace/landing';
import { requestEntries } from '../../trace/requests';
import type { Trace } from '../../trace/types';
import { why } from '../../trace/why';
import { runScenario } from '../../worker/run-scenario';
import { parseScenario } from '../schema';
import { loadShipped } from './index';
import { reasonIds } from './reasons.testing';

type ReasonId = (typeof reasonIds)[number];
const plays = new Map<ReasonId, TraceRecord[]>();
const records = (id: ReasonId): TraceRecord[] => plays.get(id) ?? expect.fail(id);
const trace = (id: ReasonId): Trace => fold(records(id));
const of = <T extends RecordType>(id: ReasonId, type: T): RecordOf<T>[] =>
  records(id).filter((record): record is RecordOf<T> => record.type === type);

beforeAll(async () => {
  for (const id of reasonIds) plays.set(id, await runScenario(await loadShipped(id)));
});

/** The calls in order: what they are called and how they ended. */
const calls = (id: ReasonId) =>
  [...trace(id).calls.values()].map(({ toolName, status, executeAt }) =>
    [toolName, status, executeAt === undefined ? 'did not run' : 'ran'].join(' '),
  );
const runs = (id: ReasonId) => trace(id).runs.map(({ how, status, turns }) => [how, status, turns]);
const batches = (id: ReasonId) =>
  of(id, 'step').flatMap(({ step }) => (step.type === 'batch' ? [`${step.mode}, ${step.why}`] : []));
/** Every sentence that says why, in order, one for each decision. */
const reasons = (id: ReasonId) => {
  const growing = emptyTrace();
  return records(id).flatMap((record) => {
    foldInto(growing, [record]);
    return record.type === 'step' && record.step.type === 'decide' ? [why(growing)?.code] : [];
  });
};

describe('the scenarios about reasons', () => {
  it.each(reasonIds)(
    '%s is valid as it stands, uses each of its turns, and takes 8 to 20 seconds',
    async (id) => {
      const scenario = await loadShipped(id);
      expect(parseScenario(scenario)).toEqual(scenario);
      const turns = scenario.model.kind === 'scripted' ? scenario.model.turns : [];
      const { requests, at, state, queues } = trace(id);
      expect(requests).toHaveLength(turns.length);
      expect(state).toBe('idle');
      expect(queues).toEqual({ steering: [], followUp: [] });
      expect(at).toBeGreaterThan(8_000);
      expect(at).toBeLessThan(20_000);
    },
  );

  it('cut-off: no call of a cut-off answer runs, not even a complete one, and the model asks again', () => {
    expect(batches('cut-off')).toEqual(['refused, length', 'parallel, default']);
    expect(calls('cut-off')).toEqual([
      'save_note error did not run',
      'save_note error did not run',
      'save_note ok ran',
      'save_note ok ran',
    ]);
    expect(reasons('cut-off')[0]).toBe('why.goesOn.toolResults');
  });

  it('abort-and-go-on: every call has a result, the next request is aborted, and Continue begins with what waited', () => {
    expect(runs('abort-and-go-on')).toEqual([
      ['prompt', 'aborted', 2],
      ['steering', 'done', 2],
    ]);
    const { calls, messages } = trace('abort-and-go-on');
    const batch = [...calls.values()].slice(0, 3);
    expect(batch.map(({ isError }) => isError)).toEqual([true, true, false]);
    expect(batch.map(({ resultMessage }) => messages.get(resultMessage ?? '')?.status)).toEqual(
      batch.map(() => 'done'),
    );
    expect(reasons('abort-and-go-on').slice(0, 2)).toEqual(['why.goesOn.toolResults', 'why.stops.aborted']);
  });

  it('provider-error: a failed answer ends the run, what is queued is stranded, and Retry asks anew without it', () => {
    const id = 'provider-error';
    expect(runs(id).map(([how, status]) => [how, status])).toEqual([
      ['prompt', 'error'],
      ['request', 'done'],
    ]);
    const [first] = of(id, 'agent_end');
    const stopped = fold(records(id).slice(0, first?.seq));
    expect([...landings(stopped).values()].map(({ code }) => code)).toEqual(['landing.stranded.error']);
    const [rewind] = of(id, 'rewind');
    const whole = trace(id);
    expect(rewind?.drop.map((message) => whole.messages.get(message)?.stopReason)).toEqual(['error']);
    const again = whole.requests[2] ?? expect.fail();
    expect(requestEntries(whole, again)).toEqual(requestEntries(whole, whole.requests[1] ?? expect.fail()));
    expect(reasons(id).at(1)).toBe('why.stops.error');
    expect(reasons(id)).toContain('why.goesOn.followUp');
  });

  it('all-terminate: one result that ends is not enough, all of a batch stop the loop without another answer', () => {
    const id = 'all-terminate';
    expect(reasons(id)).toEqual([
      'why.goesOn.toolResults',
      'why.asksOuter.terminated',
      'why.stops.terminated',
    ]);
    const { transcript, messages } = trace(id);
    expect(messages.get(transcript.at(-1) ?? '')?.role).toBe('toolResult');
  });

  it('blocked-call: the rule stops one call of two before it runs, and the reason is its result', () => {
    const id = 'blocked-call';
    expect(calls(id)).toEqual([
      'list_branches ok ran',
      'delete_branch error did not run',
      'delete_branch ok ran',
    ]);
    const blocked = [...trace(id).calls.values()][1];
    expect(blocked?.hooks.map(({ note }) => note)).toMatchObject([
      { name: 'beforeToolCall', decision: { block: true, reason: 'Release branches are kept.' } },
    ]);
    expect(JSON.stringify(blocked?.result)).toContain('Release branches are kept.');
    expect(reasons(id)[1]).toBe('why.goesOn.toolResults');
  });

  it('turn-hooks: a hook appends, one raises the level, and one asks for more and then ends a run', () => {
    const id = 'turn-hooks';
    const { requests, transcript, messages } = trace(id);
    const appended = transcript.filter((one) => messages.get(one)?.origin === 'prepareNextTurn');
    expect(appended).toHaveLength(1);
    expect(requests.map(({ thinkingLevel }) => thinkingLevel)).toEqual(['off', 'high', 'high', 'off']);
    expect(reasons(id)).toEqual([
      'why.goesOn.toolResults',
      'why.asksOuter.nothing',
      'why.goesOn.finishTurn',
      'why.asksOuter.nothing',
      'why.stops.nothing',
      'why.stops.finishTurn',
    ]);
    expect(messages.get(transcript.at(-1) ?? '')?.role).toBe('toolResult');
  });

  it('tools-change: a system message ahead of the prompt tells of the tools that came and went', () => {
    const { transcript, messages } = trace('tools-change');
    const at = transcript.findIndex((one) => messages.get(one)?.origin === 'tools');
    expect(messages.get(transcript[at] ?? '')?.body).toMatchObject({
      role: 'system',
      toolsAdded: [{ name: 'pronounce' }],
      toolsRemoved: [{ name: 'look_up' }],
    });
    expect(messages.get(transcript[at + 1] ?? '')?.origin).toBe('prompt');
  });

  it('three-continues: it asks at once, takes steering, takes a follow-up', () => {
    const id = 'three-continues';
    expect(runs(id)).toEqual([
      ['request', 'done', 2],
      ['steering', 'done', 1],
      ['followUp', 'done', 1],
    ]);
    // Steering that was taken for the start is not polled for again; behind a follow-up it is.
    const starts = trace(id).runs.map(({ id: run }) =>
      of(id, 'step').some(({ run: of, step }) => of === run && step.type === 'poll' && step.at === 'start'),
    );
    expect(starts).toEqual([true, false, true]);
  });
});
