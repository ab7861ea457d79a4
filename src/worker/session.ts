/** A session at work: what a person or a scenario can do with it, one run at a time, all of it recorded. */
import type { QueueMode, QueueName, UserMessage } from '../loop/types';
import type { ClockState } from '../protocol';
import type { HookRule, ScriptedTool } from '../scenario/types';
import { problem } from '../store';
import { canRetry } from '../trace/continue';
import type { Trace } from '../trace/types';
import type { Asks } from './asks';
import { Driver } from './driver';
import type { Driven } from './driver';
import { deleteFile, writeFile } from './person-files';
import { toolNames } from './plan';
import type { Positions } from './positions';
import type { Recorder } from './recorder';
import { promptIds, rewind, rewindToPrompt } from './rewind';
import { isAsked } from './session-model';
import { SessionParts } from './session-parts';
import type { SessionPartsOptions } from './session-parts';
import { changedPrompt, configure, setRules, tellPrompt } from './session-settings';
import type { Settings } from './session-settings';
import { begin, goOn } from './session-start';
import type { VirtualClock } from './virtual-clock';

export interface SessionOptions extends SessionPartsOptions {
  /** The files that it begins with. */
  files?: Record<string, string | Uint8Array>;
  /** Virtual ms between a run's end and what its scenario does next, so that people can read how it ended. Default 0. */
  momentMs?: number;
  /** Playing, speed or readiness changed. */
  onClock?: () => void;
}

export class Session implements Driven {
  readonly parts: SessionParts;
  readonly #options: SessionOptions;
  readonly #driver: Driver | undefined;
  #running: Promise<void> | undefined;

  constructor(options: SessionOptions) {
    const { plan, restored, files = {} } = options;
    this.#options = options;
    this.parts = new SessionParts(options);
    // A scenario of which no run was seen has not been started.
    const sent = restored && restored.trace.runs.length > 0 ? restored.prompts : undefined;
    const onMoment = () => options.onClock?.();
    this.#driver =
      plan.scenario && new Driver(plan.scenario, this, { momentMs: options.momentMs ?? 0, sent, onMoment });
    if (this.parts.virtual) this.parts.virtual.onChange = () => options.onClock?.();
    if (this.parts.gate) this.parts.gate.onHold = () => this.#hold();
    if (this.parts.gate) this.parts.gate.onStep = () => this.#driver?.due() ?? [];
    this.parts.afterEvent = this.parts.afterStep = () => this.#driver?.event();
    if (restored) goOn(this.parts, restored);
    else begin(this.parts, plan, files);
  }

  get trace(): Trace {
    return this.parts.trace;
  }

  get positions(): Positions {
    return this.parts.recorder.positions;
  }

  get asks(): Asks {
    return this.parts.asks;
  }

  get isIdle(): boolean {
    return this.#running === undefined;
  }

  get clock(): ClockState {
    const { virtual, clock } = this.parts;
    return {
      virtual: virtual !== undefined,
      playing: virtual?.playing ?? true,
      speed: virtual?.speed ?? 1,
      still: virtual?.still ?? false,
      resting: virtual?.resting ?? false,
      at: Math.max(clock.now(), this.trace.at),
      ready: this.#driver !== undefined && !this.#driver.started,
      goesOn: this.#driver?.moment !== undefined,
    };
  }

  /** Resolves when no run is going on, and none follows. */
  async whenIdle(): Promise<void> {
    for (let next; (next = this.#running ?? this.#driver?.moment);) await next;
  }

  /** Gives what a person does now its own time. */
  syncTime(): void {
    this.parts.virtual?.sync();
  }

  play(): void {
    this.#needsVirtual();
    this.#setStepping(false);
    this.#goOn();
  }

  /**
   * Goes on as `play` does, to the next step of the loop that is recorded, and is held there as by `pause`. When one is
   * under way already, the rest of it comes at once.
   */
  step(): void {
    const clock = this.#needsVirtual();
    if (this.parts.gate?.isStepping && clock.playing) return clock.hurry();
    this.#setStepping(true);
    // Between two runs of a scenario its moment passes, as it does in play.
    if (this.#driver?.moment) this.#resume();
    else if (this.isIdle || !clock.playing) this.#goOn();
    this.#endStepping();
  }

  pause(): void {
    const clock = this.#needsVirtual();
    const { recorder } = this.parts;
    if (!clock.playing) return;
    this.#setStepping(false);
    recorder.write({ type: 'pause', ...recorder.on() });
    clock.pause();
    this.#options.onClock?.();
  }

  setSpeed(speed: number): void {
    if (!(speed > 0)) throw problem('clock.badSpeed');
    this.#needsVirtual().setSpeed(speed);
    this.#options.onClock?.();
  }

  /** Starts a run. Throws `run.active` during one, and `endpoint.unconfirmed {address}`. */
  prompt(text: string): void {
    this.#run('prompt', () => {
      tellPrompt(this.parts);
      return this.parts.agent.prompt(this.#userMessage(text));
    });
  }

  /** Throws `continue.running`, `continue.empty` or `continue.nothingQueued` when the loop would refuse. */
  continue(): void {
    const { agent } = this.parts;
    const kind = agent.continueKind();
    if (typeof kind === 'object') throw problem(`continue.${kind.blocked}`);
    this.#run(kind, () => {
      // At the transcript's end the message would keep the loop from beginning with what is queued.
      if (kind !== 'request') return agent.continue(changedPrompt(this.parts));
      tellPrompt(this.parts);
      return agent.continue();
    });
  }

  /** Takes the failed messages off the transcript's end and continues. Throws `run.active`, `endpoint.unconfirmed` or `retry.nothing`. */
  retry(): void {
    this.#mayRun();
    const drop = canRetry(this.trace);
    if (!drop) throw problem('retry.nothing');
    rewind(this.parts, 'retry', drop);
    this.continue();
  }

  /** Takes the transcript from this prompt on back, and prompts anew. Throws `run.active`, `endpoint.unconfirmed` or `prompt.gone`. */
  editPrompt(id: string, text: string): void {
    this.#mayRun();
    if (!rewindToPrompt(this.parts, id)) throw problem('prompt.gone');
    this.prompt(text);
  }

  /** Nothing happens when that prompt is not in the transcript any more. */
  rewindToPrompt(nth: number): void {
    rewindToPrompt(this.parts, promptIds(this.trace)[nth - 1]);
  }

  after(ms: number, callback: () => void): void {
    const { virtual, clock } = this.parts;
    (virtual?.setEarlyTimer ?? clock.setTimer)(ms, callback);
  }

  mayGoOn(how: 'continue' | 'retry'): boolean {
    if (how === 'retry') return canRetry(this.trace) !== undefined;
    return typeof this.parts.agent.continueKind() === 'string';
  }

  queue(queue: QueueName, text: string): void {
    const message = this.#userMessage(text);
    if (queue === 'steering') this.parts.agent.steer(message);
    else this.parts.agent.followUp(message);
  }

  queuedId(queue: QueueName, item: number): string | undefined {
    return this.parts.agent.queued(queue)[item - 1]?.id;
  }

  /** These three throw `queue.gone` when the message waits no more. */
  removeQueued(id: string): void {
    if (!this.parts.agent.removeQueued(id)) throw problem('queue.gone');
  }
  editQueued(id: string, text: string): void {
    if (!this.parts.agent.editQueued(id, this.#userMessage(text))) throw problem('queue.gone');
  }
  moveQueued(id: string, queue: QueueName, index?: number): void {
    if (!this.parts.agent.moveQueued(id, queue, index)) throw problem('queue.gone');
  }

  clearQueue(queue: QueueName): void {
    if (queue === 'steering') this.parts.agent.clearSteeringQueue();
    else this.parts.agent.clearFollowUpQueue();
  }

  /** Aborts the run that goes on, if any. */
  abort(): void {
    const run = this.trace.runs.at(-1);
    if (run?.status !== 'running') return;
    const { recorder, agent } = this.parts;
    recorder.write({ type: 'abort', run: run.id, ...recorder.on() });
    agent.abort();
  }

  /** A person's abort, of one run and no later one: false when it is over. The scenario's next prompts wait for `play`. */
  abortRun(id: string): boolean {
    const run = this.trace.runs.at(-1);
    if (run?.id !== id || run.status !== 'running') return false;
    this.#driver?.halt();
    this.#setStepping(false);
    this.abort();
    // What ignores an abort is given up after some virtual time, which must pass for that.
    this.#resume();
    return true;
  }

  setMode(queue: QueueName, mode: QueueMode): void {
    this.configure(queue === 'steering' ? { steeringMode: mode } : { followUpMode: mode });
  }

  setTools(tools: readonly (string | ScriptedTool)[]): void {
    this.parts.tools.know(tools);
    this.configure({ tools: toolNames(tools) });
  }

  configure(settings: Settings): void {
    configure(this.parts, settings);
  }

  setRules(rules: HookRule[]): void {
    setRules(this.parts, rules);
  }

  /** Throws a ScenarioError when it is no answer, and `ask.over` when that request waits no more. */
  answerAsModel(message: string, answer: unknown): void {
    this.parts.manual.answer(message, answer);
    this.#resume();
  }

  changeFile(path: string, content?: string | Uint8Array): void {
    const { fs } = this.parts.files;
    if (content === undefined) deleteFile(fs, path);
    else writeFile(fs, { path, content }, true);
  }

  answerOldest(kind: 'permission' | 'answer', value: boolean | string): void {
    this.asks.answerOldest(kind, value);
  }

  /** Aborts what runs, writes what is held back, and records nothing any more. */
  async close(graceMs = 2000): Promise<void> {
    this.#driver?.halt();
    if (!this.isIdle) {
      this.#setStepping(false);
      this.abort();
      this.parts.virtual?.setSpeed(Infinity);
      this.#resume();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const grace = new Promise<void>((resolve) => (timer = setTimeout(resolve, graceMs)));
      await Promise.race([this.whenIdle(), grace]);
      clearTimeout(timer);
    }
    this.parts.close();
  }

  #userMessage(text: string): UserMessage {
    return { role: 'user', content: text, timestamp: this.parts.now() };
  }

  #run(how: Recorder['how'], start: () => Promise<void>): void {
    this.#mayRun();
    this.#driver?.begins();
    this.#resume();
    const { recorder } = this.parts;
    recorder.how = how;
    // Not started here: what it tells at once must find the session running.
    this.#running = Promise.resolve()
      .then(start)
      .catch(this.#options.onFailure)
      .then(() => {
        const run = this.trace.runs.at(-1);
        if (run && !run.settled) recorder.write({ type: 'settled', run: run.id });
        this.parts.runEnded();
        this.#running = undefined;
        this.#driver?.settled();
        // How it stopped is seen before the next run of the scenario begins.
        if (this.parts.gate?.isStepping && this.#driver?.moment) this.#hold();
        else this.#endStepping();
        this.#options.onClock?.();
      });
  }

  #goOn(): void {
    this.#resume();
    // A run that a person began is resumed, and nothing of a scenario that has not begun comes behind it.
    if (this.isIdle || this.#driver?.started) this.#driver?.play();
    this.#options.onClock?.();
  }

  /** The loop has recorded a step at which it is to be held. */
  #hold(): void {
    const { recorder, virtual } = this.parts;
    recorder.write({ type: 'pause', stepped: true, ...recorder.on() });
    virtual?.stop();
    this.#options.onClock?.();
  }

  #setStepping(isStepping: boolean): void {
    const { gate, virtual } = this.parts;
    if (gate) gate.isStepping = isStepping;
    if (!isStepping) virtual?.atEase();
  }

  /** Between two runs of a scenario no step comes: that moment passes at once. With no more runs there are no more steps. */
  #endStepping(): void {
    if (!this.isIdle || !this.parts.gate?.isStepping) return;
    if (this.#driver?.moment) this.parts.virtual?.hurry();
    else this.#setStepping(false);
  }

  #resume(): void {
    const { virtual, recorder } = this.parts;
    if (!virtual || virtual.playing) return;
    if (this.trace.paused) recorder.write({ type: 'resume' });
    virtual.play();
    this.#options.onClock?.();
  }

  /** Throws `run.active`, or `endpoint.unconfirmed {address}`: an address from a file is asked nothing by itself. */
  #mayRun(): void {
    if (!this.isIdle) throw problem('run.active');
    const { agent, endpointUnconfirmed } = this.parts;
    const { model } = agent.state;
    if (endpointUnconfirmed && isAsked(model))
      throw problem('endpoint.unconfirmed', { address: model.baseUrl });
  }

  #needsVirtual(): VirtualClock {
    if (!this.parts.virtual) throw problem('clock.real');
    return this.parts.virtual;
  }
}
