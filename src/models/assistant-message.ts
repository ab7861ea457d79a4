import { finalArguments, interruptedArguments, splitTrailingHalf, wellFormed } from '../json';
import type {
  AssistantMessage,
  AssistantMessageEvent,
  Model,
  StopReason,
  StreamOptions,
  Text,
  Thinking,
  ToolCall,
  Usage,
} from '../loop';
import { withoutKey, type ModelError } from './errors';
import { emptyUsage } from './usage';

/** A text or thinking block while its pieces arrive. */
export interface OpenBlock {
  readonly block: Text | Thinking;
  readonly index: number;
  /** First half of a surrogate pair whose second half is still to come. */
  held: string;
}

/** A tool call while its pieces arrive. */
export interface OpenCall {
  readonly block: ToolCall;
  readonly index: number;
  text: string;
  held: string;
  started: boolean;
}

export type GoodStop = 'stop' | 'length' | 'toolUse';

/**
 * The assistant message as it grows, and the events that tell it. Deltas joined are exactly the block's text, and both
 * are well-formed Unicode, however the pieces were cut.
 */
export class MessageBuilder {
  readonly message: AssistantMessage;
  readonly #push: (event: AssistantMessageEvent) => void;
  readonly #apiKey: string | undefined;
  readonly #calls: OpenCall[] = [];
  readonly #open: OpenBlock[] = [];
  #started = false;

  constructor(push: (event: AssistantMessageEvent) => void, model: Model, options: StreamOptions) {
    this.#push = push;
    this.#apiKey = options.apiKey;
    this.message = {
      role: 'assistant',
      content: [],
      api: model.api,
      provider: model.provider,
      model: model.id,
      usage: emptyUsage(),
      stopReason: 'pending',
      thinkingLevel: options.reasoning ?? 'off',
      timestamp: Date.now(),
    };
  }

  get hasCalls(): boolean {
    return this.#calls.length > 0;
  }

  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#push({ type: 'start', partial: this.message });
  }

  /** A new text or thinking block. Blocks may be open side by side. */
  open(type: 'text' | 'thinking'): OpenBlock {
    const block: Text | Thinking = type === 'text' ? { type, text: '' } : { type, thinking: '' };
    const open = { block, index: this.message.content.push(block) - 1, held: '' };
    this.#open.push(open);
    this.#push({ type: `${type}_start`, contentIndex: open.index, partial: this.message });
    return open;
  }

  append(open: OpenBlock, delta: string): void {
    const [shown, held] = splitTrailingHalf(open.held + delta);
    open.held = held;
    this.#append(open, wellFormed(shown));
  }

  end(open: OpenBlock): void {
    const at = this.#open.indexOf(open);
    if (at === -1) return;
    this.#open.splice(at, 1);
    if (open.held) this.#append(open, wellFormed(open.held));
    const { block, index: contentIndex } = open;
    const partial = this.message;
    if (block.type === 'text') this.#push({ type: 'text_end', contentIndex, content: block.text, partial });
    else this.#push({ type: 'thinking_end', contentIndex, content: block.thinking, partial });
  }

  /** Ends the blocks that are open. */
  endBlocks(): void {
    for (const open of [...this.#open]) this.end(open);
  }

  /** A new tool call. Its start is told when its name is known. */
  toolCall(id: string, name: string): OpenCall {
    const block: ToolCall = { type: 'toolCall', id, name, arguments: {} };
    const call: OpenCall = {
      block,
      index: this.message.content.push(block) - 1,
      text: '',
      held: '',
      started: false,
    };
    this.#calls.push(call);
    if (name) this.#startCall(call);
    return call;
  }

  nameCall(call: OpenCall, name: string): void {
    call.block.name = name;
    this.#startCall(call);
  }

  callArguments(call: OpenCall, delta: string): void {
    const [shown, held] = splitTrailingHalf(call.held + delta);
    call.held = held;
    this.#appendArguments(call, wellFormed(shown));
  }

  /** The text that counts when the pieces turned out to be wrong; what was told of them stays told. */
  replaceArguments(call: OpenCall, text: string): void {
    call.text = wellFormed(text);
    call.held = '';
  }

  done(reason: GoodStop): void {
    this.#close(reason);
    this.#push({ type: 'done', reason, message: this.message });
  }

  /** Ends the message with an error; what arrived is kept. */
  fail(error: ModelError): void {
    const reason = error.code === 'model.aborted' ? 'aborted' : 'error';
    this.message.errorMessage = withoutKey(error.message, this.#apiKey);
    this.message.errorCode = error.code;
    this.message.errorParams = Object.fromEntries(
      Object.entries(error.params).map(([name, value]) => [
        name,
        typeof value === 'string' ? withoutKey(value, this.#apiKey) : value,
      ]),
    );
    this.#close(reason);
    this.#push({ type: 'error', reason, error: this.message });
  }

  setUsage(usage: Usage): void {
    this.message.usage = usage;
  }

  #close(reason: Exclude<StopReason, 'pending'>): void {
    this.endBlocks();
    this.message.stopReason = reason;
    for (const call of this.#calls) this.#endCall(call, reason === 'stop' || reason === 'toolUse');
  }

  #endCall(call: OpenCall, whole: boolean): void {
    this.#startCall(call);
    if (call.held) this.#appendArguments(call, wellFormed(call.held));
    call.held = '';
    const final = whole ? finalArguments(call.text) : interruptedArguments(call.text);
    call.block.arguments = final.arguments;
    if (final.argumentsError) call.block.argumentsError = final.argumentsError;
    if (final.repaired) call.block.argumentsRepaired = true;
    this.#push({
      type: 'toolcall_end',
      contentIndex: call.index,
      toolCall: call.block,
      partial: this.message,
    });
  }

  #startCall(call: OpenCall): void {
    if (call.started) return;
    call.started = true;
    this.#push({ type: 'toolcall_start', contentIndex: call.index, partial: this.message });
    if (call.text) this.#tellArguments(call, call.text);
  }

  #appendArguments(call: OpenCall, delta: string): void {
    if (delta === '') return;
    call.text += delta;
    if (call.started) this.#tellArguments(call, delta);
  }

  #tellArguments(call: OpenCall, delta: string): void {
    this.#push({ type: 'toolcall_delta', contentIndex: call.index, delta, partial: this.message });
  }

  #append({ block, index: contentIndex }: OpenBlock, delta: string): void {
    if (delta === '') return;
    if (block.type === 'text') block.text += delta;
    else block.thinking += delta;
    this.#push({ type: `${block.type}_delta`, contentIndex, delta, partial: this.message });
  }
}
