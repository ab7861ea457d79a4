/** What the polls to come would take, by the rules of the loop as things stand. */
import type { QueueName } from '../loop/types';
import { answerOf } from './loop-batch';
import type { CallNode, QueueItem, RunNode, Trace, TurnNode } from './types';
import { limitReached } from './why';

/** Why the loop reads its queues no more; `late`: after the last poll of a run that stops by itself. */
export type StrandedReason = 'aborted' | 'error' | 'finishTurn' | 'requestLimit' | 'late' | 'interrupted';

/** One taking of a queue that is to come. */
export interface Taking {
  queue: QueueName;
  items: QueueItem[];
  /** Number in its run of the turn that they join. Of follow-ups it is the earliest: turns between are the model's choice. */
  turn: number;
  /** Which one of its queue, from 1. */
  nth: number;
}

export interface Forecast {
  takings: Taking[];
  /** Why the rest is not taken in this run; absent when nothing is left. */
  stranded?: StrandedReason;
}

/** The next poll: `start` and `prepare` are of steering, like the one at a turn's end. */
export interface PollAhead {
  poll: 'start' | 'turnEnd' | 'prepare' | 'stop' | 'none';
  /** The turn that is open or was the last. */
  turn: number;
}

/** How a way into the loop begins: `taken` is the queue whose first batch `continue()` takes as prompts. */
export interface Entry {
  ahead: PollAhead;
  taken?: 'followUp';
}

/** What is certain of a turn that is to end. */
export interface TurnOutlook {
  /** Its end is the run's end, without another poll. */
  ends?: StrandedReason;
  /** Its results ask for another request; `unsure`: as long as those that are still to come do not all say otherwise. */
  requests: boolean;
  unsure?: boolean;
  /** finishTurn asked for another request. */
  continues: boolean;
}

/** Plays the polls to come against the queues. Nothing is assumed of turns to come but what `outlook` says. */
export function forecast(trace: Trace, entry: Entry, outlook: (turn: number) => TurnOutlook): Forecast {
  return new Polls(trace).play(entry, outlook);
}

class Polls {
  readonly #left: Record<QueueName, QueueItem[]>;
  readonly #all: Record<QueueName, boolean>;
  readonly #takings: Taking[] = [];

  constructor({ queues, config }: Trace) {
    this.#left = { steering: [...queues.steering], followUp: [...queues.followUp] };
    this.#all = { steering: config.steeringMode === 'all', followUp: config.followUpMode === 'all' };
  }

  play({ ahead, taken }: Entry, outlook: (turn: number) => TurnOutlook): Forecast {
    let { poll, turn } = ahead;
    if (taken) this.#take(taken, turn);
    let unsure = false;
    while (this.#left.steering.length > 0 || this.#left.followUp.length > 0) {
      const { ends, requests, continues, unsure: maybe = false } = outlook(turn);
      if (poll === 'none') return { takings: this.#takings, stranded: 'late' };
      if (poll === 'start') {
        this.#take('steering', turn);
        poll = 'turnEnd';
        continue;
      }
      if (ends) {
        // Without that request the agent would stop, and take a follow-up into this turn.
        if (unsure) this.#take('followUp', turn);
        return { takings: this.#takings, stranded: ends };
      }
      unsure = false;
      const taken = this.#take(poll === 'stop' ? 'followUp' : 'steering', turn + 1);
      if (taken || poll === 'prepare' || (poll === 'turnEnd' && requests)) {
        unsure = maybe && !taken && poll === 'turnEnd';
        turn++;
        poll = 'turnEnd';
      } else if (poll === 'turnEnd') poll = 'stop';
      else poll = continues ? 'prepare' : 'none';
    }
    return { takings: this.#takings };
  }

  #take(queue: QueueName, turn: number): boolean {
    const items = this.#left[queue].splice(0, this.#all[queue] ? Infinity : 1);
    if (items.length === 0) return false;
    const nth = this.#takings.filter((taking) => taking.queue === queue).length + 1;
    this.#takings.push({ queue, items, turn, nth });
    return true;
  }
}

/** What the open turn of a run told so far. */
interface TurnNotes {
  poll?: { queue: QueueName; at: string; count: number };
  finishTurn?: string;
  /** Sequence number of the finishTurn that was asked. */
  finishedAt?: number;
}

/** Where the loop is in a run that is open, as the poll that comes next. */
export function pollAhead(trace: Trace, run: RunNode, turn: TurnNode | undefined): PollAhead {
  const n = turn?.n ?? 1;
  const { poll } = notesSince(trace, turn?.seq ?? run.seq);
  const found = nextPoll(trace, { run, turn, poll });
  // A poll is told of after what it took is out of the queue.
  const carried = carriedQueue(trace, turn);
  if (carried === 'steering' && found.poll === 'start') return { poll: 'turnEnd', turn: n };
  const takes = found.poll === 'stop' ? 'followUp' : 'steering';
  if (carried !== undefined && carried === takes && turn?.endAt !== undefined && found.turn === n)
    return { poll: 'turnEnd', turn: n + 1 };
  return found;
}

function nextPoll(
  trace: Trace,
  { run, turn, poll }: { run: RunNode; turn: TurnNode | undefined; poll: TurnNotes['poll'] },
): PollAhead {
  const n = turn?.n ?? 1;
  if (!poll) return { poll: n === 1 && run.how !== 'steering' ? 'start' : 'turnEnd', turn: n };
  if (poll.at === 'start') return { poll: 'turnEnd', turn: n };
  if (poll.at === 'prepare' || poll.count > 0) return { poll: 'turnEnd', turn: n + 1 };
  const { requests, continues } = outlookOf(trace, run, turn);
  if (poll.at === 'turnEnd') return { poll: requests ? 'prepare' : 'stop', turn: n };
  return { poll: continues ? 'prepare' : 'none', turn: n };
}

/** What is known of the turn that is open, or was the last. */
export function outlookOf(trace: Trace, run: RunNode, turn: TurnNode | undefined): TurnOutlook {
  const answer = turn && answerOf(trace, turn);
  const calls = answer?.blocks.filter(({ type }) => type === 'toolCall').length ?? 0;
  const ended = (answer?.calls ?? []).filter((id) => trace.calls.get(id)?.result?.terminate === true);
  const { finishTurn } = notesSince(trace, turn?.seq ?? run.seq);
  const ends = endOf(trace, run, turn, answer?.status === 'done');
  return {
    ...(ends ? { ends } : {}),
    requests: calls > ended.length,
    unsure: !(answer?.calls ?? []).some((id) => isLasting(trace.calls.get(id))),
    continues: finishTurn === 'continue',
  };
}

/** It is over, and does not ask the loop to stop. */
function isLasting(call: CallNode | undefined): boolean {
  return call?.endSeq !== undefined && call.result?.terminate !== true;
}

function endOf(
  trace: Trace,
  run: RunNode,
  turn: TurnNode | undefined,
  answered: boolean,
): StrandedReason | undefined {
  if (run.stopReason === 'error' || run.stopReason === 'aborted') return run.stopReason;
  // What is answered goes on to its polls; the request after it ends as aborted.
  if (run.abortedAt !== undefined && !answered) return 'aborted';
  const n = turn?.n ?? 1;
  const { finishTurn, finishedAt } = notesSince(trace, turn?.seq ?? run.seq);
  // A limit that is set behind the turn's finishTurn counts from the next turn on.
  if (finishedAt === undefined && turn?.endSeq === undefined)
    return n >= (trace.config.requestLimit ?? Infinity) ? 'requestLimit' : undefined;
  if (finishTurn !== 'end') return undefined;
  const limited = limitReached(trace, { requests: n, endSeq: finishedAt });
  return limited === undefined ? 'finishTurn' : 'requestLimit';
}

/** Of a turn that has not begun. */
export function outlookAhead({ config }: Trace, n: number, aborted: boolean): TurnOutlook {
  const limited = n >= (config.requestLimit ?? Infinity);
  const ends = aborted ? 'aborted' : limited ? 'requestLimit' : undefined;
  return { ...(ends ? { ends } : {}), requests: false, continues: false };
}

function notesSince({ notes }: Trace, seq: number): TurnNotes {
  const found: TurnNotes = {};
  for (let index = notes.length - 1; index >= 0; index--) {
    const node = notes[index];
    if (!node || node.seq <= seq) break;
    const { note } = node;
    if (note.type === 'step' && note.step.type === 'poll') found.poll ??= note.step;
    if (note.type === 'hook' && note.name === 'finishTurn') {
      const { action } = (note.decision ?? {}) as { action?: string };
      found.finishedAt ??= node.seq;
      if (action !== undefined) found.finishTurn ??= action;
    }
  }
  return found;
}

/** The queue of a message that was taken in this turn or after it, and that has not joined the context yet. */
function carriedQueue({ queueItems }: Trace, turn: TurnNode | undefined): QueueName | undefined {
  for (const { left, landed, leftAt = 0, queue } of queueItems.values())
    if (left === 'drain' && !landed && leftAt >= (turn?.at ?? 0)) return queue;
  return undefined;
}
