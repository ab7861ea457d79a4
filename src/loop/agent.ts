import { runLoop } from './agent-loop';
import type { Start } from './agent-loop';
import { loopConfig } from './agent-options';
import type { AgentOptions } from './agent-options';
import { AgentState } from './agent-state';
import { AgentError, errorText } from './errors';
import { MessageQueues } from './queue';
import { randomId, Run } from './run';
import type { PendingMessage } from './run';
import { getCurrentSystemMessage } from './transcript';
import type {
  AgentEvent,
  AgentMessage,
  Image,
  QueuedMessage,
  QueueMode,
  QueueName,
  SystemMessage,
  ToolExecutionMode,
} from './types';

/** Awaited for each event, in the order of subscription. */
export type AgentListener = (event: AgentEvent, signal: AbortSignal) => void | Promise<void>;

/** What `continue()` would do: ask at once, or begin with what is queued; or why it cannot. */
export type ContinueKind = 'request' | QueueName | { blocked: 'running' | 'empty' | 'nothingQueued' };

/** Holds a transcript, its settings and two queues, and runs the loop on them, one run at a time. */
export class Agent {
  readonly state: AgentState;
  toolExecution: ToolExecutionMode;
  readonly #options: AgentOptions;
  readonly #queues: MessageQueues;
  readonly #listeners = new Set<AgentListener>();
  readonly #now: () => number;
  readonly #newId: () => string;
  #active: { controller: AbortController; idle: Promise<void> } | undefined;

  constructor(options: AgentOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#newId = options.newId ?? randomId;
    this.state = new AgentState(options.initialState);
    this.toolExecution = options.toolExecution ?? 'parallel';
    this.#queues = new MessageQueues({
      modes: {
        steering: options.steeringMode ?? 'one-at-a-time',
        followUp: options.followUpMode ?? 'one-at-a-time',
      },
      newId: this.#newId,
      onChange: options.onQueueChange,
    });
  }

  get steeringMode(): QueueMode {
    return this.#queues.modes.steering;
  }
  set steeringMode(mode: QueueMode) {
    this.#queues.modes.steering = mode;
  }

  get followUpMode(): QueueMode {
    return this.#queues.modes.followUp;
  }
  set followUpMode(mode: QueueMode) {
    this.#queues.modes.followUp = mode;
  }

  /** Of the run that is going on. */
  get signal(): AbortSignal | undefined {
    return this.#active?.controller.signal;
  }

  /** Returns the function that ends the subscription. */
  subscribe(listener: AgentListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Runs the loop on new messages and resolves when it is idle again; a run that failed or was aborted says so in the
   * transcript. Rejects with an `AgentError` during a run, which is not disturbed.
   */
  async prompt(input: string | AgentMessage | AgentMessage[], images: Image[] = []): Promise<void> {
    this.#assertIdle();
    const messages = typeof input === 'string' ? [this.#userMessage(input, images)] : [input].flat();
    await this.#run({
      prompts: messages.map((message) => ({ id: this.#newId(), origin: 'prompt', message })),
    });
  }

  /**
   * Goes on from the transcript: asks at once, or, after an assistant message, begins with one batch of steering, else
   * of follow-ups, `ahead` of which these system messages join. Rejects with an `AgentError` when `continueKind()` says that
   * it is blocked.
   */
  async continue(ahead: readonly SystemMessage[] = []): Promise<void> {
    this.#assertIdle();
    const kind = this.continueKind();
    if (kind === 'request') return this.#run({});
    if (typeof kind === 'string') {
      const told = ahead.map((message): PendingMessage => ({ id: this.#newId(), origin: 'tools', message }));
      return this.#run({
        prompts: [...told, ...this.#take(kind)],
        skipFirstPoll: kind === 'steering',
      });
    }
    if (kind.blocked === 'empty') throw new AgentError('nothingToContinue', 'There is nothing to continue.');
    throw new AgentError(
      'assistantTail',
      'Cannot continue from an assistant message while nothing is queued.',
    );
  }

  /** What `continue()` would do now, or why it would refuse. */
  continueKind(): ContinueKind {
    if (this.#active) return { blocked: 'running' };
    const { messages } = this.state;
    if (messages.every(({ role }) => role === 'system')) return { blocked: 'empty' };
    if (messages.at(-1)?.role !== 'assistant') return 'request';
    const queue = (['steering', 'followUp'] as const).find((name) => this.#queues.content(name).length > 0);
    return queue ?? { blocked: 'nothingQueued' };
  }

  /** Queues a message for the running agent: it joins the context before the next request. Returns its id. */
  steer(message: AgentMessage): string {
    return this.#queues.enqueue('steering', message);
  }

  /** Queues a message that waits until the agent would stop. Returns its id. */
  followUp(message: AgentMessage): string {
    return this.#queues.enqueue('followUp', message);
  }

  hasQueuedMessages(): boolean {
    return this.queued('steering').length > 0 || this.queued('followUp').length > 0;
  }

  /** What comes next, without taking it: steering hides follow-ups. */
  peekQueuedMessages(): AgentMessage[] {
    const steering = this.#queues.peek('steering');
    return (steering.length > 0 ? steering : this.#queues.peek('followUp')).map(({ message }) => message);
  }

  /** All that waits in a queue, oldest first. The list never changes. */
  queued(queue: QueueName): readonly QueuedMessage[] {
    return this.#queues.content(queue);
  }

  /** Takes a message out of its queue; `undefined` when none has this id. */
  removeQueued(id: string): QueuedMessage | undefined {
    return this.#queues.remove(id);
  }

  /** Replaces a queued message, which keeps its id and place. False when none has this id. */
  editQueued(id: string, message: AgentMessage): boolean {
    return this.#queues.edit(id, message);
  }

  /** Moves a queued message to an index (the end when absent) of a queue, also within its own. False when none has this id. */
  moveQueued(id: string, queue: QueueName, index?: number): boolean {
    return this.#queues.move(id, queue, index);
  }

  clearSteeringQueue(): void {
    this.#queues.clear('steering');
  }

  clearFollowUpQueue(): void {
    this.#queues.clear('followUp');
  }

  clearAllQueues(): void {
    this.clearSteeringQueue();
    this.clearFollowUpQueue();
  }

  /** Aborts the run that is going on. The queues stay as they are. */
  abort(): void {
    this.#active?.controller.abort();
  }

  /** Resolves when the listeners of the last `agent_end` have settled. */
  waitForIdle(): Promise<void> {
    return this.#active?.idle ?? Promise.resolve();
  }

  /** Empties the transcript but for the replayed prompt and tools, and the queues. Throws an `AgentError` during a run. */
  reset(): void {
    this.#assertIdle();
    const baseline = getCurrentSystemMessage(this.state.messages);
    this.state.restart(baseline ? [baseline] : []);
    this.clearAllQueues();
  }

  #assertIdle(): void {
    if (!this.#active) return;
    throw new AgentError(
      'alreadyRunning',
      'The agent is already running: queue the message with steer() or followUp(), or wait until it is idle.',
    );
  }

  #userMessage(text: string, images: Image[]): AgentMessage {
    return { role: 'user', content: [{ type: 'text', text }, ...images], timestamp: this.#now() };
  }

  /** The message keeps its queue id, so that its events can be traced to the queue. */
  #take(queue: QueueName): PendingMessage[] {
    return this.#queues.drain(queue).map((queued) => ({ ...queued, origin: queue }));
  }

  async #run(start: Start): Promise<void> {
    const controller = new AbortController();
    const { promise: idle, resolve: becomeIdle } = withResolvers();
    this.#active = { controller, idle };
    this.state.begin();
    try {
      const run = new Run({
        context: { messages: this.state.messages, tools: [...this.state.tools] },
        config: loopConfig(this.#options, this.state, this.toolExecution, controller.signal),
        emit: (event) => this.#tell(event, controller.signal),
        signal: controller.signal,
        streamFn: this.#options.streamFn,
        poll: (queue) => this.#take(queue),
      });
      try {
        await runLoop(run, start);
      } catch (error) {
        await this.#close(run, error, controller);
      }
    } finally {
      this.state.settle();
      this.#active = undefined;
      becomeIdle();
    }
  }

  /** Every run closes: each closing event reaches every listener, whatever another one throws. */
  async #close(run: Run, error: unknown, controller: AbortController): Promise<void> {
    const failures: unknown[] = [];
    for (const event of run.break(error).events) {
      await this.#tell(event, controller.signal).catch((failure: unknown) => failures.push(failure));
    }
    // Nobody waits any more for tools that are still at work.
    controller.abort();
    throwAny(failures);
  }

  /** State first, then the listeners in order; each gets the event even when one before it throws. */
  async #tell(event: AgentEvent, signal: AbortSignal): Promise<void> {
    this.state.reduce(event);
    const failures: unknown[] = [];
    for (const listener of [...this.#listeners]) {
      try {
        await listener(event, signal);
      } catch (error) {
        failures.push(error);
      }
    }
    throwAny(failures);
  }
}

function throwAny(failures: unknown[]): void {
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, failures.map(errorText).join('; '));
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve!: () => void;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
