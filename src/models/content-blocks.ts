import { finalArguments, wellFormed, wellFormedJson } from '../json';
import { getCurrentTools } from '../loop';
import type { AssistantMessage, Image, Message, Model, Text, Thinking, ToolCall } from '../loop';
import { fieldsOf, textOf } from './chat-chunk';

type Block = Text | Thinking | Image | ToolCall;

/**
 * The blocks of a message that can be sent. Transcripts come from files and from hooks too: their content may be a text,
 * nothing, or hold blocks of other kinds, or halves of blocks.
 */
export function contentBlocks(content: unknown): Block[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isBlock) : [];
}

/** The same without what only answers hold. */
export function textsAndImages(content: unknown): (Text | Image)[] {
  return contentBlocks(content).filter((block) => block.type === 'text' || block.type === 'image');
}

function isBlock(value: unknown): value is Block {
  const fields = fieldsOf(value) ?? {};
  if (fields.type === 'text') return typeof fields.text === 'string';
  if (fields.type === 'thinking') return typeof fields.thinking === 'string';
  if (fields.type === 'image') return Boolean(textOf(fields.data) && textOf(fields.mimeType));
  return fields.type === 'toolCall';
}

/** Arguments as APIs want them: the text of a JSON object, whatever the call holds. */
export function argumentsJson(value: unknown): string {
  const object = typeof value === 'string' ? finalArguments(value).arguments : fieldsOf(value);
  return wellFormedJson(JSON.stringify(object ?? {}));
}

/** Says how a call's name is sent. One that no API takes can only come from a call that failed; it must not make every later request fail. */
export function toolNames(transcript: readonly Message[]): (name: unknown) => string {
  const declared = new Set(getCurrentTools(transcript).map(({ name }) => name));
  return (name) => {
    const text = textOf(name) ?? '';
    if (declared.has(text)) return wellFormed(text);
    return text.replace(/[^\w-]/g, '_').slice(0, 64) || 'unknown';
  };
}

/** Whether that very model wrote the answer, so that it knows its own ids and thinking again. */
export function isOwnAnswer({ provider, api, model }: AssistantMessage, asked: Model): boolean {
  return provider === asked.provider && api === asked.api && model === asked.id;
}
