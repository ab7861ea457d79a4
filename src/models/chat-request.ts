import { wellFormed, wellFormedJson } from '../json';
import { withoutOwnFields } from '../json/own-fields';
import { getCurrentSystemPrompt, getCurrentTools } from '../loop';
import type { Image, Message, Model, ModelCompat, StreamOptions, Text } from '../loop';
import { compatOf } from './compat';
import { argumentsJson, isOwnAnswer, toolNames } from './content-blocks';
import {
  NO_OUTPUT,
  NO_RESULT,
  repairedTranscript,
  type Repair,
  type SentCall,
  type SentMessage,
} from './repaired-transcript';
import { leadingSystemMessages, systemPatchText } from './system-text';
import { thinkingFields } from './thinking-request';

type JsonObject = Record<string, unknown>;
type Assistant = Extract<SentMessage, { role: 'assistant' }>;

export interface ChatRequest {
  /** The HTTP body, as JSON will write it. */
  body: JsonObject;
  repairs: Repair[];
}

/**
 * The Chat Completions request for a transcript. Pure: the same transcript gives the same body. It is well formed
 * whatever the transcript looks like, and `repairs` says what that took.
 */
export function chatRequest(
  model: Model,
  transcript: readonly Message[],
  options: Omit<StreamOptions, 'apiKey' | 'signal' | 'fetch'> = {},
): ChatRequest {
  const compat = compatOf(model);
  const { messages, repairs } = repairedTranscript(transcript, {
    model,
    idLength: compat.toolCallIdLength,
    tellFailures: options.tellFailures,
  });
  const writer = new ChatMessages(model, compat, repairs, transcript);
  const tools = getCurrentTools(transcript);
  const { temperature, maxTokens } = options;
  const body: JsonObject = {
    model: model.id,
    messages: writer.write(messages),
    ...(tools.length > 0 ? { tools: tools.map(toolField) } : {}),
    stream: true,
    ...(compat.supportsUsageInStreaming === false ? {} : { stream_options: { include_usage: true } }),
    ...(maxTokens === undefined ? {} : { [compat.maxTokensField ?? 'max_tokens']: maxTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...thinkingFields(model, compat, options.reasoning),
    ...withoutOwnFields(options.extraBody),
  };
  return { body, repairs };
}

function toolField({
  name,
  description,
  parameters,
}: {
  name: string;
  description: string;
  parameters: object;
}): JsonObject {
  const text = wellFormedJson(JSON.stringify({ name, description, parameters }));
  return { type: 'function', function: JSON.parse(text) as JsonObject };
}

class ChatMessages {
  readonly #sent: JsonObject[] = [];
  readonly #toolName: (name: unknown) => string;

  constructor(
    private readonly model: Model,
    private readonly compat: ModelCompat,
    private readonly repairs: Repair[],
    private readonly transcript: readonly Message[],
  ) {
    this.#toolName = toolNames(transcript);
  }

  write(messages: SentMessage[]): JsonObject[] {
    const midway = this.compat.supportsSystemMidway === true;
    const leading = leadingSystemMessages(this.transcript);
    this.#system(getCurrentSystemPrompt(midway ? this.transcript.slice(0, leading) : this.transcript));
    for (const message of messages) {
      if (message.role === 'user') this.#user(message.parts, message.index);
      else if (message.role === 'assistant') this.#assistant(message);
      else if (midway && message.index >= leading) this.#system(systemPatchText(message.message));
    }
    return this.#sent;
  }

  #system(text: string): void {
    if (text.trim() === '') return;
    const role = this.compat.supportsDeveloperRole && this.model.reasoning ? 'developer' : 'system';
    this.#sent.push({ role, content: wellFormed(text) });
  }

  #user(parts: (Text | Image)[], index: number): void {
    const images = parts.filter((part) => part.type === 'image');
    if (images.length > 0 && !this.#takesImages) this.#note(index, 'imagesLeftOut');
    if (images.length === 0 || !this.#takesImages) {
      const texts = parts.map((part) => (part.type === 'text' ? part.text : IMAGE_LEFT_OUT));
      this.#sent.push({ role: 'user', content: wellFormed(texts.join('\n')) });
      return;
    }
    this.#sent.push({ role: 'user', content: parts.map(partField) });
  }

  #assistant(message: Assistant): void {
    const { text, calls } = message;
    this.#sent.push({
      role: 'assistant',
      content: text === '' ? null : wellFormed(text),
      ...this.#thinking(message),
      ...(calls.length > 0 ? { tool_calls: calls.map((call) => this.#call(call)) } : {}),
    });
    for (const call of calls) this.#sent.push(this.#result(call));
    const images = calls.flatMap(
      ({ result }) => result?.content.filter((part) => part.type === 'image') ?? [],
    );
    // A tool message takes text alone, and must stand directly behind its calls.
    if (images.length > 0 && this.#takesImages) {
      this.#sent.push({
        role: 'user',
        content: [{ type: 'text', text: 'Images from the tool results above:' }, ...images.map(partField)],
      });
    }
  }

  /** Thinking goes back to the model that thought it, in the field it came in; other models have no place for it. */
  #thinking({ message, thinking }: Assistant): JsonObject {
    if (this.compat.supportsThinkingReplay === false || !isOwnAnswer(message, this.model)) return {};
    const replayed = thinking.filter((block) => block.replay);
    const field = replayed[0]?.replay?.field;
    if (field === undefined) return {};
    const same = replayed.filter((block) => block.replay?.field === field);
    const items = same.flatMap((block) => block.replay?.items ?? []);
    if (field === 'reasoning_details')
      return { [field]: JSON.parse(wellFormedJson(JSON.stringify(items))) as unknown };
    return { [field]: wellFormed(same.map((block) => block.thinking).join('')) };
  }

  #call({ id, call }: SentCall): JsonObject {
    return {
      id,
      type: 'function',
      function: { name: this.#toolName(call.name), arguments: argumentsJson(call.arguments) },
    };
  }

  #result({ id, call, result, index }: SentCall): JsonObject {
    const name = this.compat.requiresToolResultName ? { name: this.#toolName(call.name) } : {};
    return {
      role: 'tool',
      tool_call_id: id,
      ...name,
      content: result ? this.#resultText(result.content, index) : NO_RESULT,
    };
  }

  #resultText(content: (Text | Image)[], index: number): string {
    const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    const hasImages = content.some((part) => part.type === 'image');
    if (hasImages && !this.#takesImages) this.#note(index, 'imagesLeftOut');
    if (hasImages && !this.#takesImages)
      return wellFormed(text.trim() === '' ? IMAGE_LEFT_OUT : `${text}\n${IMAGE_LEFT_OUT}`);
    if (text.trim() !== '') return wellFormed(text);
    if (hasImages) return '(see the image below)';
    this.#note(index, 'emptyResult');
    return NO_OUTPUT;
  }

  get #takesImages(): boolean {
    return (this.model.input as Model['input'] | undefined)?.includes('image') ?? true;
  }

  #note(index: number, code: Repair['code']): void {
    this.repairs.push({ index, code });
  }
}

const IMAGE_LEFT_OUT = '(an image was left out: this model takes no images)';

function partField(part: Text | Image): JsonObject {
  return part.type === 'text'
    ? { type: 'text', text: wellFormed(part.text) }
    : { type: 'image_url', image_url: { url: `data:${part.mimeType};base64,${part.data}` } };
}
