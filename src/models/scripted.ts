/** The scripted stream function: it plays the turns of a scenario, in virtual time, the same way each time. */
import { finalArguments, interruptedArguments } from '../json/tool-arguments';
import { EventStream } from '../loop/event-stream';
import type {
  AssistantMessage,
  AssistantMessageEvent,
  Model,
  StopReason,
  StreamFn,
  StreamOptions,
  Text,
  Thinking,
  ToolCall,
  TranscriptContext,
} from '../loop/types';
import { fallbackTurn } from './scripted-fallback';
import { estimateUsage } from './scripted-usage';

/** One answer of the script. Times are virtual ms; the scenario format's turns have this shape. */
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
}
export type PlayedBlock =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string }
  | { type: 'toolCall'; id?: string; name: string; arguments: Record<string, unknown> }
  | { type: 'toolCall'; id?: string; name: string; rawArguments: string };

export interface ScriptedModelOptions {
  turns: readonly PlayedTurn[];
  /** The index of the turn that this request takes; called once a request. Past the end, the fallback answers. */
  next: () => number;
  /** Waits so many virtual ms. On abort it settles at once, either way. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** ms since the epoch, for the messages' timestamps. */
  now: () => number;
  /** Answers when the script is used up. Default: the small rules of `fallbackTurn`. */
  fallback?: (context: TranscriptContext) => PlayedTurn;
}

/** The model that a scripted session runs with: it needs no network and costs nothing. */
export const scriptedModelInfo: Model = {
  id: 'scripted',
  name: 'Scripted model',
  api: 'scripted',
  provider: 'epicycle',
  baseUrl: '',
  reasoning: true,
  input: ['text'],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 200_000,
  maxTokens: 32_000,
};

const FIRST_TOKEN_MS = 350;
const CHUNK = 6;
const GAP_MS = 24;
const ABORTED = 'Request was aborted';

/** A stream function that plays `turns`, one a request. Failures and aborts are final messages; it never throws. */
export function scriptedModel(options: ScriptedModelOptions): StreamFn {
  return (model, context, request) => new Playback(options, model, context, request).play();
}

type Stream = EventStream<AssistantMessageEvent, AssistantMessage>;
type Block = Text | Thinking | ToolCall;

class Playback {
  readonly #options: ScriptedModelOptions;
  readonly #context: TranscriptContext;
  readonly #model: Model;
  readonly #signal: AbortSignal | undefined;
  readonly #message: AssistantMessage;
  readonly #stream: Stream;
  /** The argument text of the call that streams now. */
  #openArguments: string | undefined;

  constructor(
    options: ScriptedModelOptions,
    model: Model,
    context: TranscriptContext,
    request: StreamOptions,
  ) {
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
    const index = this.#options.next();
    const turn = this.#options.turns[index] ?? (this.#options.fallback ?? fallbackTurn)(this.#context);
    const reason =
      turn.stopReason ?? (turn.blocks.some((block) => block.type === 'toolCall') ? 'toolUse' : 'stop');
    const cut = reason === 'length' || reason === 'error' || reason === 'aborted';
    await this.#wait(turn.firstTokenMs ?? FIRST_TOKEN_MS);
    if (!turn.noStart) this.#stream.push({ type: 'start', partial: this.#message });
    for (const [at, block] of turn.blocks.entries()) {
      const id = `call_${index + 1}_${at + 1}`;
      if (turn.noStart) this.#message.content.push(wholeBlock(block, id, cut));
      else await this.#streamBlock(block, id, cut, turn);
    }
    const failure =
      reason === 'error' ? 'The scripted model failed.' : reason === 'aborted' ? ABORTED : undefined;
    this.#finish(reason, turn.errorMessage ?? failure, turn.silentEnd);
  }

  async #streamBlock(block: PlayedBlock, id: string, cut: boolean, turn: PlayedTurn): Promise<void> {
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
  if ('arguments' in block) return { ...call, arguments: structuredClone(block.arguments) };
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

/** Pieces of `size` UTF-16 units; a surrogate pair stays together. */
function* pieces(text: string, size: number): Generator<string> {
  for (let from = 0; from < text.length;) {
    let to = Math.min(text.length, from + Math.max(1, Math.floor(size)));
    const code = text.charCodeAt(to - 1);
    if (code >= 0xd800 && code <= 0xdbff && to < text.length) to++;
    yield text.slice(from, to);
    from = to;
  }
}
