/** Where the loop has been in the turn at hand: what the trace holds of it, as marks in the order of their records. */
import type { HookDecision, QueueName } from '../loop/types';
import type { RecordedStep } from '../records/types';
import type { LoopLine, Station } from './loop-stations';
import type { NodeRef, NoteNode, RunNode, Trace, TurnNode } from './types';

export type Decide = Extract<RecordedStep, { type: 'decide' }>;

export interface Mark {
  seq: number;
  /** ms since the session was created. */
  at: number;
  station: Station;
  line: LoopLine;
  /** What can be selected here. */
  message?: string;
  call?: string;
  turn?: string;
  /** Whether it is a note of the trace. */
  note?: true;
  poll?: { queue: QueueName; count: number };
  /** How many messages join, and whether one of them tells of changed tools. */
  inject?: { count: number; tools: boolean };
  decide?: Decide;
  hook?: { name: string; decision?: HookDecision };
}

/** The last turn of a run with its way in, and what came after it. */
export interface LoopWindow {
  turn?: TurnNode;
  /** How the turn was reached. */
  turnIn: 'start' | 'nextTurn' | 'nextPass';
  /** The poll that closed the turn before: what it took is on its way. */
  before?: Mark;
  /** Which pass of the outer loop this is, from 1. */
  pass: number;
  marks: Mark[];
}

/** `children`: those of the run, or the first of them, for a turn that is not its last. */
export function loopWindow(trace: Trace, run: RunNode, children = run.children): LoopWindow {
  const last = children.findLastIndex(({ kind }) => kind === 'turn');
  const before = children.findLastIndex(({ kind }, index) => kind === 'turn' && index < last);
  const pre = notes(trace, last === -1 ? children : children.slice(before + 1, last));
  const post = last === -1 ? [] : notes(trace, children.slice(last + 1));
  const child = children[last];
  const turn = child?.kind === 'turn' ? trace.turns.get(child.id) : undefined;
  const cameByPass = pre.some(isNextPass);
  const marks: Mark[] = [
    ...(turn === undefined || turn.n === 1 ? [startMark(run)] : []),
    ...pre.map((node) => noteMark(node, cameByPass)),
    ...(turn ? turnMarks(trace, run, turn) : []),
    ...post.map((node) => noteMark(node, post.some(isNextPass))),
  ].sort((a, b) => a.seq - b.seq);
  const previous = children[before];
  const closing = previous?.kind === 'turn' ? closingPoll(trace, previous.id) : undefined;
  const first = turn === undefined || turn.n === 1;
  return {
    ...(turn ? { turn } : {}),
    ...(closing ? { before: closing } : {}),
    turnIn: first ? 'start' : cameByPass ? 'nextPass' : 'nextTurn',
    pass: 1 + notes(trace, children.slice(0, last)).filter(isNextPass).length,
    marks,
  };
}

function closingPoll(trace: Trace, turn: string): Mark | undefined {
  return notes(trace, trace.turns.get(turn)?.children ?? [])
    .map((node) => noteMark(node, false))
    .findLast(({ poll }) => poll);
}

function startMark({ seq, at }: RunNode): Mark {
  return { seq, at, station: 'start', line: 'agentStart' };
}

function isNextPass({ note }: NoteNode): boolean {
  return note.type === 'step' && note.step.type === 'decide' && note.step.loop === 'outer' && note.step.go;
}

/** The notes among these that are places of the loop. */
function notes(trace: Trace, children: NodeRef[]): NoteNode[] {
  return children.flatMap((child) => {
    const node = child.kind === 'note' ? trace.notes[child.index] : undefined;
    return node && (node.note.type === 'step' || node.note.type === 'hook' || node.note.type === 'http')
      ? [node]
      : [];
  });
}

function turnMarks(trace: Trace, run: RunNode, turn: TurnNode): Mark[] {
  const { seq, at, id, n, children, request } = turn;
  // What breaks a run adds a failure message, and a turn for it if none was open: neither is a place of the loop.
  if (children.length > 0 && children.every((child) => isFailure(trace, child))) return [];
  const marks: Mark[] = [
    n === 1
      ? { seq, at, turn: id, station: 'start', line: 'prompts' }
      : { seq, at, turn: id, station: 'turnStart', line: 'turnStart' },
  ];
  const inside = notes(trace, children).map((node) => noteMark(node, false));
  const injections = inside.filter(({ inject }) => inject);
  const prompts = n === 1 && run.how !== 'request' ? injections[0] : undefined;
  if (prompts) Object.assign(prompts, { station: 'start', line: 'prompts' } satisfies Partial<Mark>);
  marks.push(...inside);
  for (const child of children) {
    const mark = spokenMark(trace, child, injections.length > 0);
    if (mark) marks.push(mark);
  }
  if (request)
    marks.push({ ...placeOf(request), message: request.message, station: 'stream', line: 'stream' });
  const broken = children.some((child) => isFailure(trace, child));
  if (turn.endSeq !== undefined && !broken && run.status !== 'interrupted')
    marks.push({ seq: turn.endSeq, at: turn.endAt ?? at, turn: id, station: 'finishTurn', line: 'turnEnd' });
  return marks;
}

function isFailure(trace: Trace, child: NodeRef): boolean {
  return child.kind === 'message' && trace.messages.get(child.id)?.origin === 'failure';
}

/** The mark of a message or a call. What was injected has marks of its own where steps were recorded. */
function spokenMark(trace: Trace, child: NodeRef, hasInjections: boolean): Mark | undefined {
  if (child.kind === 'call') {
    const call = trace.calls.get(child.id);
    return call && { ...placeOf(call), call: call.id, station: 'tools', line: 'tools' };
  }
  const message = child.kind === 'message' ? trace.messages.get(child.id) : undefined;
  if (!message || message.origin === 'failure' || message.origin === 'interrupted') return undefined;
  const mark = { ...placeOf(message), message: message.id };
  if (message.role === 'assistant') return { ...mark, station: 'stream', line: 'stream' };
  if (message.role === 'toolResult') return { ...mark, station: 'tools', line: 'tools' };
  return hasInjections ? undefined : { ...mark, station: 'inject', line: 'inject' };
}

function noteMark(node: NoteNode, byPass: boolean): Mark {
  const { note } = node;
  const mark = { ...placeOf(node), note: true as const };
  if (note.type === 'hook') {
    const { name, decision } = note;
    return { ...mark, ...hookPlace(name, byPass), hook: { name, ...(decision ? { decision } : {}) } };
  }
  if (note.type !== 'step') return { ...mark, station: 'stream', line: 'stream' };
  const { step } = note;
  switch (step.type) {
    case 'poll':
      return { ...mark, ...pollPlace(step.at, byPass), poll: { queue: step.queue, count: step.count } };
    case 'inject': {
      const { prepared, pending, tools } = step;
      return { ...mark, station: 'inject', line: 'inject', inject: { count: prepared + pending, tools } };
    }
    case 'decide':
      return { ...mark, ...decidePlace(step), decide: step };
    default:
      return { ...mark, station: 'tools', line: 'tools' };
  }
}

function placeOf({ seq, at }: { seq: number; at: number }): { seq: number; at: number } {
  return { seq, at };
}

type Place = Pick<Mark, 'station' | 'line'>;

function pollPlace(at: Extract<RecordedStep, { type: 'poll' }>['at'], byPass: boolean): Place {
  switch (at) {
    case 'start':
      return { station: 'pollStart', line: 'pollStart' };
    case 'prepare':
      return { station: byPass ? 'pollNextPass' : 'pollPrepare', line: 'pollPrepare' };
    case 'turnEnd':
      return { station: 'pollSteering', line: 'pollTurnEnd' };
    case 'stop':
      return { station: 'pollFollowUp', line: 'pollFollowUp' };
  }
}

function hookPlace(name: string, byPass: boolean): Place {
  switch (name) {
    case 'prepareNextTurn':
      return { station: byPass ? 'prepareNextPass' : 'prepareNextTurn', line: 'prepareNextTurn' };
    case 'prepareRequest':
      return { station: 'prepareRequest', line: 'prepareRequest' };
    case 'finishTurn':
      return { station: 'finishTurn', line: 'finishTurn' };
    case 'beforeToolCall':
    case 'afterToolCall':
      return { station: 'tools', line: 'tools' };
    default:
      return { station: 'stream', line: 'stream' };
  }
}

function decidePlace(step: Decide): Place {
  if (endsRun(step)) return { station: 'finishTurn', line: 'broken' };
  if (step.loop === 'inner') return { station: 'innerGoOn', line: 'while' };
  return { station: 'outerGoOn', line: (step.values.followUps ?? 0) > 0 ? 'again' : 'continued' };
}

/** An inner decision that stops the run, not only the inner loop: no queue is read after it. */
export function endsRun({ loop, go, values }: Decide): boolean {
  const { stopReason, finishTurn } = values;
  const isBroken = stopReason === 'error' || stopReason === 'aborted' || finishTurn === 'end';
  return loop === 'inner' && !go && isBroken;
}
