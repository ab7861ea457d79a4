/** The sentence that says why the loop goes on or stops. */
import { m } from '../../i18n';
import { why, whyDecided } from '../../trace';
import type { Trace, Why } from '../../trace';
import type { MessageNode, RunNode, TurnNode } from '../../trace/types';
import type { QueueName } from '../lib/types';

type Params = Record<string, string | number>;

const sentences: Record<Why['code'], (params: Params) => string> = {
  'why.goesOn.toolResults': ({ n }) => m.why_goes_on_tool_results({ n: n ?? 0 }),
  'why.goesOn.steering': ({ n }) => m.why_goes_on_steering({ n: n ?? 0 }),
  'why.goesOn.both': ({ n, waiting }) => m.why_goes_on_both({ n: n ?? 0, waiting: waiting ?? 0 }),
  'why.goesOn.followUp': ({ n }) => m.why_goes_on_follow_up({ n: n ?? 0 }),
  'why.goesOn.finishTurn': () => m.why_goes_on_finish_turn(),
  'why.stops.nothing': () => m.why_stops_nothing(),
  'why.stops.terminated': ({ n }) => m.why_stops_terminated({ n: n ?? 0 }),
  'why.stops.finishTurn': () => m.why_stops_finish_turn(),
  'why.stops.requestLimit': ({ n }) => m.why_stops_request_limit({ count: n ?? 0 }),
  'why.stops.error': () => m.why_stops_error(),
  'why.stops.aborted': () => m.why_stops_aborted(),
  'why.stops.interrupted': () => m.why_stops_interrupted(),
  'why.asksOuter.nothing': () => m.why_asks_outer_nothing(),
  'why.asksOuter.terminated': ({ n }) => m.why_asks_outer_terminated({ n: n ?? 0 }),
};

/** Why the loop goes on or stopped, or that a person is asked; before it decided anything, what it does. */
export function whySentence(trace: Trace): string {
  if (trace.state === 'running' && waitsForAnswer(trace)) return m.why_waits_for_answer();
  const reason = why(trace);
  // What was queued after it stopped waits: the sentence tells of the time before.
  if (reason?.code === 'why.stops.nothing' && waitingCount(trace) > 0) return m.why_stops_nothing_then();
  if (reason) return sentences[reason.code](reason.params ?? {});
  if (trace.runs.length === 0) return m.why_ready();
  if (trace.state !== 'running') return m.why_no_decision();
  return doneFirst[doing(trace, turnAtWork(trace))]();
}

type Doing = 'asked' | 'answers' | 'answered' | 'tools' | 'toolsDone';

const doneFirst: Record<Doing, () => string> = {
  asked: m.why_first_turn,
  answers: m.why_first_answer,
  answered: m.why_first_answered,
  tools: m.why_first_tools,
  toolsDone: m.why_first_tools_done,
};
const doneLater: Record<Doing, (params: { n: number }) => string> = {
  asked: m.why_turn_asked,
  answers: m.why_turn_answers,
  answered: m.why_turn_answered,
  tools: m.why_turn_tools,
  toolsDone: m.why_turn_tools_done,
};

/** What a turn does or has done, on which nothing was decided yet. */
function doing(trace: Trace, turn: TurnNode | undefined): Doing {
  if (!turn?.request) return 'asked';
  const answer = askedOf(trace, turn);
  if (!answer || answer.status === 'streaming') return 'answers';
  const asked = answer.blocks.filter(({ type }) => type === 'toolCall').length;
  // None is run of an answer that was cut off.
  if (asked === 0 || answer.stopReason === 'length') return 'answered';
  const ended = answer.calls.filter((id) => trace.calls.get(id)?.status !== 'running').length;
  return ended < asked ? 'tools' : 'toolsDone';
}

/** What the turn's request asked for, as far as it has come. */
function askedOf({ messages }: Trace, turn: TurnNode | undefined): MessageNode | undefined {
  return messages.get(turn?.request?.message ?? '');
}

/** The last turn of a run that goes on; behind it there may be polls already. */
function turnAtWork({ runs, turns, state }: Trace): TurnNode | undefined {
  const last = state === 'running' ? runs.at(-1)?.children.at(-1) : undefined;
  return last?.kind === 'turn' ? turns.get(last.id) : undefined;
}

/** Why the loop went on or stopped at one decision, as it stood then. */
export function decisionSentence(decision: Parameters<typeof whyDecided>[0]): string {
  const { code, params = {} } = whyDecided(decision);
  return sentences[code](params);
}

/** Whether a person is asked something. */
export function waitsForAnswer({ asks }: Trace): boolean {
  for (const { state } of asks.values()) if (state === 'asked') return true;
  return false;
}

/** What the last poll of the run found, or what it began with; and how many messages wait. */
export function whyDetail(trace: Trace): string {
  const run = trace.runs.at(-1);
  if (!run) return m.why_ready_detail();
  const parts: string[] = [];
  const turn = turnAtWork(trace);
  // The sentence above still tells why there is this turn.
  if (turn && turn.n > 1 && turn.endSeq === undefined)
    parts.push(doneLater[doing(trace, turn)]({ n: turn.n }));
  const poll = lastPoll(trace, run.seq);
  const taken = begunWith(trace, run);
  if (poll?.queue === 'steering') parts.push(m.poll_steering_found({ count: poll.count }));
  else if (poll) parts.push(m.poll_follow_up_found({ count: poll.count }));
  else if (taken > 0 && run.how === 'steering') parts.push(m.why_continued_steering({ count: taken }));
  else if (taken > 0 && run.how === 'followUp') parts.push(m.why_continued_follow_up({ count: taken }));
  if (isCutOff(trace, run)) parts.unshift(m.why_cut_off());
  const count = waitingCount(trace);
  const since = trace.state !== 'running' && why(trace)?.code === 'why.stops.nothing';
  if (count > 0) parts.push(since ? m.queued_since({ count }) : m.still_waiting({ count }));
  return parts.join(' ');
}

/** The answer of the run's last turn came to its limit of tokens. */
function isCutOff(trace: Trace, { children }: RunNode): boolean {
  const last = children.findLast(({ kind }) => kind === 'turn');
  const turn = last?.kind === 'turn' ? trace.turns.get(last.id) : undefined;
  return askedOf(trace, turn)?.stopReason === 'length';
}

function waitingCount({ queues }: Trace): number {
  return queues.steering.length + queues.followUp.length;
}

/** Of the run that began with the record `since`: what came before is no business of it. */
function lastPoll({ notes }: Trace, since: number): { queue: QueueName; count: number } | undefined {
  for (let index = notes.length - 1; index >= 0; index--) {
    const { seq, note } = notes[index] ?? { seq: 0 };
    if (seq < since) return undefined;
    if (note?.type === 'step' && note.step.type === 'poll') return note.step;
  }
  return undefined;
}

/** How many messages Continue took out of the queue that the run began with; 0 before the first has joined. */
function begunWith({ messages }: Trace, run: RunNode): number {
  return run.messages.filter((id) => messages.get(id)?.origin === run.how).length;
}
