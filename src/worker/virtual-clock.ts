/** The time of a scenario: it goes from one timer to the next, paced against real time, and can be held. */
import { sleepWith } from './clock';
import type { Clock, SetTimer } from './clock';
import { macrotask } from './macrotask';
import { TimerHeap } from './timer-heap';
import type { Timer } from './timer-heap';

export interface VirtualClockOptions {
  /** ms since the session was created. */
  at?: number;
  /** How many virtual ms pass in a real one; `Infinity`: as fast as it can. */
  speed?: number;
  playing?: boolean;
  /** Real ms. */
  realNow?: () => number;
}

/** How far behind real time may be caught up, in ms: more is the machine's sleep or a debugger. */
const catchUpMs = 100;

/**
 * Virtual time moves only when a timer fires, one timer in a task of its own: whatever the timer before set going has then
 * come to rest. So what happens, and when, depends on nothing but the timers; real time only paces it.
 */
export class VirtualClock implements Clock {
  /**
   * Called when nothing is left that would move time: no timer waits and nothing holds it. Returns whether it set something
   * going, after which the clock looks again.
   */
  onStall: (() => boolean) | undefined;
  /** Called when `still` or `resting` changed. */
  onChange: (() => void) | undefined;

  readonly #timers = new TimerHeap();
  /** What goes on at the same time, before any timer. */
  readonly #soon: (() => void)[] = [];
  readonly #realNow: () => number;
  #now: number;
  #speed: number;
  #playing: boolean;
  #hurried = false;
  #holds = 0;
  #sequence = 0;
  /** The moment that pacing counts from. */
  #anchor: { real: number; virtual: number };
  /** Nothing was waiting when it was last looked for: the next timer counts from the real time at which it is set. */
  #resting = true;
  #scheduled = false;
  #cancelWait: (() => void) | undefined;

  constructor({
    at = 0,
    speed = 1,
    playing = true,
    realNow = () => performance.now(),
  }: VirtualClockOptions = {}) {
    this.#now = Math.round(at);
    this.#speed = speed;
    this.#playing = playing;
    this.#realNow = realNow;
    this.#anchor = { real: realNow(), virtual: this.#now };
  }

  get playing(): boolean {
    return this.#playing;
  }
  get speed(): number {
    return this.#speed;
  }

  /** Something holds it. */
  get still(): boolean {
    return this.#holds > 0;
  }

  /** Nothing is due: until something is, time passes as real time does, whatever the speed. */
  get resting(): boolean {
    return this.#resting;
  }

  readonly now = (): number => this.#now;

  readonly setTimer: SetTimer = (ms, callback) => this.#set(ms, callback, false);

  /**
   * For what a person or a scenario does: it comes before all else of its moment. So what the records tell to have come
   * before an event of the same ms comes before it when they are played again, whoever set the timers first.
   */
  readonly setEarlyTimer: SetTimer = (ms, callback) => this.#set(ms, callback, true);

  readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> => sleepWith(this.setTimer, ms, signal);

  /**
   * Calls back at the time that it is, in a task of its own and before any timer: also while something real holds time,
   * but not while it is paused.
   */
  soon(callback: () => void): void {
    this.#soon.push(callback);
    this.#schedule();
  }

  play(): void {
    if (this.#playing) return;
    this.#playing = true;
    this.#restart();
    this.#schedule();
  }

  pause(): void {
    if (!this.#playing) return;
    this.sync();
    this.stop();
  }

  /** Pauses at the time of what happened last, and not where pacing has it. */
  stop(): void {
    this.#playing = this.#hurried = false;
  }

  /** As fast as it can, until it is paused or `atEase`. */
  hurry(): void {
    this.#hurried = true;
    this.#schedule();
  }

  /** At its own speed again. */
  atEase(): void {
    if (!this.#hurried) return;
    this.#hurried = false;
    this.#restart();
  }

  setSpeed(speed: number): void {
    this.sync();
    this.#speed = speed;
    this.#schedule();
  }

  /** Time stands still until the function that it returns is called: something real is at work. */
  hold(): () => void {
    this.#holds++;
    if (this.#holds === 1) this.onChange?.();
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#holds--;
      if (this.#holds > 0) return;
      this.#restart();
      this.onChange?.();
      this.#schedule();
    };
  }

  /**
   * Moves time to where pacing has it between two timers, so that what a person does now has its own time. Never to or
   * past the next timer.
   */
  sync(): void {
    // What is about to go on does so at the time at which it came.
    if (this.#isHeld() || this.#soon.length > 0) return;
    const next = this.#timers.peek();
    // A speed is for what happens: while nothing is due, somebody thinks.
    const passed = (this.#realNow() - this.#anchor.real) * (next ? this.#pace : 1);
    // At infinite speed nothing lies between the timers.
    const paced = Number.isFinite(passed) ? Math.floor(this.#anchor.virtual + passed) : this.#now;
    this.#now = Math.max(this.#now, next ? Math.min(paced, next.due) : paced);
    this.#anchor = { real: this.#realNow(), virtual: this.#now };
  }

  #set(ms: number, callback: () => void, early: boolean): () => void {
    const due = this.#now + Math.max(0, Math.round(ms) || 0);
    const timer: Timer = { due, early, sequence: this.#sequence++, callback };
    this.#timers.push(timer);
    if (this.#resting) this.#restart();
    this.#schedule();
    return () => {
      timer.cancelled = true;
    };
  }

  get #pace(): number {
    return this.#hurried ? Infinity : this.#speed;
  }

  #isHeld(): boolean {
    return !this.#playing || this.#holds > 0;
  }

  #rest(resting: boolean): void {
    if (this.#resting === resting) return;
    this.#resting = resting;
    this.onChange?.();
  }

  #restart(): void {
    this.#rest(false);
    this.#anchor = { real: this.#realNow(), virtual: this.#now };
  }

  #schedule(): void {
    this.#cancelWait?.();
    this.#cancelWait = undefined;
    if (this.#scheduled) return;
    this.#scheduled = true;
    macrotask(() => {
      this.#scheduled = false;
      this.#step();
    });
  }

  #step(): void {
    const soon = this.#playing ? this.#soon.shift() : undefined;
    if (soon) {
      soon();
      return this.#schedule();
    }
    if (this.#isHeld()) return;
    const next = this.#timers.peek();
    if (!next) {
      this.#rest(true);
      if (this.onStall?.()) this.#schedule();
      return;
    }
    const wait = this.#realDue(next) - this.#realNow();
    if (wait > 1) {
      const timer = setTimeout(() => this.#step(), wait);
      this.#cancelWait = () => clearTimeout(timer);
      return;
    }
    this.#fire(next);
    this.#schedule();
  }

  #fire(timer: Timer): void {
    this.#timers.pop();
    const real = Math.max(this.#realDue(timer), this.#realNow() - catchUpMs);
    this.#anchor = { real, virtual: timer.due };
    this.#now = timer.due;
    timer.callback();
  }

  #realDue({ due }: Timer): number {
    return this.#pace === Infinity
      ? this.#realNow()
      : this.#anchor.real + (due - this.#anchor.virtual) / this.#speed;
  }
}
