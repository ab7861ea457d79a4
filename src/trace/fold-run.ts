/** Runs and turns: how they open, and how what is left open in them is closed. */
import type { RecordOf, TraceRecord } from '../records/types';
import { addNote, emptyUsage } from './nodes';
import type { MessageNode, RunNode, RunStatus, Trace } from './types';

export function agentStart(trace: Trace, { run, how, seq, at }: RecordOf<'agent_start'>): void {
  if (trace.runsById.has(run)) return;
  const node: RunNode = {
    id: run,
    n: trace.runs.length + 1,
    how,
    status: 'running',
    settled: false,
    seq,
    at,
    children: [],
    messages: [],
    turns: 0,
    requests: 0,
    usage: emptyUsage(),
  };
  trace.runs.push(node);
  trace.runsById.set(run, node);
  trace.children.push({ kind: 'run', index: trace.runs.length - 1 });
  trace.state = 'running';
}

export function agentEnd(trace: Trace, record: RecordOf<'agent_end'>): void {
  const run = trace.runsById.get(record.run);
  if (!run) return;
  const status = endStatus(run);
  const left = status === 'aborted' || run.abortedAt !== undefined ? 'aborted' : 'error';
  closeRun(trace, run, status, left, record);
  trace.state = 'settling';
}

export function settled(trace: Trace, record: RecordOf<'settled'>): void {
  const run = trace.runsById.get(record.run);
  if (!run) return;
  run.settled = true;
  if (run === trace.runs.at(-1)) trace.state = 'idle';
}

export function turnStart(trace: Trace, { turn, run: runId, seq, at }: RecordOf<'turn_start'>): void {
  const run = trace.runsById.get(runId);
  if (!run || trace.turns.has(turn)) return;
  run.turns++;
  trace.turns.set(turn, { id: turn, run: runId, n: run.turns, seq, at, children: [] });
  run.children.push({ kind: 'turn', id: turn });
}

export function turnEnd(trace: Trace, { turn: id, seq, at }: RecordOf<'turn_end'>): void {
  const turn = trace.turns.get(id);
  if (!turn) return;
  turn.endSeq = seq;
  turn.endAt = at;
}

/** The tab of the last run went away: closes whatever is open. */
export function interrupted(trace: Trace, record: RecordOf<'interrupted'>): void {
  let last: RunNode | undefined;
  for (let index = trace.runs.length - 1; index >= 0; index--) {
    const run = trace.runs[index];
    if (!run || run.settled) break;
    last ??= run;
    if (run.status === 'running') closeRun(trace, run, 'interrupted', 'interrupted', record);
    run.settled = true;
  }
  closeAsks(trace, record.at);
  closePause(trace, record);
  trace.state = 'idle';
  addNote(trace, record, { type: 'interrupted' }, { run: last?.id });
}

export function closePause(trace: Trace, { at, seq }: Pick<TraceRecord, 'at' | 'seq'>): void {
  if (!trace.paused) return;
  trace.paused = false;
  for (let index = trace.notes.length - 1; index >= 0; index--) {
    const note = trace.notes[index]?.note;
    if (note?.type !== 'pause') continue;
    if (note.endSeq !== undefined) return;
    note.endAt = at;
    note.endSeq = seq;
    return;
  }
}

function endStatus(run: RunNode): RunStatus {
  if (run.stopReason === 'error') return 'error';
  if (run.stopReason === 'aborted') return 'aborted';
  return 'done';
}

interface End {
  seq: number;
  at: number;
}

function closeRun(
  trace: Trace,
  run: RunNode,
  status: RunStatus,
  left: 'aborted' | 'error' | 'interrupted',
  end: End,
): void {
  run.status = status;
  run.endSeq = end.seq;
  run.endAt = end.at;
  for (const child of run.children) {
    const turn = child.kind === 'turn' ? trace.turns.get(child.id) : undefined;
    if (!turn) continue;
    if (turn.endAt === undefined) {
      turn.endSeq = end.seq;
      turn.endAt = end.at;
    }
    for (const { kind, id } of turn.children.filter((ref) => ref.kind !== 'note')) {
      if (kind === 'message') closeMessage(trace.messages.get(id), left, end);
      if (kind === 'call') closeCall(trace, id, left, end);
    }
  }
  closeAsks(trace, end.at);
}

function closeMessage(
  message: MessageNode | undefined,
  left: 'aborted' | 'error' | 'interrupted',
  end: End,
): void {
  if (message?.status !== 'streaming') return;
  message.status = left;
  message.endSeq = end.seq;
  message.endAt = end.at;
}

/** With the calls that its code made. */
function closeCall(trace: Trace, id: string, left: 'aborted' | 'error' | 'interrupted', end: End): void {
  const call = trace.calls.get(id);
  if (!call) return;
  for (const nested of call.calls) closeCall(trace, nested, left, end);
  if (call.status !== 'running') return;
  call.status = left;
  call.endSeq = end.seq;
  call.endAt = end.at;
}

function closeAsks(trace: Trace, at: number): void {
  for (const ask of trace.asks.values()) {
    if (ask.state !== 'asked') continue;
    ask.state = 'interrupted';
    ask.endAt = at;
  }
}
