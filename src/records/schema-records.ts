/** The schema of each record type. The table is typed: a new record type does not compile without its line here. */
import * as v from 'valibot';
import { sessionConfig } from './schema-config';
import { messageBody, queued } from './schema-messages';
import {
  count,
  decision,
  fileContent,
  flag,
  maybe,
  model,
  number,
  origin,
  plainObject,
  position,
  queueChange,
  queueName,
  result,
  step,
  string,
  strings,
  subject,
  thinkingLevel,
  type Schema,
} from './schema-parts';
import type { RecordOf, RecordType } from './types';

const on = maybe(position);
const call = maybe(string);
const turn = maybe(string);
const by = v.picklist(['person', 'scenario']);

/** `seq` and `at` are in every record; `parseRecord` looks at their values. */
function record<T extends RecordType, E extends v.ObjectEntries>(type: T, entries: E) {
  return v.strictObject({ type: v.literal(type), seq: v.number(), at: v.number(), ...entries });
}

export const recordSchemas: { [T in RecordType]: Schema<RecordOf<T>> } = {
  agent_start: record('agent_start', {
    run: string,
    how: v.picklist(['prompt', 'request', 'steering', 'followUp']),
  }),
  agent_end: record('agent_end', { run: string, messages: strings }),
  settled: record('settled', { run: string }),
  turn_start: record('turn_start', { turn: string, run: string }),
  turn_end: record('turn_end', { turn: string, message: string, toolResults: strings }),
  message_start: record('message_start', {
    message: string,
    turn,
    role: string,
    origin,
    call,
    model: maybe(model),
  }),
  message_update: record('message_update', {
    message: string,
    index: count,
    event: v.picklist([
      'text_delta',
      'text_start',
      'text_end',
      'thinking_start',
      'thinking_delta',
      'thinking_end',
      'toolcall_start',
      'toolcall_delta',
      'toolcall_end',
    ]),
    delta: maybe(string),
    toolCallId: maybe(string),
    toolName: maybe(string),
    joined: maybe(count),
  }),
  message_end: record('message_end', { message: string, body: messageBody }),
  tool_execution_start: record('tool_execution_start', {
    call: string,
    turn: string,
    message: string,
    index: count,
    toolCallId: string,
    toolName: string,
  }),
  tool_execution_update: v.union([
    record('tool_execution_update', { call: string, append: string }),
    record('tool_execution_update', { call: string, partial: result }),
  ]),
  tool_execution_end: record('tool_execution_end', {
    call: string,
    isError: flag,
    result,
    durationMs: maybe(number),
  }),
  nested_call_start: record('nested_call_start', {
    call: string,
    parent: string,
    toolName: string,
    args: plainObject,
  }),
  nested_call_end: record('nested_call_end', {
    call: string,
    isError: flag,
    result,
    durationMs: maybe(number),
  }),
  step: record('step', { run: string, turn, call, step }),
  hook: record('hook', {
    run: string,
    turn,
    call,
    name: string,
    durationMs: number,
    decision: maybe(decision),
    rules: maybe(strings),
    counted: maybe(strings),
  }),
  request: record('request', {
    run: string,
    turn: string,
    message: string,
    model,
    thinkingLevel,
    skip: count,
    keep: count,
    add: v.array(v.union([v.string(), messageBody])),
  }),
  http: record('http', {
    run: string,
    turn: string,
    attempt: count,
    status: maybe(number),
    waitMs: maybe(number),
    error: maybe(string),
  }),
  queue: record('queue', {
    queue: queueName,
    why: queueChange,
    add: maybe(v.array(queued)),
    remove: maybe(strings),
    order: maybe(strings),
    on,
  }),
  abort: record('abort', { run: string, on }),
  permission: v.variant('state', [
    record('permission', { ask: string, call, state: v.literal('asked'), subject }),
    record('permission', {
      ask: string,
      state: v.picklist(['allowed', 'denied']),
      by,
      always: maybe(flag),
      on,
    }),
  ]),
  answer: v.variant('state', [
    record('answer', { ask: string, call, state: v.literal('asked'), subject }),
    record('answer', { ask: string, state: v.literal('answered'), text: string, by, on }),
  ]),
  config: record('config', { set: sessionConfig, on }),
  file_change: record('file_change', {
    path: string,
    by: v.picklist(['start', 'tool', 'person']),
    call,
    after: maybe(fileContent),
  }),
  pause: record('pause', { stepped: maybe(v.literal(true)), on }),
  resume: record('resume', {}),
  rewind: record('rewind', { why: v.picklist(['retry', 'edit']), drop: strings }),
  interrupted: record('interrupted', {}),
};
