/**
 * Where a queued message will land, by the rules as things stand.
 *
 * The promise, at each record: a place that names a turn is kept until the message is taken, unless somebody changes the
 * queue, its mode or the request limit, or the run is aborted, fails or is ended by finishTurn: then the message shows as stranded
 * before anything else is told of it. Hooks are not foreseen before they have decided, nor is how many turns the model
 * needs before the agent would stop: the turn of a follow-up is the earliest one, and exact when it is taken.
 */
import type { QueueName } from '../loop/types';
import type { Problem } from '../records/types';
import { continueKind } from './continue';
import { forecast, outlookAhead, outlookOf, pollAhead } from './landing-forecast';
import type { Forecast, StrandedReason, Taking } from './landing-forecast';
import { answerOf } from './loop-batch';
import type { QueueItem, RunNode, Trace, TurnNode } from './types';
import { limitReached } from './why';

export type { StrandedReason };

/**
 * `turn` counts in its run from 1, `nth` how often the agent would stop until then, `ahead` the messages of its queue
 * that are taken before.
 */
export type LandingCode =
  | 'landing.thisTurn'
  | 'landing.afterAnswer'
  | 'landing.afterBatch'
  | 'landing.nextPoll'
  | 'landing.beforeTurn'
  | 'landing.whenStops'
  | 'landing.nextRun'
  | 'landing.nextContinue'
  | 'landing.nextRunStops'
  | `landing.stranded.${StrandedReason}`;

export interface Landing extends Problem {
  code: LandingCode;
  /** Number of the run and of the turn in it; absent while the run goes on that will not take it. */
  run?: number;
  turn?: number;
  /** Of a message that is stranded, once the run is over: where it lands when somebody goes on. */
  then?: Problem & { code: LandingCode };
}

interface Known {
  seq: number;
  places: Map<string, Landing>;
  next: string[];
}

const known = new WeakMap<Trace, Known>();

/** `undefined` for what waits in no queue. */
export function landingOf(trace: Trace, itemId: string): Landing | undefined {
  return landings(trace).get(itemId);
}

/** The place of every message that waits, by its id. */
export function landings(trace: Trace): ReadonlyMap<string, Landing> {
  return knownOf(trace).places;
}

/** No poll of its run takes it. */
export function isStranded(landing: Landing | undefined): boolean {
  return landing?.code.startsWith('landing.stranded.') ?? false;
}

/** Ids of the messages that are taken next, all by one poll (or by Continue). */
export function nextTaken(trace: Trace): readonly string[] {
  return knownOf(trace).next;
}

function knownOf(trace: Trace): Known {
  const before = known.get(trace);
  if (before?.seq === trace.seq) return before;
  const run = trace.runs.at(-1);
  const made = run?.status === 'running' ? whileRunning(trace, run) : whileIdle(trace, run);
  const now = { seq: trace.seq, ...made };
  known.set(trace, now);
  return now;
}

type Places = Omit<Known, 'seq'>;

function whileRunning(trace: Trace, run: RunNode): Places {
  const turn = lastTurn(trace, run);
  const ahead = pollAhead(trace, run, turn);
  const open = turn?.n ?? 1;
  const aborted = run.abortedAt !== undefined;
  const found = forecast(trace, { ahead }, (n) =>
    n === open ? outlookOf(trace, run, turn) : outlookAhead(trace, n, aborted),
  );
  const places = new Map<string, Landing>();
  let passed = 0;
  for (const taking of found.takings) {
    const at = { run: run.n, turn: taking.turn };
    const code = taking.queue === 'steering' ? steeringCode(trace, turn, taking) : undefined;
    for (const item of taking.items)
      places.set(
        item.id,
        code
          ? { code, params: { turn: taking.turn, ahead: passed }, ...at }
          : { code: 'landing.whenStops', params: { nth: taking.nth }, ...at },
      );
    if (taking.queue === 'steering') passed += taking.items.length;
  }
  for (const item of leftOver(trace, found))
    places.set(item.id, { code: `landing.stranded.${found.stranded ?? 'late'}` });
  return { places, next: idsOf(found.takings[0]) };
}

/** What stands between now and the poll that takes it. */
function steeringCode(trace: Trace, turn: TurnNode | undefined, { turn: n, nth }: Taking): LandingCode {
  const open = turn?.n ?? 1;
  if (n <= open) return 'landing.thisTurn';
  if (nth > 1 || n > open + 1) return 'landing.beforeTurn';
  if (turn?.endAt !== undefined) return 'landing.nextPoll';
  const answer = turn && answerOf(trace, turn);
  return answer?.status === 'done' && answer.calls.length > 0 ? 'landing.afterBatch' : 'landing.afterAnswer';
}

function whileIdle(trace: Trace, run: RunNode | undefined): Places {
  const way = continueKind({ ...trace, state: 'idle' });
  const taken = way === 'followUp' ? { taken: way } : {};
  const found = forecast(trace, { ahead: { poll: 'start', turn: 1 }, ...taken }, (n) =>
    outlookAhead(trace, n, false),
  );
  const next = (run?.n ?? 0) + 1;
  const reason = run && strandedBy(trace, run);
  const places = new Map<string, Landing>();
  const place = (item: QueueItem, then: Problem & { code: LandingCode }, turn?: number): void => {
    const at = turn === undefined ? {} : { run: next, turn };
    const stranded = run?.endSeq !== undefined && item.seq < run.endSeq;
    places.set(
      item.id,
      stranded ? { code: `landing.stranded.${reason ?? 'late'}`, ...at, then } : { ...then, ...at },
    );
  };
  for (const { queue, items, turn, nth } of found.takings) {
    for (const item of items)
      place(item, idleCode(queue, { turn, nth, continues: way === 'followUp' }), turn);
  }
  for (const item of leftOver(trace, found))
    place(item, { code: `landing.stranded.${found.stranded ?? 'late'}` });
  return { places, next: idsOf(found.takings[0]) };
}

function idleCode(
  queue: QueueName,
  { turn, nth, continues }: { turn: number; nth: number; continues: boolean },
): Problem & { code: LandingCode } {
  if (queue === 'steering') return { code: 'landing.nextRun', params: { turn } };
  if (continues && nth === 1) return { code: 'landing.nextContinue', params: { turn } };
  // Continue takes the first one as its prompt: that is no stop.
  return { code: 'landing.nextRunStops', params: { nth: continues ? nth - 1 : nth } };
}

function strandedBy(trace: Trace, run: RunNode): StrandedReason {
  if (run.status === 'interrupted' || run.status === 'aborted' || run.status === 'error') return run.status;
  const ended = run.lastDecision?.loop === 'inner' && run.lastDecision.values.finishTurn === 'end';
  if (!ended) return 'late';
  return limitReached(trace, run) === undefined ? 'finishTurn' : 'requestLimit';
}

function leftOver({ queues }: Trace, { takings }: Forecast): QueueItem[] {
  const taken = new Set(takings.flatMap(({ items }) => items));
  return [...queues.steering, ...queues.followUp].filter((item) => !taken.has(item));
}

function idsOf(taking: Taking | undefined): string[] {
  return taking?.items.map(({ id }) => id) ?? [];
}

function lastTurn(trace: Trace, run: RunNode): TurnNode | undefined {
  for (let index = run.children.length - 1; index >= 0; index--) {
    const child = run.children[index];
    if (child?.kind === 'turn') return trace.turns.get(child.id);
  }
  return undefined;
}
