/** A session at work: an Agent, its clock, its files, its rules and its scenario, all of it recorded. */
import { createHooks } from '../hooks';
import { Agent } from '../loop';
import type { AgentOptions } from '../loop';
import type { AgentEvent, AgentTool, LoopStep, QueueMode, QueueName, UserMessage } from '../loop/types';
import type { ClockState, Command } from '../protocol';
import type { SessionConfig, TraceRecord } from '../records/types';
import type { HookRule, ScriptedTool } from '../scenario/types';
import { cloneable, problem } from '../store';
import { canRetry, emptyTrace, foldInto } from '../trace';
import type { Trace } from '../trace';
import { VirtualFileSystem } from '../tools';
import { Asks } from './asks';
import { BlobWriter } from './blob-writer';
import type { BlobSink } from './blob-writer';
import { modelRef } from './bodies';
import { realClock } from './clock';
import type { Clock } from './clock';
import { Driver } from './driver';
import type { Driven } from './driver';
import { FileRecorder } from './file-recorder';
import { closeInterrupted } from './interrupted';
import { checkedEndpoint, toolNames } from './plan';
import type { SessionPlan } from './plan';
import { RecordWriter } from './record-writer';
import { Recorder } from './recorder';
import type { Restored } from './restore';
import { modelOf, sessionStream } from './session-model';
import type { Keys } from './session-model';
import { SessionTools } from './session-tools';
import { VirtualClock } from './virtual-clock';

/** Scripted messages carry times that count from here, so that a scenario gives the same records on any day. */
export const scenarioEpoch = Date.UTC(2026, 0, 1);

export interface SessionOptions {
  plan: SessionPlan;
  /** ms since the epoch. */
  createdAt: number;
  keys: Keys;
  sink: { record: (record: TraceRecord) => void; blob: BlobSink };
  /** Something could not be recorded, or a listener broke. */
  onFailure: (error: unknown) => void;
  /** Playing, speed or readiness changed. */
  onClock?: () => void;
  /** The files that it begins with. */
  files?: Record<string, string | Uint8Array>;
  /** It goes on from here instead. */
  restored?: Restored;
  speed?: number;
}

type Executing = Pick<LoopStep & { type: 'execute' }, 'callId' | 'toolCallId'>;
type Configure = Omit<Extract<Command, { type: 'configure' }>, 'id' | 'type' | 'session'>;

export class Session implements Driven {
  readonly agent: Agent;
  readonly recorder: Recorder;
  readonly fs: VirtualFileSystem;
  readonly asks: Asks;
  /** The fold of all its records. */
  readonly trace: Trace;
  readonly #options: SessionOptions;
  readonly #clock: Clock;
  /** The same clock when time is virtual. */
  readonly #virtual: VirtualClock | undefined;
  readonly #writer: RecordWriter;
  readonly #tools: SessionTools;
  readonly #driver: Driver | undefined;
  #plan: SessionPlan;
  #nextId: number;
  /** Ids that come next instead of new ones: of queued messages that come back. */
  readonly #givenIds: string[] = [];
  /** Calls that run now, until their tool asks which call it is. */
  readonly #executing: Executing[] = [];
  #preparing: string | undefined;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(options: SessionOptions) {
    const { plan, createdAt, restored, files = {}, onFailure, sink } = options;
    this.#options = options;
    this.#plan = plan;
    this.trace = restored?.trace ?? emptyTrace();
    this.#nextId = (restored?.lastId ?? 0) + 1;
    this.#virtual = plan.endpoint
      ? undefined
      : new VirtualClock({ at: this.trace.at, speed: options.speed ?? 1, playing: false });
    this.#clock = this.#virtual ?? realClock(Math.max(this.trace.at, Date.now() - createdAt));
    this.#writer = new RecordWriter({
      clock: this.#clock,
      after: this.trace,
      sink: (record) => {
        if (this.#closed) return;
        foldInto(this.trace, [record]);
        sink.record(record);
      },
    });
    const blobs = new BlobWriter((hash, bytes) => this.#closed || sink.blob(hash, bytes));
    this.recorder = new Recorder({ writer: this.#writer, blobs, onFailure, ...restored });
    this.asks = new Asks({ recorder: this.recorder, newId: this.#newId });
    this.fs = new VirtualFileSystem();
    for (const { path, content } of restored?.files ?? []) writeFile(this.fs, path, content);
    const fileRecorder = new FileRecorder(this.fs, this.recorder, blobs);
    this.#tools = new SessionTools({
      fs: this.fs,
      files: fileRecorder,
      clock: this.#clock,
      takeCall: (toolCallId) => this.#takeCall((call) => call.toolCallId === toolCallId),
    });
    this.#tools.know(plan.scenario?.tools);
    for (const action of plan.scenario?.actions ?? []) if (action.do === 'tools') this.#tools.know(action.tools);
    this.agent = this.#makeAgent(this.#tools.make(plan.tools), restored);
    this.#driver = plan.scenario && new Driver(plan.scenario, this, restored && this.#promptsOf(restored));
    if (restored) this.#restore(restored);
    else this.#begin(files);
    fileRecorder.started();
  }

  get positions(): Recorder['positions'] {
    return this.recorder.positions;
  }

  get isIdle(): boolean {
    return this.#running === undefined;
  }

  /** The scenario has sent all that it has, and nothing runs. */
  get isDone(): boolean {
    return this.isIdle && (this.#driver?.isDone ?? true);
  }

  get clock(): ClockState {
    const virtual = this.#virtual;
    return {
      virtual: virtual !== undefined,
      playing: virtual?.playing ?? true,
      speed: virtual?.speed ?? 1,
      at: Math.max(this.#clock.now(), this.trace.at),
      ready: this.#driver !== undefined && !this.#driver.started,
    };
  }

  /** Called when virtual time has nothing left to wait for. */
  set onStall(callback: () => void) {
    if (this.#virtual) this.#virtual.onStall = callback;
  }

  /** Resolves when no run is going on. */
  async whenIdle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  play(): void {
    this.#needsVirtual().sync();
    this.#resume();
    this.#driver?.play();
    this.#options.onClock?.();
  }

  pause(): void {
    const clock = this.#needsVirtual();
    if (!clock.playing) return;
    clock.sync();
    this.recorder.write({ type: 'pause', ...this.recorder.on() });
    clock.pause();
    this.#options.onClock?.();
  }

  setSpeed(speed: number): void {
    if (!(speed > 0)) throw problem('clock.badSpeed');
    this.#needsVirtual().setSpeed(speed);
    this.#options.onClock?.();
  }

  /** Starts a run. Throws `run.active` during one. */
  prompt(text: string): void {
    this.#needsIdle();
    this.#resume();
    this.#run('prompt', () => this.agent.prompt(this.#userMessage(text)));
  }

  /** Throws `continue.running`, `continue.empty` or `continue.nothingQueued` when the loop would refuse. */
  continue(): void {
    const kind = this.agent.continueKind();
    if (typeof kind === 'object') throw problem(`continue.${kind.blocked}`);
    this.#needsIdle();
    this.#resume();
    this.#run(kind, () => this.agent.continue());
  }

  /** Takes the failed messages off the transcript's end and continues. Throws `retry.nothing`. */
  retry(): void {
    this.#needsIdle();
    const drop = canRetry(this.trace);
    if (!drop) throw problem('retry.nothing');
    this.#syncTime();
    this.recorder.write({ type: 'rewind', why: 'retry', drop });
    this.agent.state.messages = this.agent.state.messages.filter(
      (message) => !drop.includes(this.recorder.idOf(message) ?? ''),
    );
    this.continue();
  }

  /** Adds to a queue. */
  queue(queue: QueueName, text: string): void {
    const message = this.#userMessage(text);
    if (queue === 'steering') this.agent.steer(message);
    else this.agent.followUp(message);
  }

  queuedId(queue: QueueName, item: number): string | undefined {
    return this.agent.queued(queue)[item - 1]?.id;
  }

  /** These three throw `queue.gone` when the message waits no more. */
  removeQueued(id: string): void {
    if (!this.agent.removeQueued(id)) throw problem('queue.gone');
  }
  editQueued(id: string, text: string): void {
    if (!this.agent.editQueued(id, this.#userMessage(text))) throw problem('queue.gone');
  }
  moveQueued(id: string, queue: QueueName, index?: number): void {
    if (!this.agent.moveQueued(id, queue, index)) throw problem('queue.gone');
  }

  clearQueue(queue: QueueName): void {
    if (queue === 'steering') this.agent.clearSteeringQueue();
    else this.agent.clearFollowUpQueue();
  }

  /** Aborts the run that goes on, if any. */
  abort(): void {
    const run = this.trace.runs.at(-1);
    if (this.isIdle || run?.status !== 'running') return;
    this.recorder.write({ type: 'abort', run: run.id, ...this.recorder.on() });
    this.agent.abort();
  }

  /** A person's abort, of one run and no later one: false when it is over. */
  abortRun(run: string): boolean {
    if (this.isIdle || this.trace.runs.at(-1)?.id !== run) return false;
    this.#syncTime();
    this.#driver?.halt();
    this.abort();
    // What ignores the abort is given up in virtual time, which must pass for that.
    this.#resume();
    return true;
  }

  setMode(queue: QueueName, mode: QueueMode): void {
    this.configure({ [queue === 'steering' ? 'steeringMode' : 'followUpMode']: mode });
  }

  setTools(tools: readonly (string | ScriptedTool)[]): void {
    this.#tools.know(tools);
    this.configure({ tools: toolNames([...tools]) });
  }

  answerOldest(kind: 'permission' | 'answer', value: boolean | string): void {
    this.asks.answerOldest(kind, value);
  }

  /**
   * Changes settings; a run that goes on keeps its model and tools. Throws `tool.unknown`, `config.promptFixed`,
   * `config.scripted`, or the problems of an endpoint; nothing was changed then.
   */
  configure({ endpoint, tools, systemPrompt, ...modes }: Configure): void {
    // Without what is `undefined`, which a page may well send.
    const set = cloneable(modes) as SessionConfig;
    const made = tools && this.#tools.make(tools);
    if (endpoint && !this.#plan.endpoint) throw problem('config.scripted');
    const model = endpoint && modelOf(checkedEndpoint(endpoint));
    if (systemPrompt !== undefined) this.#changePrompt(systemPrompt);
    if (made) this.agent.state.tools = made;
    if (model) this.agent.state.model = model;
    if (modes.thinkingLevel) this.agent.state.thinkingLevel = modes.thinkingLevel;
    if (modes.steeringMode) this.agent.steeringMode = modes.steeringMode;
    if (modes.followUpMode) this.agent.followUpMode = modes.followUpMode;
    if (modes.toolExecution) this.agent.toolExecution = modes.toolExecution;
    if (tools) set.tools = tools;
    if (model) set.model = modelRef(model);
    if (systemPrompt !== undefined) set.systemPrompt = systemPrompt;
    this.recorder.write({ type: 'config', set, ...this.recorder.on() });
  }

  /** Before what a person does: gives it its own time. */
  syncTime(): void {
    this.#syncTime();
  }

  /** Aborts what runs, writes what is held back, and records nothing any more. */
  async close(graceMs = 2000): Promise<void> {
    this.#driver?.halt();
    if (!this.isIdle) {
      this.abort();
      this.#virtual?.setSpeed(Infinity);
      this.#virtual?.play();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const grace = new Promise<void>((resolve) => (timer = setTimeout(resolve, graceMs)));
      await Promise.race([this.whenIdle(), grace]);
      clearTimeout(timer);
    }
    this.#writer.flush();
    this.#virtual?.pause();
    this.#closed = true;
  }

  readonly #newId = (): string => this.#givenIds.shift() ?? (this.#nextId++).toString(36);

  readonly #now = (): number =>
    (this.#plan.endpoint ? this.#options.createdAt : scenarioEpoch) + this.#clock.now();

  #userMessage(text: string): UserMessage {
    return { role: 'user', content: text, timestamp: this.#now() };
  }

  #makeAgent(tools: AgentTool[], restored: Restored | undefined): Agent {
    const { plan, keys } = this.#options;
    const { scenario, systemPrompt, thinkingLevel, steeringMode, followUpMode, toolExecution, requestLimit } = plan;
    const now = this.#now;
    const messages = restored?.transcript.map(({ message }) => message) ?? scenario?.history;
    const agent = new Agent({
      // A transcript that is there already says itself what its prompt and tools are.
      initialState: {
        model: modelOf(plan.endpoint),
        thinkingLevel,
        ...(messages ? { messages } : {}),
        ...(restored ? {} : { tools, ...(systemPrompt === undefined ? {} : { systemPrompt }) }),
      },
      streamFn: sessionStream({
        scenario,
        clock: this.#clock,
        now,
        keys,
        requests: this.trace.requests.length,
        onHttp: this.recorder.http,
      }),
      steeringMode,
      followUpMode,
      toolExecution,
      ...this.#hooks(scenario?.rules ?? [], requestLimit),
      onStep: (step) => this.#step(step),
      onQueueChange: this.recorder.queueChange,
      now,
      newId: this.#newId,
      setTimer: this.#clock.setTimer,
    });
    agent.state.tools = tools;
    agent.subscribe((event) => this.#event(event));
    return agent;
  }

  #hooks(rules: readonly HookRule[], requestLimit: number | undefined): Partial<AgentOptions> {
    const { prepareNextTurn, ...hooks } = createHooks(rules, {
      ask: (subject, signal) => this.asks.permission(subject, signal, this.#preparing),
      now: this.#now,
      ...(requestLimit === undefined ? {} : { requestLimit }),
    });
    // An Agent's hook gets no turn; that of the rules needs none.
    const append = prepareNextTurn as AgentOptions['prepareNextTurn'] & object;
    return { ...hooks, ...(prepareNextTurn ? { prepareNextTurn: append } : {}) };
  }

  #step(step: LoopStep): void {
    if (step.type === 'execute') this.#executing.push(step);
    this.recorder.step(step);
  }

  #event(event: AgentEvent): void {
    // Calls are prepared one after the other: the last that started is the one that hooks are asked about.
    if (event.type === 'tool_execution_start') this.#preparing = event.callId;
    if (event.type === 'tool_execution_end') this.#takeCall(({ callId }) => callId === event.callId);
    this.recorder.event(event);
    this.#driver?.event();
  }

  #takeCall(isIt: (call: Executing) => boolean): string | undefined {
    const at = this.#executing.findIndex(isIt);
    return at === -1 ? undefined : this.#executing.splice(at, 1)[0]?.callId;
  }

  /** The first records: settings, files, and the transcript that is there before the first run. */
  #begin(files: Record<string, string | Uint8Array>): void {
    const { systemPrompt, thinkingLevel, tools, steeringMode, followUpMode, toolExecution, requestLimit } = this.#plan;
    const set: SessionConfig = {
      model: modelRef(this.agent.state.model),
      ...(systemPrompt === undefined ? {} : { systemPrompt }),
      thinkingLevel,
      tools,
      steeringMode,
      followUpMode,
      toolExecution,
      ...(requestLimit === undefined ? {} : { requestLimit }),
    };
    this.recorder.write({ type: 'config', set });
    for (const [path, content] of Object.entries(files)) writeFile(this.fs, path, content);
    for (const message of this.agent.state.messages) this.recorder.message(this.#newId(), message, { origin: 'history' });
  }

  #restore(restored: Restored): void {
    for (const { id, message } of restored.transcript) this.recorder.know(message, id);
    this.recorder.silently(() => {
      for (const queue of ['steering', 'followUp'] as const) {
        for (const { id, message } of restored.queues[queue]) {
          this.#givenIds.push(id);
          if (queue === 'steering') this.agent.steer(message);
          else this.agent.followUp(message);
        }
      }
    });
    if (this.trace.state === 'idle') return;
    const results = closeInterrupted(this.trace, this.recorder, { newId: this.#newId, now: this.#now });
    this.agent.state.messages = [...this.agent.state.messages, ...results];
  }

  /** A scenario of which no run was seen has not been started. */
  #promptsOf({ trace, prompts }: Restored): string[] | undefined {
    return trace.runs.length > 0 ? prompts : undefined;
  }

  /** Only before the first message: later, what was sent would no longer be what the transcript says. */
  #changePrompt(systemPrompt: string): void {
    const { state } = this.agent;
    if (state.messages.some(({ role }) => role !== 'system')) throw problem('config.promptFixed');
    const drop = state.messages.flatMap((message) => this.recorder.idOf(message) ?? []);
    const fresh = new Agent({
      initialState: { systemPrompt, tools: state.tools },
      streamFn: () => Promise.reject(new Error('It only makes a message')),
    }).state.messages;
    if (drop.length > 0) this.recorder.write({ type: 'rewind', why: 'edit', drop });
    state.messages = fresh;
    for (const message of fresh) this.recorder.message(this.#newId(), message, { origin: 'history' });
  }

  #run(how: Recorder['how'], start: () => Promise<void>): void {
    this.recorder.how = how;
    // Not started here: what it tells at once must find the session running.
    const running = Promise.resolve()
      .then(start)
      .catch(this.#options.onFailure)
      .then(() => {
        const run = this.trace.runs.at(-1);
        if (run && !run.settled) this.recorder.write({ type: 'settled', run: run.id });
        this.#executing.length = 0;
        this.#running = undefined;
        this.#driver?.settled();
      });
    this.#running = running;
  }

  #resume(): void {
    const clock = this.#virtual;
    if (!clock || clock.playing) return;
    if (this.trace.paused) this.recorder.write({ type: 'resume' });
    clock.play();
    this.#options.onClock?.();
  }

  #syncTime(): void {
    this.#virtual?.sync();
  }

  #needsIdle(): void {
    if (!this.isIdle) throw problem('run.active');
  }

  #needsVirtual(): VirtualClock {
    if (!this.#virtual) throw problem('clock.real');
    return this.#virtual;
  }
}

function writeFile(fs: VirtualFileSystem, path: string, content: string | Uint8Array): void {
  if (typeof content === 'string') fs.writeText(path, content);
  else fs.writeBytes(path, content);
}

