/** Where the loop was when something of a trace happened, be it long ago. */
import { answerOf, loopBatch } from './loop-batch';
import { loopWindow } from './loop-marks';
import type { Mark } from './loop-marks';
import type { LoopLine, Station } from './loop-stations';
import { loopCondition, loopValues, markValues } from './loop-values';
import type { LoopCondition } from './loop-values';
import type { NoteNode, RunNode, Trace } from './types';

/** Something that happened in a turn, or on the way to one. */
export type LoopThing = { kind: 'turn' | 'message' | 'call'; id: string } | { kind: 'note'; seq: number };

export interface LoopMoment {
  station: Station;
  line: LoopLine;
  /** The turn in which it was, or to which it led; its number is from 1. */
  turn?: { id: string; n: number };
  /** What the line made, and what it looked at, as it was then. */
  value?: string;
  condition?: LoopCondition;
}

/** `undefined` of what is no step of the loop: what a session began with, a change of its settings. */
export function loopMoment(trace: Trace, thing: LoopThing): LoopMoment | undefined {
  const found = placeIn(trace, thing);
  const run = found && trace.runsById.get(found.run);
  if (!run) return undefined;
  const { turn, marks } = windowAt(trace, run, found.seq);
  const mark = marks.findLast(({ seq }) => seq === found.seq) ?? injection(trace, thing, marks);
  if (!mark) return undefined;
  const answer = turn && answerOf(trace, turn);
  const made = loopValues([], answer, turn && loopBatch(trace, turn));
  const value = markValues(mark)[mark.line] ?? made[mark.line];
  return {
    station: mark.station,
    line: mark.line,
    ...(turn ? { turn: { id: turn.id, n: turn.n } } : {}),
    ...(value === undefined ? {} : { value }),
    ...(mark.decide ? { condition: loopCondition(mark.decide) } : {}),
  };
}

/** The run that something belongs to, and the record that shows where in it. */
function placeIn(trace: Trace, thing: LoopThing): { run: string; seq: number } | undefined {
  if (thing.kind === 'note') return noteIn(trace, thing.seq);
  if (thing.kind === 'call') return callIn(trace, thing.id);
  const node = thing.kind === 'turn' ? trace.turns.get(thing.id) : trace.messages.get(thing.id);
  const turn = node && trace.turns.get('turn' in node ? (node.turn ?? '') : thing.id);
  return node && turn && { run: turn.run, seq: node.seq };
}

/** The hooks of a call are where the call is. */
function noteIn(trace: Trace, seq: number): { run: string; seq: number } | undefined {
  const note = noteAt(trace, seq);
  if (note?.call !== undefined) return callIn(trace, note.call);
  return note?.run === undefined ? undefined : { run: note.run, seq };
}

/** The notes are in the order of their records. */
function noteAt({ notes }: Trace, seq: number): NoteNode | undefined {
  let from = 0;
  let to = notes.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((notes[middle]?.seq ?? 0) < seq) from = middle + 1;
    else to = middle;
  }
  return notes[from]?.seq === seq ? notes[from] : undefined;
}

/** What the code of a call called is where that one is. */
function callIn(trace: Trace, id: string): { run: string; seq: number } | undefined {
  let call = trace.calls.get(id);
  while (call?.parent !== undefined) call = trace.calls.get(call.parent);
  const turn = call && trace.turns.get(call.turn);
  return call && turn && { run: turn.run, seq: call.seq };
}

/** The turn in which a record is, or that is over when it comes. */
function windowAt(trace: Trace, run: RunNode, at: number) {
  const next = run.children.findIndex(
    (child) => child.kind === 'turn' && (trace.turns.get(child.id)?.seq ?? 0) > at,
  );
  return loopWindow(trace, run, next === -1 ? run.children : run.children.slice(0, next));
}

/** A message that joined has no mark of its own where the step was recorded. */
function injection(trace: Trace, thing: LoopThing, marks: Mark[]): Mark | undefined {
  const message = thing.kind === 'message' ? trace.messages.get(thing.id) : undefined;
  return message && marks.findLast(({ inject, seq }) => inject && seq < message.seq);
}
