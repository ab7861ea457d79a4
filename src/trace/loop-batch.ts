/** The tool batch of a turn: a small time axis for each of its calls. */
import type { RecordedStep } from '../records/types';
import type { CallNode, MessageNode, NoteNode, Trace, TurnNode } from './types';

export interface LoopCall {
  /** Absent while it has not started. */
  id?: string;
  tool: string;
  /** `asking`: a hook decides, or a person is asked. */
  phase: 'waiting' | 'asking' | 'running' | 'done';
  /** Its tool was started: what a hook blocked was not. */
  hasRun: boolean;
  isError: boolean;
}

export interface LoopBatch {
  mode: 'parallel' | 'sequential' | 'refused';
  /** In source order. */
  calls: LoopCall[];
  /** Calls that have their result. */
  done: number;
  /** Whether its results ask for another request: all have come, and not every one says that it ends the loop. */
  asksForMore: boolean;
  /** 0 before the first call, 1 behind the last; half-way meanwhile, since how long they will take is not known. */
  progress: 0 | 0.5 | 1;
}

type BatchStep = Extract<RecordedStep, { type: 'batch' }>;

export function loopBatch(trace: Trace, turn: TurnNode): LoopBatch | undefined {
  const message = answerOf(trace, turn);
  const step = batchStep(trace, turn);
  const blocks = message?.blocks.flatMap((block, index) =>
    block.type === 'toolCall' ? [{ index, tool: block.toolName ?? '' }] : [],
  );
  const started = (message?.calls ?? []).flatMap((id) => trace.calls.get(id) ?? []);
  if (!message || !blocks || (!step && started.length === 0)) return undefined;
  const byIndex = new Map(started.map((call) => [call.index, call]));
  const done = started.filter(({ result }) => result).length;
  const isRefused = step?.mode === 'refused';
  return {
    mode: step?.mode ?? 'parallel',
    calls: blocks.map(({ index, tool }, place) => {
      const call = byIndex.get(index);
      if (!call) return { tool, phase: 'waiting', hasRun: false, isError: false };
      return loopCall(trace, call, { isRefused, next: byIndex.get(blocks[place + 1]?.index ?? -1) });
    }),
    done,
    asksForMore: done === blocks.length && started.some(({ result }) => result?.terminate !== true),
    progress: done === blocks.length ? 1 : started.length === 0 ? 0 : 0.5,
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

/** `next`: the call after it, which waits until this one is prepared. */
function loopCall(
  trace: Trace,
  call: CallNode,
  { isRefused, next }: { isRefused: boolean; next: CallNode | undefined },
): LoopCall {
  const { id, toolName, executeAt, endAt, isError = false } = call;
  const isPrepared = (call.hooks.find(isBefore) ?? next) !== undefined || executeAt !== undefined;
  return {
    id,
    tool: toolName,
    phase: isRefused && endAt === undefined ? 'waiting' : phaseOf(call, isAsked(trace, call) || !isPrepared),
    hasRun: executeAt !== undefined,
    isError,
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

/** Which of the calls of its answer a call is, from 1, and how many the answer has: also those that have not started. */
export function placeInAnswer(
  { messages }: Trace,
  { id, index, message }: CallNode,
): { n: number; count: number } {
  const answer = messages.get(message);
  const places = answer?.blocks.flatMap(({ type }, place) => (type === 'toolCall' ? [place] : [])) ?? [];
  if (places.includes(index)) return { n: places.indexOf(index) + 1, count: places.length };
  // A call that the code of another one made is no block of the answer.
  const calls = answer?.calls ?? [];
  return { n: calls.indexOf(id) + 1, count: calls.length };
}
