/** Messages and results as they are recorded. */
import type { AgentMessage, Model, ToolResult, ToolResultMessage } from '../loop/types';
import type { AssistantBody, MessageBody, ModelRef, RecordedResult, ToolResultBody } from '../records/types';
import { cloneable } from '../store';
import type { BlobWriter } from './blob-writer';
import type { StreamedBlocks } from './streams';

/** `streams`: of an assistant message, what streamed of it. `result`: of a tool result, what its call's end carried. */
export interface BodyContext {
  blobs: BlobWriter;
  streams?: StreamedBlocks | undefined;
  result?: RecordedResult | undefined;
}

/** Plain data of any message. Nothing of it is shared with the message. */
export function messageBody(message: AgentMessage, { blobs, streams, result }: BodyContext): MessageBody {
  if (isOf(message, 'assistant')) {
    const { content, ...rest } = message;
    return plain<AssistantBody>({ ...rest, content: streams ? streams.blocks(content) : content });
  }
  if (isOf(message, 'toolResult')) return toolResultBody(message, blobs, result);
  if (isOf(message, 'user') && Array.isArray(message.content))
    return plain<MessageBody>({ ...message, content: blobs.content(message.content) });
  return plain<MessageBody>(message);
}

function toolResultBody(
  message: ToolResultMessage,
  blobs: BlobWriter,
  result?: RecordedResult,
): ToolResultBody {
  const { content, details, usage, ...rest } = message;
  const own = plain<Pick<ToolResultBody, 'content' | 'details' | 'usage'>>({
    content: blobs.content(content),
    details,
    usage,
  });
  const same =
    result &&
    JSON.stringify(own) ===
      JSON.stringify(plain({ content: result.content, details: result.details, usage: result.usage }));
  return { ...plain<ToolResultBody>(rest), ...(same ? {} : own) };
}

export function recordedResult(result: ToolResult, blobs: BlobWriter): RecordedResult {
  const { content, details, structuredContent, usage, terminate } = result;
  // Tools of a host need not be typed.
  const list = Array.isArray(content) ? blobs.content(content) : [];
  return plain<RecordedResult>({ content: list, details, structuredContent, usage, terminate });
}

/**
 * A partial result as what it adds to the one before: the text that its last text grew by, when nothing else changed.
 */
export function resultGrowth(before: RecordedResult | undefined, after: RecordedResult): string | undefined {
  const last = after.content.at(-1);
  const lastBefore = before?.content.at(-1);
  if (!before || last?.type !== 'text' || lastBefore?.type !== 'text') return undefined;
  if (!last.text.startsWith(lastBefore.text)) return undefined;
  return withoutLast(before) === withoutLast(after) ? last.text.slice(lastBefore.text.length) : undefined;
}

function withoutLast(result: RecordedResult): string {
  return JSON.stringify({ ...result, content: [...result.content.slice(0, -1), null] });
}

/** What records say of a model: its address without credentials, and no query, where servers take keys too. */
export function modelRef({ api, provider, id, baseUrl }: Model): ModelRef {
  return { api, provider, id, baseUrl: bareUrl(baseUrl) };
}

export function bareUrl(address: string): string {
  if (address === '') return '';
  try {
    const url = new URL(address);
    if (!url.username && !url.password && !url.search && !url.hash) return address;
    url.username = url.password = url.search = url.hash = '';
    return url.href;
  } catch {
    // No address at all: the request will say so, and nobody knows what is in it.
    return '';
  }
}

function isOf<R extends 'assistant' | 'toolResult' | 'user'>(
  message: AgentMessage,
  role: R,
): message is Extract<AgentMessage, { role: R; content: unknown }> {
  return message.role === role;
}

function plain<T>(value: unknown): T {
  return cloneable(value) as T;
}
