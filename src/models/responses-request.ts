import { wellFormed, wellFormedJson } from '../json';
import { withoutOwnFields } from '../json/own-fields';
import { getCurrentSystemPrompt, getCurrentTools } from '../loop';
import type { Image, Message, Model, StreamOptions, Text } from '../loop';
import type { ChatRequest } from './chat-request';
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
import { effort } from './thinking-request';

type JsonObject = Record<string, unknown>;
type Assistant = Extract<SentMessage, { role: 'assistant' }>;

/** Names the provider's own reasoning items in `Thinking.replay`. */
export const REASONING_ITEMS = 'reasoning_items';

/**
 * The Responses request for a transcript, well formed whatever the transcript looks like. The server keeps nothing: each
 * request carries the whole conversation.
 */
export function responsesRequest(
  model: Model,
  transcript: readonly Message[],
  options: Omit<StreamOptions, 'apiKey' | 'signal' | 'fetch'> = {},
): ChatRequest {
  const compat = compatOf(model);
  const { messages, repairs } = repairedTranscript(transcript, {
    model,
    tellFailures: options.tellFailures,
  });
  const midway = compat.supportsSystemMidway !== false;
  const leading = leadingSystemMessages(transcript);
  const writer = new InputItems(model, repairs, toolNames(transcript));
  writer.system(getCurrentSystemPrompt(midway ? transcript.slice(0, leading) : transcript));
  for (const message of messages) {
    if (message.role === 'user') writer.user(message.parts, message.index);
    else if (message.role === 'assistant') writer.assistant(message);
    else if (midway && message.index >= leading) writer.system(systemPatchText(message.message));
  }
  const tools = getCurrentTools(transcript).map(({ name, description, parameters }) => ({
    ...wellFormedValue({ type: 'function', name, description, parameters }),
    strict: false,
  }));
  const { temperature, maxTokens } = options;
  const body: JsonObject = {
    model: model.id,
    input: writer.items,
    ...(tools.length > 0 ? { tools } : {}),
    stream: true,
    store: false,
    ...(maxTokens === undefined ? {} : { max_output_tokens: maxTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...reasoningFields(model, options.reasoning),
    ...withoutOwnFields(options.extraBody),
  };
  return { body, repairs };
}

/** Encrypted reasoning is asked for so that it can be sent back; a model that does not reason refuses the question. */
function reasoningFields(model: Model, level: StreamOptions['reasoning']): JsonObject {
  if (level === undefined || level === 'off' || (model.reasoning as boolean | undefined) === false) return {};
  return { reasoning: { effort: effort(level), summary: 'auto' }, include: ['reasoning.encrypted_content'] };
}

class InputItems {
  readonly items: JsonObject[] = [];

  constructor(
    private readonly model: Model,
    private readonly repairs: Repair[],
    private readonly toolName: (name: unknown) => string,
  ) {}

  system(text: string): void {
    if (text.trim() !== '') this.items.push({ role: 'system', content: wellFormed(text) });
  }

  user(parts: (Text | Image)[], index: number): void {
    this.items.push({ role: 'user', content: parts.map((part) => this.#part(part, index)) });
  }

  assistant(message: Assistant): void {
    this.items.push(...this.#reasoning(message));
    if (message.text !== '') this.items.push({ role: 'assistant', content: wellFormed(message.text) });
    for (const { id, call } of message.calls) {
      const [name, args] = [this.toolName(call.name), argumentsJson(call.arguments)];
      this.items.push({ type: 'function_call', call_id: id, name, arguments: args });
    }
    for (const call of message.calls) {
      this.items.push({ type: 'function_call_output', call_id: call.id, output: this.#output(call) });
    }
  }

  /** Without encrypted content the server would look for an item that it did not keep. */
  #reasoning({ message, thinking }: Assistant): JsonObject[] {
    if (!isOwnAnswer(message, this.model)) return [];
    return thinking.flatMap(({ replay }) => {
      if (replay?.field !== REASONING_ITEMS) return [];
      return (replay.items ?? []).flatMap((item) => {
        const { summary, encrypted_content: encrypted } = item as JsonObject;
        return encrypted
          ? [wellFormedValue({ type: 'reasoning', summary: summary ?? [], encrypted_content: encrypted })]
          : [];
      });
    });
  }

  #output({ result, index }: SentCall): string | JsonObject[] {
    if (!result) return NO_RESULT;
    const full = result.content.filter((part) => part.type === 'image' || part.text.trim() !== '');
    const parts = full.map((part) => this.#part(part, index));
    if (parts.some(({ type }) => type === 'input_image')) return parts;
    // A text where it is enough: not each server takes a list.
    const text = parts.map((part) => part.text).join('\n');
    if (text !== '') return text;
    this.repairs.push({ index, code: 'emptyResult' });
    return NO_OUTPUT;
  }

  #part(part: Text | Image, index: number): JsonObject {
    if (part.type === 'text') return { type: 'input_text', text: wellFormed(part.text) };
    if ((this.model.input as Model['input'] | undefined)?.includes('image') ?? true) {
      return { type: 'input_image', detail: 'auto', image_url: `data:${part.mimeType};base64,${part.data}` };
    }
    this.repairs.push({ index, code: 'imagesLeftOut' });
    return { type: 'input_text', text: '(an image was left out: this model takes no images)' };
  }
}

function wellFormedValue(value: JsonObject): JsonObject {
  return JSON.parse(wellFormedJson(JSON.stringify(value))) as JsonObject;
}
