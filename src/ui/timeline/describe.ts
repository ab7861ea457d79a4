/** What is said of a bar: its name on the axis, and the facts of its card, of the table and for screen readers. */
import { m } from '../../i18n';
import { argumentSummary, contentText, firstLine } from '../../trace/excerpts';
import type { LaneKind, Lanes } from '../../trace/lanes';
import {
  barOf,
  foundBy,
  isLastStay,
  isStranded,
  staySpan,
  type LaneNode,
  type Stay,
} from '../../trace/lanes-nodes';
import { BarFlag } from '../../trace/lanes-row';
import { callArguments } from '../../trace/messages';
import type { CallNode, QueueItem, Trace } from '../../trace/types';
import { duration, number } from '../lib/format';
import { hookEffect } from '../lib/hook-effect';

export const LANE_NAMES: Record<LaneKind, () => string> = {
  run: m.time_lane_runs,
  turn: m.time_lane_turns,
  model: m.time_lane_model,
  tool: m.time_lane_tools,
  steering: m.time_lane_steering,
  followUp: m.time_lane_follow_up,
  hook: m.time_lane_hooks,
};

/** A bar's name. `short`: for where there is little room. */
export function nameOf(node: LaneNode, trace: Trace, short = false): string {
  switch (node.kind) {
    case 'run':
      return short ? number(node.run.n) : m.run_n({ n: node.run.n });
    case 'turn':
      return short ? number(node.turn.n) : m.turn_n({ n: node.turn.n });
    case 'model':
      return node.request ? m.time_request_n({ n: number(node.request.index + 1) }) : m.model();
    case 'tool':
      return short ? node.call.toolName : callName(trace, node.call);
    case 'steering':
    case 'followUp':
      return queuedText(node.item);
    case 'pause':
      return m.row_pause();
    default:
      return node.note.note.type === 'hook' ? node.note.note.name : pollName(node);
  }
}

/** What may stand in a bar, the longest first; of an answer, in the part after its first token. */
export function barTexts(node: LaneNode, trace: Trace, now: number): string[] {
  switch (node.kind) {
    case 'run':
    case 'turn':
      return [nameOf(node, trace), nameOf(node, trace, true)];
    case 'model':
      return [deltasText(node.message?.blocks ?? [])];
    case 'tool': {
      const names = [nameOf(node, trace), nameOf(node, trace, true)];
      return wasAsked(node.call)
        ? [...names.map((name) => m.time_bar_asked({ name })), ...names.slice(1)]
        : names;
    }
    case 'steering':
    case 'followUp': {
      const text = queuedText(node.item);
      return [m.time_bar_waits({ text, how: waitText(node, trace, now) }), text];
    }
    default:
      return [nameOf(node, trace)];
  }
}

export interface SpanFacts {
  name: string;
  lane: LaneKind | 'pause';
  /** ms; `took` is absent of what takes no time. */
  at: number;
  took?: number;
  /** How it stands or ended, where that says something. */
  state?: string;
  isFailed: boolean;
  /** What else there is to know, one thing each. */
  details: string[];
}

/** `now`: session time in ms. */
export function factsOf(node: LaneNode, { trace, clock }: Lanes, now: number): SpanFacts {
  const bar = barOf(node, trace, clock);
  const took = Math.min(bar.endAt, now) - bar.at;
  const facts: SpanFacts = {
    name: nameOf(node, trace),
    lane: laneOf(node),
    at: bar.at,
    isFailed: (bar.flags & BarFlag.failed) !== 0,
    details: detailsOf(node, trace, now),
  };
  if (node.kind !== 'poll') facts.took = took;
  const state = stateOf(node, bar.flags, trace);
  if (state !== undefined) facts.state = state;
  return facts;
}

function laneOf(node: LaneNode): LaneKind | 'pause' {
  if (node.kind !== 'poll') return node.kind;
  const { note } = node.note;
  return note.type === 'step' && note.step.type === 'poll' ? note.step.queue : 'steering';
}

function pollName(node: LaneNode): string {
  return laneOf(node) === 'steering' ? m.row_poll_steering() : m.row_poll_follow_up();
}

function stateOf(node: LaneNode, flags: number, trace: Trace): string | undefined {
  if (node.kind === 'steering' || node.kind === 'followUp') return waitEnd(node, trace);
  if (node.kind === 'poll') return m.found({ count: foundBy(node) });
  if (flags & BarFlag.failed) return m.status_error();
  if (flags & BarFlag.aborted) return m.status_aborted();
  if (flags & BarFlag.interrupted) return m.status_interrupted();
  if (flags & BarFlag.cut) return m.cut_off();
  if (!(flags & BarFlag.open) || node.kind === 'pause') return undefined;
  return node.kind === 'model' && node.message?.firstTokenAt !== undefined
    ? m.status_streaming()
    : m.status_running();
}

function detailsOf(node: LaneNode, trace: Trace, now: number): string[] {
  if (node.kind === 'model') return answerDetails(node);
  if (node.kind === 'tool') return callDetails(node.call, trace, now);
  if (node.kind !== 'hook' || node.note.note.type !== 'hook') return [];
  return [hookEffect(node.note.note)];
}

function answerDetails({ request, message }: Extract<LaneNode, { kind: 'model' }>): string[] {
  const details: string[] = [];
  if (!message?.firstTokenAt) return message ? details : [m.waiting_first_token()];
  const asked = request?.at ?? message.at;
  details.push(m.time_first_token({ duration: duration(message.firstTokenAt - asked) }));
  details.push(deltasText(message.blocks));
  if (message.usage) {
    const { input, output } = message.usage;
    details.push(m.tokens_in_out({ input: number(input), output: number(output) }));
  }
  if (message.model) details.push(message.model.id);
  return details.filter((detail) => detail !== '');
}

function callDetails(call: CallNode, trace: Trace, now: number): string[] {
  const { at, executeAt, endAt = now, status } = call;
  const waits = call.notes.some(({ note }) => {
    return note.type === 'permission' && trace.asks.get(note.ask)?.state === 'asked';
  });
  if (waits) return [m.ask_open()];
  if (executeAt === undefined) return status === 'running' || status === 'ok' ? [] : [m.time_never_ran()];
  if (executeAt - at < 1) return [];
  return [m.time_before_it_ran({ before: duration(executeAt - at), ran: duration(endAt - executeAt) })];
}

function deltasText(blocks: readonly { deltas: number }[]): string {
  const count = blocks.reduce((sum, { deltas }) => sum + deltas, 0);
  return count === 0 ? '' : m.deltas_count({ count, shown: number(count) });
}

/** A person was asked whether it may run. */
function wasAsked({ notes }: CallNode): boolean {
  return notes.some(({ note }) => note.type === 'permission');
}

/** How long it waited, and how that ended. */
function waitText(stay: Stay, trace: Trace, now: number): string {
  const { at, endAt = now } = staySpan(stay);
  const waited = duration(endAt - at);
  if (stay.item.left === 'drain' && isLastStay(stay)) return waited;
  return m.time_bar_wait_end({ duration: waited, how: waitEnd(stay, trace) });
}

function waitEnd(stay: Stay, trace: Trace): string {
  const { item } = stay;
  if (!isLastStay(stay)) return m.time_moved_on({ queue: LANE_NAMES[queueAfter(stay)]() });
  const turn = trace.turns.get(item.landed?.turn ?? '')?.n;
  if (turn !== undefined) return m.time_joined({ turn });
  if (item.left === 'drain') return m.time_taken();
  if (item.left !== undefined) return m.time_removed();
  return isStranded(item, trace) ? m.time_stranded() : m.time_still_waiting();
}

/** The queue that it was moved to. */
function queueAfter({ item, stay }: Stay): Stay['kind'] {
  return item.moves?.[stay + 1]?.from ?? item.queue;
}

const callNames = new WeakMap<CallNode, string>();

function callName(trace: Trace, call: CallNode): string {
  let name = callNames.get(call);
  if (name !== undefined) return name;
  name = `${call.toolName} ${argumentSummary(call.args ?? callArguments(trace, call))}`.trim();
  // What ran can differ from what was asked for, as long as it has not ended.
  if (call.endAt !== undefined) callNames.set(call, name);
  return name;
}

function queuedText({ message }: QueueItem): string {
  return firstLine(contentText('content' in message ? message.content : '')) || m.no_text();
}
