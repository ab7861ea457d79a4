/**
 * The fold: records in, trace out. Incremental, so that any split of the records gives the same trace, and never
 * throws: what belongs to nothing (records of a damaged session) is left out.
 */
import type { TraceRecord } from '../records/types';
import { callEnd, callStart, callUpdate, fileChange, nestedCallStart } from './fold-call';
import { messageEnd, messageStart, messageUpdate, rewind } from './fold-message';
import { abort, ask, config, hook, http, pause, request, resume, step } from './fold-note';
import { queue } from './fold-queue';
import { agentEnd, agentStart, interrupted, settled, turnEnd, turnStart } from './fold-run';
import { emptyTrace } from './nodes';
import type { Trace } from './types';

export { emptyTrace };

/** The trace of these records, which are a session's first ones. */
export function fold(records: Iterable<TraceRecord>): Trace {
  return foldInto(emptyTrace(), records);
}

/** Grows `trace` by the records that follow it and returns it. Records are only read. */
export function foldInto(trace: Trace, records: Iterable<TraceRecord>): Trace {
  for (const record of records) {
    trace.seq = record.seq;
    trace.at = record.at;
    foldOne(trace, record);
  }
  return trace;
}

function foldOne(trace: Trace, record: TraceRecord): void {
  switch (record.type) {
    case 'message_update':
      return messageUpdate(trace, record);
    case 'message_start':
      return messageStart(trace, record);
    case 'message_end':
      return messageEnd(trace, record);
    case 'tool_execution_start':
      return callStart(trace, record);
    case 'tool_execution_update':
      return callUpdate(trace, record);
    case 'tool_execution_end':
      return callEnd(trace, record);
    case 'step':
      return step(trace, record);
    case 'hook':
      return hook(trace, record);
    case 'request':
      return request(trace, record);
    case 'http':
      return http(trace, record);
    case 'queue':
      return queue(trace, record);
    default:
      return foldRare(trace, record);
  }
}

type Often =
  | `message_${'start' | 'update' | 'end'}`
  | `tool_execution_${'start' | 'update' | 'end'}`
  | 'step'
  | 'hook'
  | 'request'
  | 'http'
  | 'queue';

function foldRare(trace: Trace, record: Exclude<TraceRecord, { type: Often }>): void {
  switch (record.type) {
    case 'agent_start':
      return agentStart(trace, record);
    case 'agent_end':
      return agentEnd(trace, record);
    case 'settled':
      return settled(trace, record);
    case 'turn_start':
      return turnStart(trace, record);
    case 'turn_end':
      return turnEnd(trace, record);
    case 'abort':
      return abort(trace, record);
    case 'permission':
    case 'answer':
      return ask(trace, record);
    case 'config':
      return config(trace, record);
    case 'nested_call_start':
      return nestedCallStart(trace, record);
    case 'nested_call_end':
      return callEnd(trace, record);
    case 'file_change':
      return fileChange(trace, record);
    case 'pause':
      return pause(trace, record);
    case 'resume':
      return resume(trace, record);
    case 'rewind':
      return rewind(trace, record);
    case 'interrupted':
      return interrupted(trace, record);
    default:
      record satisfies never;
  }
}
