/** Messages put together from what the records tell once: deltas, results, changes of the list. */
import { finalArguments, partialArguments } from '../json';
import type { CustomMessage, SystemMessage, Text, Thinking, ToolCall } from '../loop/types';
import type {
  AssistantBody,
  MessageBody,
  RecordedContent,
  RecordedResult,
  ToolResultBody,
  UserBody,
} from '../records/types';
import { emptyUsage } from './nodes';
import type { BlockNode, CallNode, MessageNode, Trace } from './types';

/** An assistant message in which no block says `streamed` any more. */
export type WholeAssistant = Omit<AssistantBody, 'content'> & { content: (Text | Thinking | ToolCall)[] };
/** A tool result with its content. */
export type WholeToolResult = ToolResultBody & { content: RecordedContent[] };
/** A message as the loop had it, but for images that are blobs. */
export type WholeMessage = SystemMessage | UserBody | WholeAssistant | WholeToolResult | CustomMessage;

const joins = new WeakMap<readonly string[], { count: number; text: string }>();

/** Joins pieces that only grow at the end; what was joined before is kept. */
function joined(parts: readonly string[]): string {
  let join = joins.get(parts);
  if (!join) joins.set(parts, (join = { count: 0, text: '' }));
  if (join.count < parts.length) {
    join.text += parts.slice(join.count).join('');
    join.count = parts.length;
  }
  return join.text;
}

/** What streamed into a block so far: of a tool call, the text of its arguments. */
export function blockText(block: BlockNode): string {
  return joined(block.parts);
}

const whole = new WeakMap<MessageNode, WholeMessage>();

/** The message with all its content; while it streams, what has arrived. `undefined` when nothing is known of it. */
export function messageOf(trace: Trace, id: string): WholeMessage | undefined {
  const node = trace.messages.get(id);
  if (!node) return undefined;
  const known = whole.get(node);
  if (known) return known;
  if (!node.body) return node.role === 'assistant' ? unfinished(node) : undefined;
  const made = complete(trace, node, node.body);
  whole.set(node, made);
  return made;
}

/** What the next request can see. */
export function transcriptMessages(trace: Trace): WholeMessage[] {
  return trace.transcript.flatMap((id) => messageOf(trace, id) ?? []);
}

/** A call's result, or while it runs the partial one, with what was streamed into it. */
export function resultOf(call: CallNode): RecordedResult | undefined {
  if (call.result) return call.result;
  if (call.partialParts.length === 0) return call.partial;
  const { content = [], ...rest } = call.partial ?? {};
  const streamed = joined(call.partialParts);
  const last = content.findLastIndex((part) => part.type === 'text');
  const more = content.map((part, index) =>
    index === last && part.type === 'text' ? { ...part, text: part.text + streamed } : part,
  );
  return { ...rest, content: last === -1 ? [...more, { type: 'text', text: streamed }] : more };
}

/** The arguments of a call as the model (or code) sent them, in so far as they can be read yet. */
export function callArguments(trace: Trace, call: CallNode): Record<string, unknown> {
  if (call.given) return call.given;
  const message = messageOf(trace, call.message);
  const block = message && isWholeAssistant(message) ? message.content[call.index] : undefined;
  return block?.type === 'toolCall' ? block.arguments : {};
}

/** What the model wrote for the arguments of a call, where it says nothing that can be read. */
export function unreadArguments(trace: Trace, { message: id, index, given }: CallNode): string | undefined {
  const node = given ? undefined : trace.messages.get(id);
  const message = node && messageOf(trace, id);
  const asked = message && isWholeAssistant(message) ? message.content[index] : undefined;
  if (asked?.type !== 'toolCall' || asked.argumentsError === undefined) return undefined;
  const block = node?.blocks[index];
  return block && Object.keys(asked.arguments).length === 0 ? blockText(block) : undefined;
}

export function isWholeAssistant(message: WholeMessage): message is WholeAssistant {
  return message.role === 'assistant';
}

function complete(trace: Trace, node: MessageNode, body: MessageBody): WholeMessage {
  if (body.role === 'assistant') return completeAssistant(node, body as AssistantBody);
  if (body.role === 'toolResult') return completeResult(trace, node, body as ToolResultBody);
  return body;
}

function completeAssistant(node: MessageNode, body: AssistantBody): WholeAssistant {
  const content = body.content.map((block, index): Text | Thinking | ToolCall => {
    if (!('streamed' in block)) return block;
    const streamed = node.blocks[index];
    const text = streamed ? blockText(streamed) : '';
    if (block.type === 'text') return { type: 'text', text };
    const { streamed: _, ...call } = block;
    if (call.type === 'thinking') return { ...call, thinking: text };
    return { ...call, arguments: finalArguments(text).arguments };
  });
  return { ...body, content };
}

function completeResult(trace: Trace, node: MessageNode, body: ToolResultBody): WholeToolResult {
  const { content } = body;
  if (content) return { ...body, content };
  const result = node.call === undefined ? undefined : trace.calls.get(node.call)?.result;
  return {
    ...body,
    content: result?.content ?? [],
    ...(result?.details === undefined ? {} : { details: result.details }),
    ...(result?.usage === undefined ? {} : { usage: result.usage }),
  };
}

function unfinished(node: MessageNode): WholeAssistant {
  const { api = '', provider = '', id: model = '' } = node.model ?? {};
  return {
    role: 'assistant',
    content: node.blocks.map((block) => {
      const text = blockText(block);
      if (block.type === 'text') return { type: 'text', text };
      if (block.type === 'thinking') return { type: 'thinking', thinking: text };
      const { toolCallId: id = '', toolName: name = '' } = block;
      return { type: 'toolCall', id, name, arguments: partialArguments(text) };
    }),
    api,
    provider,
    model,
    usage: emptyUsage(),
    stopReason: 'pending',
    timestamp: 0,
  };
}
