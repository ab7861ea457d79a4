/** Where the time of a turn went. */
import { answerOf } from './loop-batch';
import { attemptsOf } from './retries';
import type { CallNode, MessageNode, NoteNode, Trace, TurnNode } from './types';

/**
 * ms. Each moment counts once: as waiting (for a person, or paused) before it counts as a hook, a tool, the stream, the wait before
 * a retry or the wait for the first token. All but `total` and `toFirstToken` are such shares, and they add up to `total`.
 */
export interface TurnTiming {
  total: number;
  /** From the request to its first delta, whatever else happened meanwhile; absent while none came. */
  toFirstToken?: number;
  waiting: number;
  hooks: number;
  tools: number;
  stream: number;
  /** Waited before a request was sent again. */
  retries: number;
  firstToken: number;
  /** The loop's own, and listeners. */
  other: number;
}

/** Of an answer, in ms, from its request on; of one without a request, from its start. */
export interface AnswerTiming {
  took: number;
  /** Part of `took`; absent while no token came. */
  toFirstToken?: number;
}

/** `now`: session time, for an answer that goes on. */
export function answerTiming(trace: Trace, message: MessageNode, now: number): AnswerTiming {
  const { turn, at, endAt = now, firstTokenAt } = message;
  const request = turn === undefined ? undefined : trace.turns.get(turn)?.request;
  const from = request?.message === message.id ? request.at : at;
  return { took: endAt - from, ...(firstTokenAt === undefined ? {} : { toFirstToken: firstTokenAt - from }) };
}

type Share = Exclude<keyof TurnTiming, 'total' | 'toFirstToken' | 'other'>;
type Spans = [from: number, to: number][];

const order: readonly Share[] = ['waiting', 'hooks', 'tools', 'stream', 'retries', 'firstToken'];

/** Of a turn that is open, until the last record. */
export function turnTiming(trace: Trace, turn: TurnNode): TurnTiming {
  const from = turn.at;
  const to = turn.endAt ?? trace.at;
  const spans = spansOf(trace, turn, to);
  const shares = exclusive(spans, from, to);
  const spent = order.reduce((total, share) => total + shares[share], 0);
  const first = turn.request && answerOf(trace, turn)?.firstTokenAt;
  return {
    total: to - from,
    ...(turn.request && first !== undefined ? { toFirstToken: first - turn.request.at } : {}),
    ...shares,
    other: to - from - spent,
  };
}

function spansOf(trace: Trace, turn: TurnNode, to: number): Record<Share, Spans> {
  const spans: Record<Share, Spans> = {
    waiting: [],
    hooks: [],
    tools: [],
    stream: [],
    retries: retriesOf(trace, turn, to),
    firstToken: [],
  };
  for (const note of notesOf(trace, turn)) {
    const { at } = note;
    if (note.note.type === 'hook') spans.hooks.push([at - note.note.durationMs, at]);
    if (note.note.type === 'pause') spans.waiting.push([at, note.note.endAt ?? to]);
    if (note.note.type !== 'permission' && note.note.type !== 'answer') continue;
    spans.waiting.push([at, trace.asks.get(note.note.ask)?.endAt ?? to]);
  }
  const answer = answerOf(trace, turn);
  for (const id of answer?.calls ?? []) {
    const call = trace.calls.get(id);
    if (call?.executeAt !== undefined) spans.tools.push([call.executeAt, call.endAt ?? to]);
  }
  if (!turn.request) return spans;
  const first = answer?.firstTokenAt;
  const end = answer?.endAt ?? to;
  spans.firstToken.push([turn.request.at, first ?? end]);
  if (first !== undefined) spans.stream.push([first, end]);
  return spans;
}

/** An abort ends the wait: then the answer ends, and the turn. */
function retriesOf(trace: Trace, turn: TurnNode, to: number): Spans {
  const end = answerOf(trace, turn)?.endAt ?? to;
  return attemptsOf(trace, turn).map(({ at, waitMs = 0 }) => [at, Math.min(at + waitMs, end)]);
}

/** The notes of the turn and of its calls, also of those that code made. */
function notesOf(trace: Trace, turn: TurnNode): NoteNode[] {
  const own = turn.children.flatMap((child) =>
    child.kind === 'note' ? (trace.notes[child.index] ?? []) : [],
  );
  const calls = turn.children.flatMap((child) =>
    child.kind === 'call' ? (trace.calls.get(child.id) ?? []) : [],
  );
  return [...own, ...calls.flatMap((call) => notesOfCall(trace, call))];
}

function notesOfCall(trace: Trace, call: CallNode): NoteNode[] {
  const nested = call.calls.flatMap((id) => trace.calls.get(id) ?? []);
  return [...call.hooks, ...call.notes, ...nested.flatMap((one) => notesOfCall(trace, one))];
}

/** How long each share is the first in order that covers a moment. */
function exclusive(spans: Record<Share, Spans>, from: number, to: number): Record<Share, number> {
  const taken: Spans = [];
  const shares = { waiting: 0, hooks: 0, tools: 0, stream: 0, retries: 0, firstToken: 0 };
  let before = 0;
  for (const share of order) {
    for (const [start, end] of spans[share]) taken.push([Math.max(start, from), Math.min(end, to)]);
    const length = unionLength(taken);
    shares[share] = length - before;
    before = length;
  }
  return shares;
}

function unionLength(spans: Spans): number {
  let length = 0;
  let reached = -Infinity;
  for (const [from, to] of spans.toSorted(([a], [b]) => a - b)) {
    if (to <= reached) continue;
    length += Math.max(0, to - Math.max(from, reached));
    reached = Math.max(reached, to);
  }
  return length;
}
