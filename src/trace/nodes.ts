/** Making an empty trace, and finding the place in it where a record belongs. */
import type { Usage } from '../loop/types';
import type { CallNode, NodeRef, NoteNode, RunNode, Trace, TurnNode } from './types';

/** The trace of no records. */
export function emptyTrace(): Trace {
  return {
    seq: 0,
    at: 0,
    state: 'idle',
    config: {},
    ruleActs: new Map(),
    ruleCounts: new Map(),
    runs: [],
    runsById: new Map(),
    turns: new Map(),
    messages: new Map(),
    calls: new Map(),
    notes: [],
    requests: [],
    asks: new Map(),
    children: [],
    transcript: [],
    queues: { steering: [], followUp: [] },
    queueItems: new Map(),
    files: new Map(),
    usage: emptyUsage(),
    paused: false,
  };
}

export function emptyUsage(): Usage {
  return {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 0,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  };
}

/** Adds `more` to `sum`, which changes. */
export function addUsage(sum: Usage, more: Usage): void {
  sum.input += more.input;
  sum.output += more.output;
  sum.cacheRead += more.cacheRead;
  sum.cacheWrite += more.cacheWrite;
  sum.totalTokens += more.totalTokens;
  if (more.reasoning !== undefined) sum.reasoning = (sum.reasoning ?? 0) + more.reasoning;
  sum.cost.input += more.cost.input;
  sum.cost.output += more.cost.output;
  sum.cost.cacheRead += more.cost.cacheRead;
  sum.cost.cacheWrite += more.cost.cacheWrite;
  sum.cost.total += more.cost.total;
}

/** The run that has not ended, if any. */
function openRun(trace: Trace): RunNode | undefined {
  const run = trace.runs.at(-1);
  return run?.status === 'running' ? run : undefined;
}

/** The turn of a run that has not ended, if any. */
function openTurn(trace: Trace, run: RunNode): TurnNode | undefined {
  for (let index = run.children.length - 1; index >= 0; index--) {
    const child = run.children[index];
    if (child?.kind !== 'turn') continue;
    const turn = trace.turns.get(child.id);
    return turn?.endAt === undefined ? turn : undefined;
  }
  return undefined;
}

export function runOfTurn(trace: Trace, turn: string | undefined): RunNode | undefined {
  return turn === undefined ? undefined : trace.runsById.get(trace.turns.get(turn)?.run ?? '');
}

/** The children that something new belongs to: of the turn, else of the run, else of the trace. */
export function childrenOf(
  trace: Trace,
  turn: string | undefined,
  run?: string,
): (NodeRef | { kind: 'run'; index: number })[] {
  const parent = (turn === undefined ? undefined : trace.turns.get(turn)) ?? trace.runsById.get(run ?? '');
  return parent?.children ?? trace.children;
}

/** Where a note belongs, as far as its record says. */
export interface NotePlace {
  run?: string | undefined;
  turn?: string | undefined;
  call?: string | undefined;
}

/** The open turn of the open run: where things belong whose records name no place. */
export function currentPlace(trace: Trace, run = openRun(trace)): NotePlace {
  return run ? { run: run.id, turn: openTurn(trace, run)?.id } : {};
}

/** Keeps a note without making it anybody's child. */
export function keepNote(
  trace: Trace,
  span: { seq: number; at: number },
  note: NoteNode['note'],
  place: NotePlace = {},
): NoteNode {
  const node: NoteNode = { seq: span.seq, at: span.at, note };
  if (place.run !== undefined) node.run = place.run;
  if (place.turn !== undefined) node.turn = place.turn;
  if (place.call !== undefined) node.call = place.call;
  trace.notes.push(node);
  return node;
}

/** Keeps a note as a child of its turn, run or the trace. */
export function addNote(
  trace: Trace,
  span: { seq: number; at: number },
  note: NoteNode['note'],
  place: NotePlace = {},
): NoteNode {
  const node = keepNote(trace, span, note, place);
  childrenOf(trace, place.turn, place.run).push({ kind: 'note', index: trace.notes.length - 1 });
  return node;
}

/** Keeps a note inside its call; as `addNote` when the call is unknown. */
export function addCallNote(
  trace: Trace,
  span: { seq: number; at: number },
  note: NoteNode['note'],
  place: NotePlace,
): void {
  const call = place.call === undefined ? undefined : trace.calls.get(place.call);
  if (!call) {
    addNote(trace, span, note, place);
    return;
  }
  const inCall = { run: place.run ?? trace.turns.get(call.turn)?.run, turn: call.turn, call: call.id };
  listOf(call, note).push(keepNote(trace, span, note, inCall));
}

function listOf(call: CallNode, note: NoteNode['note']): NoteNode[] {
  return note.type === 'hook' ? call.hooks : call.notes;
}
