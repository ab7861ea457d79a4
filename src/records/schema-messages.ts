/** The schema of a message as it is recorded, by its role; a role of the host's own keeps what else it carries. */
import * as v from 'valibot';
import {
  content,
  count,
  flag,
  maybe,
  number,
  plainObject,
  stopReason,
  string,
  text,
  thinkingLevel,
  usage,
  anything,
  type Schema,
} from './schema-parts';
import type { AssistantBody, MessageBody, QueuedBody, ToolResultBody, UserBody } from './types';
import type { CustomMessage, SystemMessage } from '../loop/types';

const tool = v.strictObject({ name: string, description: string, parameters: plainObject });
const system: Schema<SystemMessage> = v.strictObject({
  role: v.literal('system'),
  content: v.union([v.string(), v.array(text)]),
  sections: maybe(v.record(v.string(), v.nullable(v.string()))),
  toolsAdded: maybe(v.array(tool)),
  toolsRemoved: maybe(v.array(v.strictObject({ name: string }))),
  timestamp: number,
});
const user: Schema<UserBody> = v.strictObject({
  role: v.literal('user'),
  content: v.union([v.string(), v.array(content)]),
  timestamp: number,
});
const streamed = v.literal(true);
const replay = maybe(v.strictObject({ field: string, items: maybe(v.array(anything)) }));
const block: Schema<AssistantBody['content'][number]> = v.variant('type', [
  text,
  v.strictObject({ type: v.literal('text'), streamed }),
  v.strictObject({ type: v.literal('thinking'), thinking: string, replay }),
  v.strictObject({ type: v.literal('thinking'), streamed, replay }),
  v.strictObject({
    type: v.literal('toolCall'),
    id: string,
    name: string,
    arguments: plainObject,
    argumentsError: maybe(string),
    argumentsRepaired: maybe(flag),
  }),
  v.strictObject({
    type: v.literal('toolCall'),
    id: string,
    name: string,
    streamed,
    argumentsRepaired: maybe(flag),
  }),
]);
const assistant: Schema<AssistantBody> = v.strictObject({
  role: v.literal('assistant'),
  content: v.array(block),
  api: string,
  provider: string,
  model: string,
  usage,
  stopReason,
  rawStopReason: maybe(string),
  errorMessage: maybe(string),
  errorCode: maybe(string),
  errorParams: maybe(v.record(v.string(), v.union([v.string(), v.number()]))),
  thinkingLevel: maybe(thinkingLevel),
  timestamp: number,
});
const toolResult: Schema<ToolResultBody> = v.strictObject({
  role: v.literal('toolResult'),
  toolCallId: string,
  toolName: string,
  content: maybe(v.array(content)),
  details: v.optional(anything),
  usage: maybe(usage),
  isError: flag,
  durationMs: maybe(number),
  timestamp: number,
});
const custom: Schema<CustomMessage> = v.looseObject({ role: string, timestamp: number });

export const messageBody: Schema<MessageBody> = v.lazy((input): Schema<MessageBody> => {
  const role = typeof input === 'object' && input !== null && 'role' in input ? input.role : undefined;
  switch (role) {
    case 'system':
      return system;
    case 'user':
      return user;
    case 'assistant':
      return assistant;
    case 'toolResult':
      return toolResult;
    default:
      return custom;
  }
});

export const queued: Schema<QueuedBody> = v.strictObject({ id: string, message: messageBody, index: count });
