import { errorText } from './errors';
import type {
  AgentContext,
  AgentEvent,
  AgentLoopConfig,
  AgentMessage,
  AssistantMessage,
  Emit,
  LoopStep,
  MessageOrigin,
  Model,
  QueueName,
  StopReason,
  StreamFn,
  ThinkingLevel,
  Update,
} from './types';

/** A message on its way into the context. Its events carry this id and origin. */
export interface PendingMessage {
  readonly id: string;
  readonly origin: MessageOrigin;
  readonly message: AgentMessage;
}

type Unplaced<E> = E extends unknown ? Omit<E, 'runId' | 'turnId'> : never;
/** Events and steps before the run adds where they belong. */
export type RunEvent = Unplaced<AgentEvent>;
export type RunStep = Unplaced<LoopStep>;

export interface RunOptions {
  context: AgentContext;
  config: AgentLoopConfig;
  emit: Emit;
  signal?: AbortSignal | undefined;
  streamFn?: StreamFn | undefined;
  /** Takes what is queued. */
  poll: (queue: QueueName) => Promise<PendingMessage[]> | PendingMessage[];
}

/** What one run carries from `agent_start` to `agent_end`: its ids, its context, its sink. */
export class Run {
  readonly id: string;
  readonly config: AgentLoopConfig;
  readonly signal: AbortSignal | undefined;
  readonly streamFn: StreamFn | undefined;
  readonly poll: RunOptions['poll'];
  readonly newMessages: AgentMessage[] = [];
  readonly now: () => number;
  readonly newId: () => string;
  context: AgentContext;
  model: Model;
  /** The level that requests ask for: absent means off. */
  reasoning: ThinkingLevel | undefined;
  readonly #emit: Emit;
  #turnId: string | undefined;
  #broken = false;

  constructor({ context, config, emit, signal, streamFn, poll }: RunOptions) {
    this.config = config;
    this.context = ownContext(context);
    this.model = config.model;
    this.reasoning = config.reasoning;
    this.signal = signal;
    this.streamFn = streamFn;
    this.poll = poll;
    this.now = config.now ?? Date.now;
    this.newId = config.newId ?? randomId;
    this.#emit = emit;
    this.id = this.newId();
  }

  get turnId(): string | undefined {
    return this.#turnId;
  }

  /** Tells the sink and waits for it. What comes from tools that are still at work after the run broke is dropped. */
  async emit(event: RunEvent): Promise<void> {
    if (!this.#broken) await this.#emit(this.#place(event, this.#turnId));
  }

  async startTurn(): Promise<void> {
    this.#turnId = this.newId();
    await this.emit({ type: 'turn_start' });
  }

  /** The id of the turn that ended, for the steps that look back at it. */
  async endTurn(
    turn: Pick<AgentEvent & { type: 'turn_end' }, 'message' | 'toolResults'>,
  ): Promise<string | undefined> {
    const turnId = this.#turnId;
    this.#turnId = undefined;
    if (!this.#broken) await this.#emit(this.#place({ type: 'turn_end', ...turn }, turnId));
    return turnId;
  }

  /** Adds a finished message to the context and to what this run has added, after its two events. */
  async addMessage({ id, origin, message }: PendingMessage): Promise<void> {
    await this.emit({ type: 'message_start', messageId: id, origin, message });
    await this.emit({ type: 'message_end', messageId: id, origin, message });
    this.context.messages.push(message);
    this.newMessages.push(message);
  }

  /** `undefined` without `onStep`, so that nothing is awaited then: `if (run.report) await run.report(…)`. */
  get report(): ((step: RunStep, turnId?: string) => Promise<void>) | undefined {
    const { onStep } = this.config;
    if (!onStep) return undefined;
    return async (step, turnId = this.#turnId) => {
      if (!this.#broken)
        await onStep({ ...step, runId: this.id, ...(turnId === undefined ? {} : { turnId }) });
    };
  }

  /** Takes over what a hook replaced, for the rest of the run. */
  apply(update: Update | undefined): void {
    if (update?.context) this.context = ownContext(update.context);
    if (update?.model) this.model = update.model;
    if (update?.thinkingLevel)
      this.reasoning = update.thinkingLevel === 'off' ? undefined : update.thinkingLevel;
  }

  /**
   * Gives up a run that something broke, and returns the events that close it: one failure message with its turn's
   * end, and an `agent_end` that carries that message alone. Broken between two turns, the failure's turn has an end
   * and no start, as in the reference. Later events of the run are dropped.
   */
  break(error: unknown): { message: AssistantMessage; events: AgentEvent[] } {
    this.#broken = true;
    const message = emptyAssistantMessage(this, this.signal?.aborted ? 'aborted' : 'error', errorText(error));
    message.content.push({ type: 'text', text: '' });
    const turnId = this.#turnId ?? this.newId();
    this.#turnId = undefined;
    const ids = { messageId: this.newId(), origin: 'failure' as const };
    const events: RunEvent[] = [
      { type: 'message_start', ...ids, message },
      { type: 'message_end', ...ids, message },
      { type: 'turn_end', message, toolResults: [] },
      { type: 'agent_end', messages: [message] },
    ];
    return { message, events: events.map((event) => this.#place(event, turnId)) };
  }

  #place(event: RunEvent, turnId: string | undefined): AgentEvent {
    const inTurn = event.type !== 'agent_start' && event.type !== 'agent_end' && turnId !== undefined;
    return { ...event, runId: this.id, ...(inTurn ? { turnId } : {}) } as AgentEvent;
  }
}

/** The loop appends to the messages, and the tools are those of now: neither list may be the caller's. */
function ownContext({ messages, tools, ...rest }: AgentContext): AgentContext {
  return { ...rest, messages: [...messages], ...(tools ? { tools: [...tools] } : {}) };
}

/** An assistant message that no model wrote. */
export function emptyAssistantMessage(
  { model, now }: { model: Model; now: () => number },
  stopReason: StopReason,
  errorMessage: string,
): AssistantMessage {
  return {
    role: 'assistant',
    content: [],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: {
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 0,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    stopReason,
    errorMessage,
    timestamp: now(),
  };
}

/** 128 random bits as hexadecimal. Not `crypto.randomUUID`, which pages without a secure origin lack. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
