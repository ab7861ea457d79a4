/** Plays a scenario's part of the person: its prompts, and its actions at places of the loop. */
import { fromBase64 } from '../json/base64';
import type { QueueName, ThinkingLevel, ToolExecutionMode } from '../loop/types';
import type { HookRule, Scenario, ScenarioAction } from '../scenario/types';
import type { Positions } from './positions';

/** What the driver does is what a person could do. */
export interface Driven {
  readonly positions: Positions;
  readonly isIdle: boolean;
  prompt(text: string): void;
  continue(): void;
  /** Calls back after so many ms of the session's time. */
  after(ms: number, callback: () => void): void;
  /** Whether there is something to continue or to retry. */
  mayGoOn(how: 'continue' | 'retry'): boolean;
  retry(): void;
  queue(queue: QueueName, text: string): void;
  abort(): void;
  clearQueue(queue: QueueName): void;
  /** The id of a queued message by its place, from 1. */
  queuedId(queue: QueueName, item: number): string | undefined;
  editQueued(id: string, text: string): void;
  removeQueued(id: string): void;
  moveQueued(id: string, queue: QueueName, index?: number): void;
  setMode(queue: QueueName, mode: 'one-at-a-time' | 'all'): void;
  configure(set: {
    thinkingLevel?: ThinkingLevel;
    toolExecution?: ToolExecutionMode;
    systemPrompt?: string;
    requestLimit?: number;
  }): void;
  /** Takes the nth prompt and all behind it back. */
  rewindToPrompt(nth: number): void;
  setRules(rules: HookRule[]): void;
  /** Without content it is deleted. */
  changeFile(path: string, content?: string | Uint8Array): void;
  setTools(tools: Extract<ScenarioAction, { do: 'tools' }>['tools']): void;
  answerOldest(kind: 'permission' | 'answer', value: boolean | string): void;
}

export interface DriverOptions {
  /** Virtual ms between a run's end and what comes next. */
  momentMs: number;
  /** The prompts of a session that goes on, in order: it was started before, and waits for Play. */
  sent?: readonly string[] | undefined;
  /** A moment is over. */
  onMoment?: () => void;
}

export class Driver {
  readonly #scenario: Scenario;
  readonly #session: Driven;
  readonly #prompts: readonly string[];
  #started: boolean;
  #nextPrompt: number;
  #halted: boolean;
  /** What comes when the run is over, before the next prompt. */
  #goOn: 'continue' | 'retry' | undefined;
  /** The prompt that is taken back when the run is over. */
  #takenBack: number | undefined;
  /** The moment after a run, and what ends it. */
  #moment: { over: Promise<void>; end: () => void } | undefined;

  readonly #momentMs: number;
  readonly #onMoment: DriverOptions['onMoment'];

  constructor(scenario: Scenario, session: Driven, { momentMs, sent, onMoment }: DriverOptions) {
    this.#momentMs = momentMs;
    this.#onMoment = onMoment;
    this.#scenario = scenario;
    this.#session = session;
    this.#prompts = scenario.prompts ?? [];
    this.#started = sent !== undefined;
    this.#halted = sent !== undefined;
    this.#nextPrompt = 0;
    for (const text of sent ?? []) if (text === this.#prompts[this.#nextPrompt]) this.#nextPrompt++;
  }

  /** The scenario's own prompts and actions have begun. */
  get started(): boolean {
    return this.#started;
  }

  /** Resolves when the scenario goes on after a run, or was kept from it; `undefined` when it is not about to. */
  get moment(): Promise<void> | undefined {
    return this.#moment?.over;
  }

  /** Starts the scenario, or goes on after `halt`. */
  play(): void {
    this.#halted = false;
    if (!this.#started && this.#scenario.start === 'continue') this.#goOn = 'continue';
    this.#started = true;
    this.#next();
  }

  /** A person took over: the prompts that are left wait for `play`. */
  halt(): void {
    if (this.#started) this.#halted = true;
    this.#moment?.end();
  }

  /** A run begins, whoever began it: what was to come of the one before has come, or never will. */
  begins(): void {
    this.#goOn = this.#takenBack = undefined;
    this.#moment?.end();
  }

  /** The session is idle: goes on in a moment, when there is more. */
  settled(): void {
    if (this.#takenBack === undefined && this.#goOn && !this.#session.mayGoOn(this.#goOn))
      this.#goOn = undefined;
    const goesOn = this.#goOn !== undefined || this.#takenBack !== undefined;
    const hasMore = goesOn || this.#nextPrompt < this.#prompts.length;
    if (!this.#started || this.#halted || !hasMore) return;
    if (this.#momentMs === 0) return this.#next();
    let resolve!: () => void;
    const over = new Promise<void>((done) => (resolve = done));
    const moment = {
      over,
      end: () => {
        this.#moment = undefined;
        resolve();
        this.#onMoment?.();
      },
    };
    this.#moment = moment;
    this.#session.after(this.#momentMs, () => {
      if (this.#moment === moment) this.#next();
    });
  }

  /** Goes on as an action said, or sends the next prompt. */
  #next(): void {
    this.#moment?.end();
    if (!this.#started || this.#halted || !this.#session.isIdle) return;
    const session = this.#session;
    if (this.#takenBack !== undefined) session.rewindToPrompt(this.#takenBack);
    this.#takenBack = undefined;
    if (this.#goOn && session.mayGoOn(this.#goOn)) return session[this.#goOn]();
    this.#goOn = undefined;
    const text = this.#prompts[this.#nextPrompt];
    if (text === undefined) return;
    session.prompt(text);
    // Not one that is refused.
    this.#nextPrompt++;
  }

  /** Called inside the loop's own listener, so that an action comes exactly between two events. */
  event(): void {
    for (const act of this.due()) act();
  }

  /** What is to be done at the event or step that was told last. What comes some time after it is set going. */
  due(): (() => void)[] {
    if (!this.#started) return [];
    return (this.#scenario.actions ?? []).flatMap((action) => {
      if (!this.#session.positions.isAt(action.on)) return [];
      const act = () => this.#act(action);
      if (action.afterMs === undefined) return act;
      this.#session.after(action.afterMs, act);
      return [];
    });
  }

  /** An action on a queued message that is not there has nothing to do: the loop took it before. */
  #act(action: ScenarioAction): void {
    const session = this.#session;
    switch (action.do) {
      case 'steer':
        return session.queue('steering', action.text);
      case 'followUp':
        return session.queue('followUp', action.text);
      case 'abort':
        return session.abort();
      case 'clear':
        if (action.queue !== 'followUp') session.clearQueue('steering');
        if (action.queue !== 'steering') session.clearQueue('followUp');
        return;
      case 'edit':
      case 'remove':
      case 'move':
        return this.#actOnQueued(action);
      case 'mode':
        return session.setMode(action.queue, action.mode);
      case 'tools':
        return session.setTools(action.tools);
      case 'set': {
        const { on: _on, afterMs: _afterMs, do: _do, ...set } = action;
        return session.configure(set);
      }
      case 'rules':
        return session.setRules(action.rules);
      case 'file': {
        const { path, content } = action;
        return session.changeFile(path, typeof content === 'object' ? fromBase64(content.base64) : content);
      }
      case 'continue':
      case 'retry':
        if (this.#isAwaited) this.#goOn = action.do;
        return;
      case 'rewind':
        if (this.#isAwaited) this.#takenBack = action.prompt;
        return;
      case 'permission':
        return session.answerOldest('permission', action.allow);
      case 'answer':
        return session.answerOldest('answer', action.text);
    }
  }

  /** A run is yet to end, or something follows it: an action that comes later has nothing to follow any more. */
  get #isAwaited(): boolean {
    return !this.#session.isIdle || this.#moment !== undefined;
  }

  #actOnQueued(action: Extract<ScenarioAction, { do: 'edit' | 'remove' | 'move' }>): void {
    const id = this.#session.queuedId(action.queue, action.item);
    if (id === undefined) return;
    if (action.do === 'edit') this.#session.editQueued(id, action.text);
    else if (action.do === 'remove') this.#session.removeQueued(id);
    else this.#session.moveQueued(id, action.to, action.index);
  }
}
