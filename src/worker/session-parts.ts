/** What a session is made of, put together: an Agent with its clock, recorder, files, tools and rules. */
import { Agent } from '../loop';
import type { AgentEvent, AgentTool, LoopStep } from '../loop/types';
import type { RequestOptions, TraceRecord } from '../records/types';
import { VirtualFileSystem } from '../tools';
import type { ToolRunner } from '../tools';
import { localRunner } from '../tools/jobs/local-runner';
import { emptyTrace, foldInto } from '../trace/fold';
import type { Trace } from '../trace/types';
import { waitingRequest } from '../trace/waiting-request';
import { Asks } from './asks';
import { BlobWriter } from './blob-writer';
import type { BlobSink } from './blob-writer';
import { realClock } from './clock';
import type { Clock } from './clock';
import { callsThatRan } from './counts-before';
import { FileRecorder } from './file-recorder';
import { ManualAnswers } from './manual-answers';
import { NestedCalls } from './nested-calls';
import type { SessionPlan } from './plan';
import { RecordWriter } from './record-writer';
import { Recorder } from './recorder';
import type { Restored } from './restore';
import { modelOf, sessionStream } from './session-model';
import type { Keys } from './session-model';
import { sessionHooks } from './session-hooks';
import type { SessionHooks } from './session-hooks';
import { SessionTools } from './session-tools';
import { StepGate } from './step-gate';
import { VirtualClock } from './virtual-clock';

/** Scripted messages carry times that count from here, so that a scenario gives the same records on any day. */
export const scenarioEpoch = Date.UTC(2026, 0, 1);

export interface SessionPartsOptions {
  plan: SessionPlan;
  /** ms since the epoch. */
  createdAt: number;
  keys: Keys;
  sink: { record: (record: TraceRecord) => void; blob: BlobSink };
  /** Something could not be recorded, or a listener broke. */
  onFailure: (error: unknown) => void;
  /** It goes on from here. */
  restored?: Restored;
  speed?: number;
  /** It came from a file, and nobody has chosen an endpoint for it here. */
  endpointUnconfirmed?: boolean;
  /** Where the tools' long work runs; in this thread when absent. */
  openRunner?: OpenRunner | undefined;
  /** Where the page's sample files are, with a slash at the end: fetching them needs no permission. */
  samplesUrl?: string | undefined;
}

/** `now` (ms since the epoch) is given when time is not real. */
export type OpenRunner = (options: {
  files: VirtualFileSystem;
  now?: () => number;
}) => ToolRunner & { dispose(): void };

type ExecutingCall = Pick<LoopStep & { type: 'execute' }, 'callId' | 'toolCallId'>;

export class SessionParts {
  readonly agent: Agent;
  readonly clock: Clock;
  /** The same clock when time is virtual. */
  readonly virtual: VirtualClock | undefined;
  /** Real time cannot be held. */
  readonly gate: StepGate | undefined;
  readonly recorder: Recorder;
  readonly files: FileRecorder;
  readonly tools: SessionTools;
  readonly asks: Asks;
  readonly manual: ManualAnswers;
  /** What requests ask for beside the transcript, secrets too. */
  requestOptions: RequestOptions;
  /** The endpoint came from a file: it is asked nothing. */
  endpointUnconfirmed: boolean;
  /** The fold of all records. */
  readonly trace: Trace;
  /** Told after each event of the loop was recorded, inside the loop's own listener. */
  afterEvent: (() => void) | undefined;
  /** The same after each step where time cannot be held; elsewhere the gate tells. */
  afterStep: (() => void) | undefined;

  readonly #options: SessionPartsOptions;
  readonly #nested: NestedCalls;
  readonly #runner: ReturnType<OpenRunner> | undefined;
  readonly #hooks: SessionHooks;
  readonly #writer: RecordWriter;
  #nextId: number;
  /** Ids that come next instead of new ones. */
  #givenIds: string[] = [];
  /** Calls that run now, until their tool asks which call it is. */
  #executing: ExecutingCall[] = [];
  /** The call that hooks are asked about. */
  #preparing: string | undefined;
  #closed = false;

  constructor(options: SessionPartsOptions) {
    const { plan, createdAt, restored, onFailure, sink, speed = 1 } = options;
    this.#options = options;
    this.trace = restored?.trace ?? emptyTrace();
    this.#nextId = (restored?.lastId ?? 0) + 1;
    const { at } = this.trace;
    this.virtual = plan.virtual ? new VirtualClock({ at, speed, playing: false }) : undefined;
    this.gate = this.virtual && new StepGate({ soon: this.virtual.soon.bind(this.virtual) });
    this.clock = this.virtual ?? realClock(Math.max(at, Date.now() - createdAt));
    this.#writer = new RecordWriter({
      clock: this.clock,
      after: this.trace,
      sink: (record) => {
        if (this.#closed) return;
        foldInto(this.trace, [record]);
        sink.record(record);
      },
    });
    const blobs = new BlobWriter((hash, bytes) => this.#closed || sink.blob(hash, bytes));
    this.recorder = new Recorder({ writer: this.#writer, blobs, onFailure, ...restored });
    this.requestOptions = plan.options ?? {};
    this.endpointUnconfirmed = options.endpointUnconfirmed ?? false;
    this.manual = new ManualAnswers({
      clock: this.clock,
      hold: this.virtual && this.virtual.hold.bind(this.virtual),
      now: this.now,
      asked: () => waitingRequest(this.trace)?.message,
    });
    this.asks = new Asks({ recorder: this.recorder, newId: this.newId });
    this.files = new FileRecorder(new VirtualFileSystem(), this.recorder, blobs);
    this.#runner = options.openRunner?.({
      files: this.files.fs,
      ...(this.virtual ? { now: this.now } : {}),
    });
    this.#hooks = this.#makeHooks();
    this.#nested = new NestedCalls({
      agent: () => this.agent,
      hooks: () => this.#hooks.ofNested,
      onHook: (step, call) => {
        const turnId = this.trace.calls.get(call)?.turn ?? '';
        const runId = this.trace.turns.get(turnId)?.run ?? '';
        this.#hookRecord({ ...step, runId, turnId, callId: call })?.();
      },
      recorder: this.recorder,
      blobs,
      newId: this.newId,
      now: this.now,
      setTimer: this.clock.setTimer,
    });
    this.tools = this.#makeTools(plan);
    this.agent = this.#makeAgent(this.tools.make(plan.tools));
  }

  /** One counter for all ids of a session, in base 36. */
  readonly newId = (): string => this.#givenIds.shift() ?? (this.#nextId++).toString(36);

  /** ms since the epoch. */
  readonly now = (): number => (this.virtual ? scenarioEpoch : this.#options.createdAt) + this.clock.now();

  /** What `make` makes gets this id. */
  withId(id: string, make: () => void): void {
    this.#givenIds.push(id);
    make();
    this.#givenIds = [];
  }

  /** A run is over: nothing of it executes any more. */
  runEnded(): void {
    this.#executing = [];
    this.#hooks.runEnded();
  }

  /** Writes what is held back, and nothing any more. */
  close(): void {
    this.#writer.flush();
    this.virtual?.pause();
    this.#runner?.dispose();
    this.#closed = true;
  }

  #makeTools({ scenario }: SessionPlan): SessionTools {
    const tools = new SessionTools({
      files: this.files,
      clock: this.clock,
      hold: this.virtual && this.virtual.hold.bind(this.virtual),
      ...(scenario?.toolDurations ? { durations: scenario.toolDurations } : {}),
      callsBefore: callsThatRan(this.trace),
      takeCall: (toolCallId) => this.#takeCall((call) => call.toolCallId === toolCallId),
      runner: this.#runner ?? localRunner(this.files.fs, this.virtual && this.now),
      ask: (...question) => this.#ask(...question),
      samplesUrl: this.#options.samplesUrl,
      nested: this.#nested,
    });
    // Tools that come later can be asked for by name, but change none that is there now.
    for (const action of scenario?.actions?.toReversed() ?? [])
      if (action.do === 'tools') tools.know(action.tools);
    tools.know(scenario?.tools);
    return tools;
  }

  #makeHooks(): SessionHooks {
    const { plan, samplesUrl } = this.#options;
    const rules = () => this.trace.config.rules ?? plan.scenario?.rules ?? [];
    return sessionHooks({
      // Sessions that were stored without them run by their scenario's.
      rules,
      counts: new Map(this.trace.ruleCounts),
      requestLimit: () => this.trace.config.requestLimit,
      asks: this.asks,
      now: this.now,
      idOf: ({ toolCall }) => this.#nested.idOf(toolCall) ?? this.#preparing,
      isReal: (name) => this.tools.isReal(name),
      samplesUrl,
    });
  }

  async #ask(question: string, signal: AbortSignal | undefined, call: string | undefined): Promise<string> {
    const text = await this.asks.question({ toolName: 'ask', args: {}, text: question }, signal, call);
    signal?.throwIfAborted();
    return text;
  }

  #makeAgent(tools: AgentTool[]): Agent {
    const { plan, restored, keys } = this.#options;
    const { scenario, systemPrompt, thinkingLevel, steeringMode, followUpMode, toolExecution } = plan;
    const messages = restored?.transcript.map(({ message }) => message) ?? scenario?.history;
    const agent = new Agent({
      ...this.#hooks.ofRuns,
      initialState: {
        model: modelOf(plan.endpoint),
        thinkingLevel,
        ...(messages ? { messages } : {}),
        // A transcript that goes on says itself what its prompt and tools are.
        ...(restored ? {} : { tools, ...(systemPrompt === undefined ? {} : { systemPrompt }) }),
      },
      streamFn: sessionStream({
        scenario,
        clock: this.clock,
        now: this.now,
        keys,
        requests: this.trace.requests.length,
        options: () => this.requestOptions,
        manual: this.manual.stream,
        onHttp: (attempt) => this.recorder.http(attempt),
      }),
      steeringMode,
      followUpMode,
      toolExecution,
      onStep: (step) => this.#step(step),
      onQueueChange: (...change) => this.recorder.queueChange(...change),
      now: this.now,
      newId: this.newId,
      setTimer: this.clock.setTimer,
    });
    agent.state.tools = tools;
    agent.subscribe((event) => this.#event(event));
    return agent;
  }

  #step(step: LoopStep): Promise<void> | void {
    const isExecute = step.type === 'execute';
    if (isExecute) this.#executing.push(step);
    const record = step.type === 'hook' ? this.#hookRecord(step) : () => this.recorder.step(step);
    if (!record) return;
    if (this.gate) return this.gate.pass(record, isExecute);
    record();
    this.afterStep?.();
  }

  /** Hooks are always there; one that had nothing to judge by tells nothing. */
  #hookRecord(step: LoopStep & { type: 'hook' }): (() => void) | undefined {
    const call = this.trace.calls.get(step.callId ?? '');
    const consulted = this.#hooks.consultedFor(step, call?.parent === undefined ? call?.toolCallId : call.id);
    const isPermission = step.name === 'beforeToolCall' && call?.toolName === 'fetch';
    if (!step.decision && !consulted?.judged && !isPermission) return undefined;
    return () => this.recorder.step(step, consulted);
  }

  #event(event: AgentEvent): void {
    // Calls are prepared one after the other: the last that started is the one that hooks are asked about.
    if (event.type === 'tool_execution_start') this.#preparing = event.callId;
    if (event.type === 'tool_execution_end') this.#takeCall(({ callId }) => callId === event.callId);
    this.recorder.event(event);
    this.afterEvent?.();
  }

  #takeCall(isIt: (call: ExecutingCall) => boolean): string | undefined {
    const at = this.#executing.findIndex(isIt);
    return at === -1 ? undefined : this.#executing.splice(at, 1)[0]?.callId;
  }
}
