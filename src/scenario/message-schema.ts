/** The messages of a scenario's history. What an author may leave out gets its plain default. */
import * as v from 'valibot';
import type { AgentMessage, AssistantMessage } from '../loop/types';
import { anyObject, byName, closed, name, thinkingLevel } from './schema-parts';

const timestamp = v.exactOptional(v.number(), 0);
const text = closed({ type: v.literal('text'), text: v.string() });
const image = closed({ type: v.literal('image'), data: v.string(), mimeType: v.string() });
const thinking = closed({
  type: v.literal('thinking'),
  thinking: v.string(),
  replay: v.exactOptional(closed({ field: name, items: v.exactOptional(v.array(v.unknown())) })),
});
const toolCall = closed({
  type: v.literal('toolCall'),
  id: name,
  name,
  arguments: anyObject,
  argumentsError: v.exactOptional(v.string()),
  argumentsRepaired: v.exactOptional(v.boolean()),
});

const texts = v.array(text);
const textsOrImages = v.array(v.variant('type', [text, image]));
const textContent = v.lazy((input) => (typeof input === 'string' ? v.string() : texts));
const content = v.lazy((input) => (typeof input === 'string' ? v.string() : textsOrImages));

const tokens = v.exactOptional(v.pipe(v.number(), v.minValue(0)), 0);
const cost = closed({ input: tokens, output: tokens, cacheRead: tokens, cacheWrite: tokens, total: tokens });
const noCost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const usage = closed({
  input: tokens,
  output: tokens,
  cacheRead: tokens,
  cacheWrite: tokens,
  totalTokens: tokens,
  reasoning: v.exactOptional(v.number()),
  cost: v.exactOptional(cost, noCost),
});
const noUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: noCost };

const declaration = closed({ name, description: v.string(), parameters: anyObject });
const system = closed({
  role: v.literal('system'),
  content: textContent,
  timestamp,
  sections: v.exactOptional(byName(v.nullable(v.string()))),
  toolsAdded: v.exactOptional(v.array(declaration)),
  toolsRemoved: v.exactOptional(v.array(closed({ name }))),
});
const user = closed({ role: v.literal('user'), content, timestamp });
const assistant = v.pipe(
  closed({
    role: v.literal('assistant'),
    content: v.array(v.variant('type', [text, thinking, toolCall])),
    api: v.exactOptional(v.string(), 'scripted'),
    provider: v.exactOptional(v.string(), 'epicycle'),
    model: v.exactOptional(v.string(), 'scripted'),
    usage: v.exactOptional(usage, noUsage),
    stopReason: v.exactOptional(v.picklist(['stop', 'length', 'toolUse', 'error', 'aborted'])),
    rawStopReason: v.exactOptional(v.string()),
    errorMessage: v.exactOptional(v.string()),
    errorCode: v.exactOptional(v.string()),
    errorParams: v.exactOptional(byName(v.union([v.string(), v.number()]))),
    thinkingLevel: v.exactOptional(thinkingLevel),
    timestamp,
  }),
  v.transform((message): AssistantMessage => {
    const calls = message.content.some((block) => block.type === 'toolCall');
    return { ...message, stopReason: message.stopReason ?? (calls ? 'toolUse' : 'stop') };
  }),
);
const toolResult = closed({
  role: v.literal('toolResult'),
  toolCallId: name,
  toolName: name,
  content: textsOrImages,
  details: v.exactOptional(v.unknown()),
  usage: v.exactOptional(usage),
  isError: v.exactOptional(v.boolean(), false),
  durationMs: v.exactOptional(v.number()),
  timestamp,
});
/** A role of the host's own: whatever else it carries stays. */
const custom = v.looseObject({ role: name, timestamp });

const byRole: Record<string, v.GenericSchema<unknown, AgentMessage>> = {
  system,
  user,
  assistant,
  toolResult,
};

/** One message of a transcript, by its role. */
export const messageSchema = v.lazy((input): v.GenericSchema<unknown, AgentMessage> => {
  const role: unknown =
    typeof input === 'object' && input !== null && 'role' in input ? input.role : undefined;
  return (typeof role === 'string' && Object.hasOwn(byRole, role) ? byRole[role] : undefined) ?? custom;
});
