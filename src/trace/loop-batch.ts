/** The tool batch of a turn: a small time axis for each of its calls. */
import type { RecordedStep } from '../records/types';
import type { CallNode, MessageNode, NoteNode, Trace, TurnNode } from './types';

/** Fractions of the batch's time, from 0 to 1. */
export interface LoopSpan {
  from: number;
  to: number;
}

export interface LoopCall {
  /** Absent while it has not started. */
  id?: string;
  tool: string;
  /** `asking`: a hook decides, or a person is asked. */
  phase: 'waiting' | 'asking' | 'running' | 'done';
  isError: boolean;
  asked?: LoopSpan;
  ran?: LoopSpan;
}

export interface LoopBatch {
  mode: 'parallel' | 'sequential' | 'refused';
  /** In source order. */
  calls: LoopCall[];
  /** Calls that have their result. */
  done: number;
  /** How much of the arc its time takes: below 1 while calls are open, since how long they will take is not known. */
  progress: number;
}

type BatchStep = Extract<RecordedStep, { type: 'batch' }>;

/** After this time half of what is left of the arc is taken. */
const HALF_MS = 1500;

export function loopBatch(trace: Trace, turn: TurnNode): LoopBatch | undefined {
  const message = answerOf(trace, turn);
  const step = batchStep(trace, turn);
  const blocks = message?.blocks.flatMap((block, index) =>
    block.type === 'toolCall' ? [{ index, tool: block.toolName ?? '' }] : [],
  );
  const started = (message?.calls ?? []).flatMap((id) => trace.calls.get(id) ?? []);
  if (!message || !blocks || (!step && started.length === 0)) return undefined;
  const byIndex = new Map(started.map((call) => [call.index, call]));
  const from = step?.at ?? Math.min(...started.map(({ at }) => at));
  const done = started.filter(({ result }) => result).length;
  const open = done < blocks.length;
  // What a run left open ended with its turn.
  const ends = started.map(({ endAt }) => endAt ?? from);
  const until = open ? (turn.endAt ?? trace.at) : Math.max(...ends);
  const progress = open ? 0.94 * (1 - 2 ** (-(until - from) / HALF_MS)) : 1;
  const scale = new Scale(from, until, progress, step?.mode === 'refused');
  return {
    mode: step?.mode ?? 'parallel',
    calls: blocks.map(({ index, tool }, place) => {
      const nextAt = byIndex.get(blocks[place + 1]?.index ?? -1)?.at;
      return loopCall(trace, byIndex.get(index), { tool, nextAt }, scale);
    }),
    done,
    progress,
  };
}

/** The assistant message of a turn, as far as it streamed. */
export function answerOf(trace: Trace, turn: TurnNode): MessageNode | undefined {
  for (const child of turn.children) {
    const message = child.kind === 'message' ? trace.messages.get(child.id) : undefined;
    if (message?.role === 'assistant' && message.origin !== 'failure') return message;
  }
  return undefined;
}

function batchStep(trace: Trace, turn: TurnNode): (BatchStep & { at: number }) | undefined {
  for (const child of turn.children) {
    const node = child.kind === 'note' ? trace.notes[child.index] : undefined;
    if (node?.note.type === 'step' && node.note.step.type === 'batch')
      return { ...node.note.step, at: node.at };
  }
  return undefined;
}

/** From times to fractions of the arc. A batch that took no time fills it whole. */
class Scale {
  constructor(
    readonly from: number,
    readonly until: number,
    readonly progress: number,
    readonly refused: boolean,
  ) {}

  span(from: number, to: number): LoopSpan {
    const whole = this.until - this.from;
    if (whole <= 0) return { from: 0, to: this.progress };
    const fraction = (at: number) => (Math.max(0, at - this.from) / whole) * this.progress;
    return { from: fraction(from), to: fraction(to) };
  }
}

/** `nextAt`: when the call after it started, which waited until this one was prepared. */
function loopCall(
  trace: Trace,
  call: CallNode | undefined,
  { tool, nextAt }: { tool: string; nextAt: number | undefined },
  scale: Scale,
): LoopCall {
  if (!call) return { tool, phase: 'waiting', isError: false };
  const { id, at, executeAt, endAt, isError = false } = call;
  const preparedAt = call.hooks.find(isBefore)?.at ?? nextAt ?? executeAt ?? endAt;
  if (scale.refused)
    return { id, tool: call.toolName, phase: endAt === undefined ? 'waiting' : 'done', isError };
  const asked = isAsked(trace, call);
  return {
    id,
    tool: call.toolName,
    phase: phaseOf(call, asked || preparedAt === undefined),
    isError,
    ...((preparedAt ?? scale.until) > at ? { asked: scale.span(at, preparedAt ?? scale.until) } : {}),
    ...(executeAt === undefined ? {} : { ran: scale.span(executeAt, endAt ?? scale.until) }),
  };
}

function phaseOf({ executeAt, endAt }: CallNode, asking: boolean): LoopCall['phase'] {
  if (endAt !== undefined) return 'done';
  if (asking) return 'asking';
  return executeAt === undefined ? 'waiting' : 'running';
}

function isBefore({ note }: NoteNode): boolean {
  return note.type === 'hook' && note.name === 'beforeToolCall';
}

/** A person is asked about it now. */
function isAsked(trace: Trace, { notes }: CallNode): boolean {
  return notes.some(
    ({ note }) =>
      (note.type === 'permission' || note.type === 'answer') && trace.asks.get(note.ask)?.state === 'asked',
  );
}
