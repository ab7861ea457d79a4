/** Schemas of what records are made of. Objects take no keys that they do not know; custom messages may. */
import * as v from 'valibot';
import type {
  AskSubject,
  FileContent,
  LoopPosition,
  ModelRef,
  RecordedContent,
  RecordedResult,
  RecordedStep,
} from './types';
import type {
  HookDecision,
  MessageOrigin,
  QueueChange,
  QueueMode,
  QueueName,
  StopReason,
  ThinkingLevel,
  ToolExecutionMode,
  Usage,
} from '../loop/types';

export type Schema<T> = v.GenericSchema<T>;

/** An absent key; `undefined` is taken for absent too, as JSON does. */
export function maybe<T>(schema: Schema<T>): v.ExactOptionalSchema<Schema<T>, undefined> {
  return v.optional(schema) as unknown as v.ExactOptionalSchema<Schema<T>, undefined>;
}

export const string: Schema<string> = v.string();
export const flag: Schema<boolean> = v.boolean();
export const number: Schema<number> = v.pipe(v.number(), v.finite());
export const count: Schema<number> = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
export const strings: Schema<string[]> = v.array(string);
export const anything: Schema<unknown> = v.unknown();
export const plainObject = v.custom<Record<string, unknown>>(
  (input) => typeof input === 'object' && input !== null && !Array.isArray(input),
  'Invalid type: Expected Object',
);

export const queueName: Schema<QueueName> = v.picklist(['steering', 'followUp']);
export const queueMode: Schema<QueueMode> = v.picklist(['one-at-a-time', 'all']);
export const queueChange: Schema<QueueChange> = v.picklist([
  'enqueue',
  'drain',
  'remove',
  'edit',
  'reorder',
  'move',
  'clear',
]);
export const toolExecution: Schema<ToolExecutionMode> = v.picklist(['parallel', 'sequential']);
export const thinkingLevel: Schema<ThinkingLevel> = v.picklist([
  'off',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
  'max',
]);
export const stopReason: Schema<StopReason> = v.picklist([
  'pending',
  'stop',
  'length',
  'toolUse',
  'error',
  'aborted',
]);
export const origin: Schema<MessageOrigin | 'history' | 'interrupted'> = v.picklist([
  'prompt',
  'steering',
  'followUp',
  'prepareNextTurn',
  'tools',
  'model',
  'toolResult',
  'failure',
  'history',
  'interrupted',
]);

export const usage: Schema<Usage> = v.strictObject({
  input: number,
  output: number,
  cacheRead: number,
  cacheWrite: number,
  totalTokens: number,
  reasoning: maybe(number),
  cost: v.strictObject({
    input: number,
    output: number,
    cacheRead: number,
    cacheWrite: number,
    total: number,
  }),
});

const blobHash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'Invalid hash: Expected 64 hex digits'));
export const text = v.strictObject({ type: v.literal('text'), text: string });
export const content: Schema<RecordedContent> = v.variant('type', [
  text,
  v.strictObject({ type: v.literal('image'), mimeType: string, data: string }),
  v.strictObject({ type: v.literal('image'), mimeType: string, blob: blobHash }),
]);
export const fileContent: Schema<FileContent> = v.union([
  v.strictObject({ text: string }),
  v.strictObject({ blob: blobHash, bytes: count, binary: flag }),
]);
export const result: Schema<RecordedResult> = v.strictObject({
  content: v.array(content),
  details: v.optional(anything),
  structuredContent: v.optional(anything),
  usage: maybe(usage),
  terminate: maybe(flag),
});

export const model: Schema<ModelRef> = v.strictObject({
  api: string,
  provider: string,
  id: string,
  baseUrl: string,
});
/** Event names are not checked one by one: a position only orders what a person did. */
export const position = v.strictObject({
  event: string,
  nth: count,
  tool: maybe(string),
}) as unknown as Schema<LoopPosition>;
export const subject = v.strictObject({
  toolName: string,
  args: v.optional(anything),
  text: maybe(string),
  fetch: maybe(v.strictObject({ origin: string, kind: v.picklist(['read', 'send']) })),
}) as unknown as Schema<AskSubject>;
export const decision: Schema<HookDecision> = v.strictObject({
  block: maybe(flag),
  reason: maybe(string),
  terminate: maybe(flag),
  action: maybe(v.picklist(['continue', 'end'])),
  replaced: maybe(strings),
  messages: maybe(number),
  thinkingLevel: maybe(thinkingLevel),
  error: maybe(string),
});
export const step: Schema<RecordedStep> = v.variant('type', [
  v.strictObject({
    type: v.literal('poll'),
    queue: queueName,
    at: v.picklist(['start', 'prepare', 'turnEnd', 'stop']),
    count,
  }),
  v.strictObject({ type: v.literal('inject'), prepared: count, pending: count, tools: flag }),
  v.strictObject({
    type: v.literal('batch'),
    mode: v.picklist(['parallel', 'sequential', 'refused']),
    why: v.picklist(['default', 'config', 'tool', 'length']),
    calls: count,
    toolName: maybe(string),
  }),
  v.strictObject({
    type: v.literal('decide'),
    loop: v.picklist(['inner', 'outer']),
    go: flag,
    values: v.strictObject({
      stopReason,
      toolResults: count,
      terminated: flag,
      pending: count,
      followUps: maybe(count),
      finishTurn: maybe(v.picklist(['continue', 'end'])),
    }),
  }),
  v.strictObject({ type: v.literal('execute'), toolName: string, args: maybe(plainObject) }),
]);
