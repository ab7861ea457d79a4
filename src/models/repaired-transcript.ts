import type {
  AssistantMessage,
  Image,
  Message,
  Model,
  SystemMessage,
  Text,
  Thinking,
  ToolCall,
  ToolResultMessage,
} from '../loop';
import { CallIds } from './call-ids';
import { contentBlocks, isOwnAnswer, textsAndImages } from './content-blocks';

/** What was changed on the way from the transcript to the request; `index` is the message's place in the transcript. */
export interface Repair {
  index: number;
  code:
    | 'failedLeftOut'
    | 'emptyLeftOut'
    | 'resultLeftOut'
    | 'resultAdded'
    | 'resultMoved'
    | 'idChanged'
    | 'argumentsEmptied'
    | 'emptyResult'
    | 'imagesLeftOut';
}

/** A call as it is sent, with its one result; none was recorded when `result` is absent. */
export interface SentCall {
  id: string;
  call: ToolCall;
  result: ToolResultMessage | undefined;
  /** Where the result stands in the transcript; that of the call when there is none. */
  index: number;
}

export type SentMessage =
  | { role: 'system'; index: number; message: SystemMessage }
  | { role: 'user'; index: number; parts: (Text | Image)[] }
  /** `text` may be empty when there are calls. The results of the calls follow at once. */
  | {
      role: 'assistant';
      index: number;
      message: AssistantMessage;
      text: string;
      thinking: Thinking[];
      calls: SentCall[];
    };

export interface RepairedTranscript {
  messages: SentMessage[];
  repairs: Repair[];
}

/** What is sent for a call that has no result, and for a result that says nothing. */
export const NO_RESULT = 'The tool call was interrupted: there is no result.';
export const NO_OUTPUT = '(no tool output)';

export interface RepairOptions {
  /** The model that is asked. */
  model: Model;
  /** See `CallIds`. */
  idLength?: number | undefined;
  /** A failed answer leaves a note instead of nothing. */
  tellFailures?: boolean | undefined;
}

/**
 * A transcript as an API takes it, whatever happened to it: each call is followed by exactly one result, no result stands
 * alone, no message is empty, and ids are unique. Failed and aborted answers are left out with their calls. The transcript
 * itself is untouched.
 */
export function repairedTranscript(
  transcript: readonly Message[],
  options: RepairOptions,
): RepairedTranscript {
  return new TranscriptRepair(transcript, options).run();
}

class TranscriptRepair {
  readonly #messages: SentMessage[] = [];
  readonly #repairs: Repair[] = [];
  readonly #ids: CallIds;

  constructor(
    private readonly transcript: readonly Message[],
    private readonly options: RepairOptions,
  ) {
    this.#ids = new CallIds(options.idLength);
  }

  run(): RepairedTranscript {
    const { transcript } = this;
    const taken = new Set<number>();
    transcript.forEach((message, index) => {
      if (message.role === 'system') this.#messages.push({ role: 'system', index, message });
      else if (message.role === 'user') this.#user(index, message.content);
      else if (message.role === 'assistant') this.#assistant(index, message, taken);
      else if (message.role === 'toolResult' && !taken.has(index)) this.#note(index, 'resultLeftOut');
    });
    return { messages: this.#messages, repairs: this.#repairs };
  }

  #user(index: number, content: unknown): void {
    const full = textsAndImages(content).filter((part) => part.type === 'image' || part.text.trim() !== '');
    if (full.length === 0) this.#note(index, 'emptyLeftOut');
    else this.#messages.push({ role: 'user', index, parts: full });
  }

  #assistant(index: number, message: AssistantMessage, taken: Set<number>): void {
    if (
      message.stopReason === 'error' ||
      message.stopReason === 'aborted' ||
      message.stopReason === 'pending'
    ) {
      this.#failed(index, message);
      return;
    }
    const blocks = contentBlocks(message.content);
    const calls = this.#calls(index, message, taken);
    const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
    const text = texts.join('');
    if (calls.length === 0 && text.trim() === '') {
      this.#note(index, 'emptyLeftOut');
      return;
    }
    const thinking = blocks.filter((block) => block.type === 'thinking');
    this.#messages.push({
      role: 'assistant',
      index,
      message,
      text: text.trim() === '' ? '' : text,
      thinking,
      calls,
    });
  }

  #failed(index: number, message: AssistantMessage): void {
    this.#note(index, 'failedLeftOut');
    if (!this.options.tellFailures) return;
    const reason = message.errorMessage ?? message.stopReason;
    const text = `[Your last answer is left out: it did not end well. ${reason}]`;
    this.#messages.push({ role: 'user', index, parts: [{ type: 'text', text }] });
  }

  /** The calls with the results that stand between this answer and the next one; the first result of an id is for its first call. */
  #calls(index: number, message: AssistantMessage, taken: Set<number>): SentCall[] {
    const results = this.#resultsAfter(index);
    const isOwn = isOwnAnswer(message, this.options.model);
    let last = index;
    return contentBlocks(message.content)
      .filter((block) => block.type === 'toolCall')
      .map((call) => {
        const id = this.#ids.sentId(call.id, isOwn);
        if (id !== call.id) this.#note(index, 'idChanged');
        if (call.argumentsError !== undefined && Object.keys(call.arguments).length === 0)
          this.#note(index, 'argumentsEmptied');
        const at = results.get(call.id)?.shift();
        if (at === undefined) {
          this.#note(index, 'resultAdded');
          return { id, call, result: undefined, index };
        }
        taken.add(at);
        if (at !== last + 1) this.#note(at, 'resultMoved');
        last = at;
        const result = this.transcript[at] as ToolResultMessage;
        return { id, call, result: { ...result, content: textsAndImages(result.content) }, index: at };
      });
  }

  #resultsAfter(index: number): Map<string, number[]> {
    const results = new Map<string, number[]>();
    for (let at = index + 1; at < this.transcript.length; at++) {
      const message = this.transcript[at];
      if (message?.role === 'assistant') break;
      if (message?.role !== 'toolResult') continue;
      const same = results.get(message.toolCallId);
      if (same) same.push(at);
      else results.set(message.toolCallId, [at]);
    }
    return results;
  }

  #note(index: number, code: Repair['code']): void {
    this.#repairs.push({ index, code });
  }
}
