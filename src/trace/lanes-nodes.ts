/** What stands behind the bars of the time axis, and the bar that each makes as the trace stands. */
import type { LaneClock, Moment } from './lanes-clock';
import { BarFlag, type Bar } from './lanes-row';
import { without, type Stretch } from './lanes-busy';
import type {
  CallNode,
  MessageNode,
  NoteNode,
  QueueItem,
  RequestNode,
  RunNode,
  Trace,
  TurnNode,
} from './types';

export type LaneNode =
  | { kind: 'run'; run: RunNode }
  | { kind: 'turn'; turn: TurnNode }
  /** An answer of the model, from its request on. What is imported may have no request. */
  | { kind: 'model'; turn: string; request?: RequestNode; message?: MessageNode }
  | { kind: 'tool'; call: CallNode }
  /** One stay of a message in a queue: the nth, from 0. Each move begins another. */
  | { kind: 'steering' | 'followUp'; item: QueueItem; stay: number }
  | { kind: 'hook' | 'pause' | 'poll'; note: NoteNode };

/** Its bar now. */
export function barOf(node: LaneNode, trace: Trace, clock: LaneClock): Bar {
  switch (node.kind) {
    case 'run':
      return spanBar(node.run, statusFlags(node.run.status));
    case 'turn':
      return spanBar(node.turn, 0);
    case 'model':
      return modelBar(node, trace);
    case 'tool':
      return toolBar(node.call);
    case 'steering':
    case 'followUp':
      return queueBar(node, trace);
    default:
      return noteBar(node.note, clock);
  }
}

/** Adds the moments that the trace tells of a node: its start, and its end once it has one. */
export function addMoments(moments: Moment[], node: LaneNode, trace: Trace): void {
  switch (node.kind) {
    case 'run':
      return addSpan(moments, node.run);
    case 'turn':
      return addSpan(moments, node.turn);
    case 'model':
      return addSpan(moments, modelSpan(node, trace));
    case 'tool':
      return addSpan(moments, node.call);
    case 'steering':
    case 'followUp':
      return addSpan(moments, staySpan(node));
    default:
      return addSpan(moments, noteSpan(node.note));
  }
}

/** When it kept the session busy: questions to people are waits, and waits are not. `end` is for what is open. */
export function busyTimeOf(
  node: LaneNode,
  bar: Pick<Bar, 'at' | 'endAt'>,
  trace: Trace,
  end: number,
): Stretch[] {
  const whole = { from: bar.at, to: Math.min(bar.endAt, end) };
  if (node.kind === 'model') return [whole];
  // Hooks of a call lie inside it.
  if (node.kind === 'hook') return node.note.call === undefined ? [whole] : [];
  if (node.kind !== 'tool') return [];
  const waits: Stretch[] = [];
  const nested = node.call.calls.flatMap((id) => trace.calls.get(id)?.notes ?? []);
  for (const { note } of [...node.call.notes, ...nested].sort((a, b) => a.seq - b.seq)) {
    const ask = note.type === 'permission' || note.type === 'answer' ? trace.asks.get(note.ask) : undefined;
    if (ask) waits.push({ from: ask.at, to: ask.endAt ?? Infinity });
  }
  return without(whole, waits);
}

export type Stay = Extract<LaneNode, { kind: 'steering' | 'followUp' }>;

/** The stays of a message in the queues from the nth on, as its moves tell. */
export function staysOf(item: QueueItem, first = 0): Stay[] {
  const { moves = [], queue } = item;
  return [...moves.map(({ from }) => from), queue]
    .map((kind, stay): Stay => ({ kind, item, stay }))
    .slice(first);
}

/** It is there still, or left both queues from there. */
export function isLastStay({ item, stay }: Stay): boolean {
  return stay === (item.moves?.length ?? 0);
}

/** How many messages a poll found. */
export function foundBy(node: LaneNode | undefined): number {
  if (node?.kind !== 'poll') return 0;
  const { note } = node.note;
  return note.type === 'step' && note.step.type === 'poll' ? note.step.count : 0;
}

/** It waits although the run ended before the poll that would have taken it. */
export function isStranded({ left, seq }: QueueItem, { state, runs }: Trace): boolean {
  return left === undefined && state !== 'running' && seq < (runs.at(-1)?.endSeq ?? 0);
}

export interface Span extends Moment {
  endSeq?: number;
  endAt?: number;
}

function addSpan(moments: Moment[], span: Span): void {
  moments.push(span);
  const { endSeq, endAt } = span;
  if (endSeq !== undefined && endAt !== undefined) moments.push({ seq: endSeq, at: endAt });
}

function spanBar({ at, seq, endAt = Infinity, endSeq = Infinity }: Span, flags: number, midAt = NaN): Bar {
  const isOpen = endAt === Infinity;
  return {
    at,
    seq,
    endAt,
    endSeq: isOpen ? Infinity : endSeq,
    midAt,
    flags: flags | (isOpen ? BarFlag.open : 0),
  };
}

function statusFlags(status: RunNode['status'] | CallNode['status'] | MessageNode['status']): number {
  if (status === 'error') return BarFlag.failed;
  if (status === 'aborted') return BarFlag.aborted;
  return status === 'interrupted' ? BarFlag.interrupted : 0;
}

type Answer = Extract<LaneNode, { kind: 'model' }>;

function modelSpan({ turn: turnId, request, message }: Answer, trace: Trace): Span {
  const turn = message ? undefined : trace.turns.get(turnId);
  const { seq, at } = request ?? message ?? turn ?? { seq: 0, at: 0 };
  const { endSeq, endAt } = message ?? turn ?? {};
  return endSeq === undefined || endAt === undefined ? { seq, at } : { seq, at, endSeq, endAt };
}

function modelBar(answer: Answer, trace: Trace): Bar {
  const { message } = answer;
  const cut = message?.stopReason === 'length' ? BarFlag.cut : 0;
  const flags = message ? statusFlags(message.status) | cut : 0;
  return spanBar(modelSpan(answer, trace), flags, message?.firstTokenAt);
}

function toolBar(call: CallNode): Bar {
  const { executeAt, status } = call;
  const hasNotRun = executeAt === undefined && status !== 'ok';
  return spanBar(call, statusFlags(status) | (hasNotRun ? BarFlag.asked : 0), executeAt);
}

/** From when to when it was in that queue; without an end while it is. */
export function staySpan({ item, stay }: Stay): Span {
  const { moves = [], leftAt, leftSeq } = item;
  const { at, seq } = moves[stay - 1] ?? item;
  const { at: endAt, seq: endSeq } = moves[stay] ?? { at: leftAt, seq: leftSeq };
  return endAt === undefined || endSeq === undefined ? { at, seq } : { at, seq, endAt, endSeq };
}

function queueBar(node: Stay, trace: Trace): Bar {
  return spanBar(staySpan(node), isLastStay(node) && isStranded(node.item, trace) ? BarFlag.stranded : 0);
}

function noteSpan({ at, seq, note }: NoteNode): Span {
  if (note.type !== 'pause') return { at, seq, endAt: at, endSeq: seq };
  const { endAt, endSeq } = note;
  return endAt === undefined || endSeq === undefined ? { at, seq } : { at, seq, endAt, endSeq };
}

/** A hook tells at its end how long it took: the number of the record at its start comes from the clock. */
function noteBar(node: NoteNode, clock: LaneClock): Bar {
  const { at, seq, note } = node;
  if (note.type !== 'hook') return spanBar(noteSpan(node), 0);
  const start = Math.max(0, at - note.durationMs);
  const startSeq = start < at ? Math.min(seq, clock.seqOf(start)) : seq;
  const failed = note.decision?.error === undefined ? 0 : BarFlag.failed;
  return spanBar({ at: start, seq: startSeq, endAt: at, endSeq: seq }, failed);
}
