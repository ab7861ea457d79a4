/** Plays an answer that is known as a whole as if a model streamed it: to scripts and to people who are the model. */
import { pieces } from '../json/pieces';
import { finalArguments, interruptedArguments } from '../json/tool-arguments';
import { EventStream } from '../loop/event-stream';
import type {
  AssistantMessage,
  AssistantMessageEvent,
  AssistantMessageEventStream,
  Model,
  StopReason,
  StreamOptions,
  Text,
  Thinking,
  ToolCall,
  TranscriptContext,
} from '../loop/types';
import { estimateUsage } from './scripted-usage';

/** One answer. Times are ms of the clock that `sleep` waits by; the scenario format's turns have this shape. */
export interface PlayedTurn {
  blocks: readonly PlayedBlock[];
  /** Default: toolUse when there are tool calls, else stop. */
  stopReason?: Exclude<StopReason, 'pending'>;
  errorMessage?: string;
  firstTokenMs?: number;
  /** Characters of a delta. */
  chunk?: number;
  gapMs?: number;
  noStart?: boolean;
  silentEnd?: boolean;
  /** Nothing comes after the blocks, which end (`afterBlocks`) but for the last one (`inBlock`), until an abort. */
  stalls?: 'inBlock' | 'afterBlocks';
}
export type PlayedBlock =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string }
  | {
      type: 'toolCall';
      id?: string;
      name: string;
      arguments: Record<string, unknown>;
      argumentsError?: string;
      argumentsRepaired?: boolean;
    }
  | { type: 'toolCall'; id?: string; name: string; rawArguments: string };

export interface PlaybackOptions {
  /** Waits so many ms. On abort it settles at once, either way. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** ms since the epoch, for the messages' timestamps. */
  now: () => number;
  /** What is played, and the ids of calls that have none, by their place from 1. What it throws is the final message. */
  answer: (signal: AbortSignal | undefined) => Answer | Promise<Answer>;
}
export interface Answer {
  turn: PlayedTurn;
  callId: (place: number) => string;
}

const FIRST_TOKEN_MS = 350;
const CHUNK = 6;
const GAP_MS = 24;
const ABORTED = 'Request was aborted';
/** Longer than anybody waits for a stream that stalls. */
const STALL_MS = 86_400_000;

/** The stream of one answer. Failures and aborts are final messages; it never throws. */
export function playback(
  options: PlaybackOptions,
  model: Model,
  context: TranscriptContext,
  request: StreamOptions,
): AssistantMessageEventStream {
  return new Playback(options, model, context, request).play();
}

type Stream = EventStream<AssistantMessageEvent, AssistantMessage>;
type Block = Text | Thinking | ToolCall;

class Playback {
  readonly #options: PlaybackOptions;
  readonly #context: TranscriptContext;
  readonly #model: Model;
  readonly #signal: AbortSignal | undefined;
  readonly #message: AssistantMessage;
  readonly #stream: Stream;
  /** The argument text of the call that streams now. */
  #openArguments: string | undefined;

  constructor(options: PlaybackOptions, model: Model, context: TranscriptContext, request: StreamOptions) {
    this.#options = options;
    this.#model = model;
    this.#context = context;
    this.#signal = request.signal;
    this.#message = {
      role: 'assistant',
      content: [],
      api: model.api,
      provider: model.provider,
      model: model.id,
      usage: estimateUsage([], [], model),
      stopReason: 'pending',
      timestamp: options.now(),
    };
    this.#stream = new EventStream<AssistantMessageEvent, AssistantMessage>(
      (event) => event.type === 'done' || event.type === 'error',
      (event) =>
        event.type === 'done' ? event.message : event.type === 'error' ? event.error : event.partial,
    );
  }

  play(): Stream {
    void this.#run().catch((error: unknown) => {
      if (this.#signal?.aborted) this.#finish('aborted', ABORTED);
      else this.#finish('error', error instanceof Error ? error.message : String(error));
    });
    return this.#stream;
  }

  async #run(): Promise<void> {
    const { turn, callId } = await this.#options.answer(this.#signal);
    const reason =
      turn.stopReason ?? (turn.blocks.some((block) => block.type === 'toolCall') ? 'toolUse' : 'stop');
    const cut = reason === 'length' || reason === 'error' || reason === 'aborted';
    await this.#wait(turn.firstTokenMs ?? FIRST_TOKEN_MS);
    if (!turn.noStart) this.#stream.push({ type: 'start', partial: this.#message });
    for (const [at, block] of turn.blocks.entries()) {
      const id = callId(at + 1);
      if (turn.noStart) this.#message.content.push(wholeBlock(block, id, cut));
      else await this.#streamBlock(block, id, cut, turn, at === turn.blocks.length - 1);
    }
    if (turn.stalls) await this.#stall();
    const failure = reason === 'error' ? 'The model failed.' : reason === 'aborted' ? ABORTED : undefined;
    this.#finish(reason, turn.errorMessage ?? failure, turn.silentEnd);
  }

  async #streamBlock(
    block: PlayedBlock,
    id: string,
    cut: boolean,
    turn: PlayedTurn,
    isLast: boolean,
  ): Promise<void> {
    const { content } = this.#message;
    const contentIndex = content.length;
    const partial = this.#message;
    const open = emptyBlock(block, id);
    if (contentIndex > 0) await this.#wait(turn.gapMs ?? GAP_MS);
    content.push(open);
    const kind = open.type === 'toolCall' ? 'toolcall' : open.type;
    if (open.type === 'toolCall') this.#openArguments = '';
    this.#stream.push({ type: `${kind}_start`, contentIndex, partial });
    let first = true;
    for (const delta of pieces(blockText(block), turn.chunk ?? CHUNK)) {
      if (!first) await this.#wait(turn.gapMs ?? GAP_MS);
      first = false;
      this.#append(open, delta);
      this.#stream.push({ type: `${kind}_delta`, contentIndex, delta, partial });
    }
    if (isLast && turn.stalls === 'inBlock') await this.#stall();
    const whole = wholeBlock(block, id, cut);
    content[contentIndex] = whole;
    this.#openArguments = undefined;
    if (whole.type === 'toolCall') {
      this.#stream.push({ type: 'toolcall_end', contentIndex, toolCall: whole, partial });
    } else {
      this.#stream.push({ type: `${whole.type}_end`, contentIndex, content: blockText(block), partial });
    }
  }

  #append(open: Block, delta: string): void {
    if (open.type === 'text') open.text += delta;
    else if (open.type === 'thinking') open.thinking += delta;
    else this.#openArguments = (this.#openArguments ?? '') + delta;
  }

  async #stall(): Promise<never> {
    await this.#wait(STALL_MS);
    throw new Error('The model fell silent.');
  }

  async #wait(ms: number): Promise<void> {
    this.#signal?.throwIfAborted();
    await this.#options.sleep(ms, this.#signal);
    this.#signal?.throwIfAborted();
  }

  #finish(stopReason: Exclude<StopReason, 'pending'>, errorMessage?: string, silent = false): void {
    const content = [...this.#message.content];
    const last = content.at(-1);
    if (this.#openArguments !== undefined && last?.type === 'toolCall') {
      content[content.length - 1] = { ...last, ...readArguments(this.#openArguments, true) };
    }
    const message: AssistantMessage = {
      ...this.#message,
      content,
      usage: estimateUsage(this.#context.messages, content, this.#model),
      stopReason,
      ...(errorMessage === undefined ? {} : { errorMessage }),
    };
    if (silent) this.#stream.end(message);
    else if (stopReason === 'error' || stopReason === 'aborted') {
      this.#stream.push({ type: 'error', reason: stopReason, error: message });
    } else this.#stream.push({ type: 'done', reason: stopReason, message });
  }
}

function emptyBlock(block: PlayedBlock, id: string): Block {
  if (block.type === 'text') return { type: 'text', text: '' };
  if (block.type === 'thinking') return { type: 'thinking', thinking: '' };
  return { type: 'toolCall', id: block.id ?? id, name: block.name, arguments: {} };
}

function wholeBlock(block: PlayedBlock, id: string, cut: boolean): Block {
  if (block.type === 'text') return { type: 'text', text: block.text };
  if (block.type === 'thinking') return { type: 'thinking', thinking: block.thinking };
  const call = { type: 'toolCall' as const, id: block.id ?? id, name: block.name };
  // A copy for each request: hooks and people may change what they are given.
  if ('arguments' in block) {
    const { argumentsError, argumentsRepaired } = block;
    return {
      ...call,
      arguments: structuredClone(block.arguments),
      ...(argumentsError === undefined ? {} : { argumentsError }),
      ...(argumentsRepaired ? { argumentsRepaired } : {}),
    };
  }
  return { ...call, ...readArguments(block.rawArguments, cut) };
}

function readArguments(
  text: string,
  cut: boolean,
): Pick<ToolCall, 'arguments' | 'argumentsError' | 'argumentsRepaired'> {
  const { repaired, ...read } = cut ? interruptedArguments(text) : finalArguments(text);
  return repaired ? { ...read, argumentsRepaired: true } : read;
}

function blockText(block: PlayedBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'thinking') return block.thinking;
  return 'rawArguments' in block ? block.rawArguments : JSON.stringify(block.arguments);
}
