/** Tool executions: start, partial results, end. */
import type { RecordOf } from '../records/types';
import { addCallNote, addUsage, childrenOf, currentPlace, runOfTurn } from './nodes';
import type { Trace } from './types';

export function callStart(trace: Trace, record: RecordOf<'tool_execution_start'>): void {
  const { call, turn, message, index, toolCallId, toolName, seq, at } = record;
  if (trace.calls.has(call)) return;
  trace.calls.set(call, {
    id: call,
    turn,
    message,
    index,
    toolCallId,
    toolName,
    status: 'running',
    seq,
    at,
    partialParts: [],
    updates: 0,
    hooks: [],
    notes: [],
    calls: [],
  });
  trace.messages.get(message)?.calls.push(call);
  childrenOf(trace, turn).push({ kind: 'call', id: call });
}

/** Its parent has run before it, and may have ended: a call that an abort left behind tells of its own end. */
export function nestedCallStart(trace: Trace, record: RecordOf<'nested_call_start'>): void {
  const { call, parent: parentId, toolName, args, seq, at } = record;
  const parent = trace.calls.get(parentId);
  if (!parent || trace.calls.has(call)) return;
  const { turn, message, index, toolCallId } = parent;
  trace.calls.set(call, {
    id: call,
    turn,
    message,
    index,
    toolCallId,
    toolName,
    status: 'running',
    seq,
    at,
    partialParts: [],
    updates: 0,
    // What keeps it from running is a note of its own.
    executeAt: at,
    given: args,
    hooks: [],
    notes: [],
    parent: parentId,
    calls: [],
  });
  parent.calls.push(call);
}

export function callUpdate(trace: Trace, record: RecordOf<'tool_execution_update'>): void {
  const call = trace.calls.get(record.call);
  if (!call || call.result) return;
  call.updates++;
  if ('append' in record) {
    call.partialParts.push(record.append);
  } else {
    call.partial = record.partial;
    call.partialParts = [];
  }
}

/** Of calls of the model and nested ones. */
export function callEnd(
  trace: Trace,
  record: RecordOf<'tool_execution_end'> | RecordOf<'nested_call_end'>,
): void {
  const call = trace.calls.get(record.call);
  if (!call || call.result) return;
  call.result = record.result;
  call.isError = record.isError;
  call.status = record.isError ? 'error' : 'ok';
  call.endSeq = record.seq;
  call.endAt = record.at;
  if (record.durationMs !== undefined) call.durationMs = record.durationMs;
  if (!record.result.usage) return;
  addUsage(trace.usage, record.result.usage);
  const run = runOfTurn(trace, call.turn);
  if (run) addUsage(run.usage, record.result.usage);
}

export function fileChange(trace: Trace, record: RecordOf<'file_change'>): void {
  const { path, by, call, after, seq } = record;
  const before = trace.files.get(path)?.content;
  if (after === undefined) trace.files.delete(path);
  else
    trace.files.set(path, {
      content: after,
      changedBy: by,
      seq,
      ...(call === undefined ? {} : { call }),
    });
  if (by === 'start') return;
  const note = {
    type: 'file' as const,
    path,
    by,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  };
  addCallNote(trace, record, note, { ...currentPlace(trace), call });
}
