/**
 * The open session as the page holds it: the log (a plain array), its fold (the trace), and a version that counts up
 * once a frame when either grew. Views read the trace and depend on the version.
 */
import type { ClockState, FromWorker, Opened } from '../protocol';
import type { Problem, SessionInfo, TraceRecord } from '../records/types';
import type { ReadRecords } from '../store';
import { emptyTrace, foldInto } from '../trace';
import type { Trace } from '../trace';
import { problemOf } from './client';
import type { CommandBody, WorkerClient } from './client';
import { FrameShare } from './frame-share.svelte';
import { TraceWatchers } from './trace-watchers';

/** Reads what is stored of a session after a sequence number. */
export type ReadSession = (session: string, after: number) => Promise<ReadRecords>;

type OfSession<C> = C extends { session: string } ? Omit<C, 'session'> : never;
export type SessionCommand = OfSession<CommandBody>;
type OfOne = Extract<FromWorker, { session: string }>;

/** Real ms of a frame that folding may take, and after how many records it looks at the time. */
const foldMs = 6;
const foldAtOnce = 250;
/** Real ms that records may be behind the clock as it goes on between them: their way here takes some. */
const behindMs = 150;

export class Session {
  /** `failed`: it could not be opened, and `problem` says why. */
  phase = $state<'none' | 'opening' | 'failed' | 'open'>('none');
  problem = $state.raw<Problem | undefined>();
  info = $state.raw<SessionInfo | undefined>();
  clock = $state.raw<ClockState | undefined>();
  readOnly = $state(false);
  /** Saving stopped, and the run goes on in memory. */
  storageProblem = $state.raw<Problem | undefined>();
  /** What is stored of it cannot all be read. */
  damage = $state.raw<Problem | undefined>();
  trace = $state.raw<Trace>(emptyTrace());
  version = $state(0);
  /** Versions for the panels, which may be drawn some frames later when much comes at once. */
  readonly share = new FrameShare();
  readonly watchers = new TraceWatchers();
  /** Session time in ms, as it goes on between records. It never goes back. */
  now = $state(0);
  /** Grows in place: `version` counts that up. Another session has another one. */
  log = $state.raw<TraceRecord[]>([]);

  #stored = true;
  #attempt = 0;
  /** What came for a session before its `Opened` was read. */
  #early: OfOne[] | undefined;
  #waiting: TraceRecord[] = [];
  #frame = false;
  #repairing = false;
  /** Session time at a real time: it goes on from there. */
  #paced = { at: 0, real: 0 };

  constructor(
    readonly client: WorkerClient,
    readonly readRecords: ReadSession,
  ) {}

  get id(): string | undefined {
    return this.info?.id;
  }

  /** Sends a command for the open session. */
  send(command: SessionCommand): Promise<unknown> {
    return this.client.send({ ...command, session: this.info?.id ?? '' });
  }

  /**
   * Shows the session that `request` (a `create` or `open` command) opens. When it is refused, the worker keeps the one
   * that was open, and so does the page: then the problem is returned, to be told. Without one, `phase` is `failed`.
   * `stored` is the session's id when it is known to be stored: it is read while the worker starts or opens it, and
   * where nothing else is open its trace is there to be looked at before the worker has opened it.
   */
  async show(request: () => Promise<unknown>, stored?: string): Promise<Problem | undefined> {
    const attempt = ++this.#attempt;
    if (this.phase !== 'open') this.phase = 'opening';
    this.#early = [];
    let switched = false;
    const ahead = stored === undefined ? undefined : this.#readAhead(stored, attempt);
    try {
      // The worker would read the same at the same time, and both would be late.
      if (this.phase === 'opening') await ahead;
      const opened = (await request()) as Opened;
      switched = true;
      const read = await this.#recordsAfter(opened, await ahead);
      if (attempt === this.#attempt) this.#opened(opened, read);
      return undefined;
    } catch (error) {
      if (attempt !== this.#attempt) return undefined;
      this.#early = undefined;
      const problem = problemOf(error);
      if (this.phase === 'open' && !switched) return problem;
      this.#reset([]);
      this.phase = 'failed';
      this.problem = problem;
      return undefined;
    }
  }

  receive(message: OfOne): void {
    if (message.session !== this.info?.id) this.#early?.push(message);
    else if (message.type === 'records') this.#take(message.records);
    else if (message.type === 'clock') this.#setClock(message.clock);
    else this.storageProblem = message.problem;
  }

  /** `undefined` when it cannot be read, which the reading after the worker's reply will tell. */
  async #readAhead(id: string, attempt: number): Promise<ReadRecords | undefined> {
    const read = await this.readRecords(id, 0).catch(() => undefined);
    if (read && attempt === this.#attempt && this.phase === 'opening') this.#reset(read.records);
    return read;
  }

  /** All records: those that were read before, and what was stored since. */
  async #recordsAfter(opened: Opened, ahead: ReadRecords | undefined): Promise<ReadRecords> {
    if (!ahead || !opened.stored) return this.#recordsOf(opened, 0);
    const last = ahead.records.at(-1)?.seq ?? 0;
    if (last >= opened.seq) return ahead;
    const more = await this.#recordsOf(opened, last);
    for (const record of more.records) ahead.records.push(record);
    return { ...more, records: ahead.records };
  }

  async #recordsOf({ info, stored }: Pick<Opened, 'info' | 'stored'>, after: number): Promise<ReadRecords> {
    if (stored) return this.readRecords(info.id, after);
    const all = (await this.client.send({ type: 'records', session: info.id })) as TraceRecord[];
    return { records: all.filter(({ seq }) => seq > after) };
  }

  #opened(opened: Opened, { records, problem }: ReadRecords): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    this.info = opened.info;
    this.readOnly = opened.readOnly;
    this.#stored = opened.stored;
    this.problem = undefined;
    this.storageProblem = undefined;
    this.damage = opened.problem ?? problem;
    this.#reset(records);
    this.#setClock(opened.clock);
    this.phase = 'open';
    for (const message of early) this.receive(message);
  }

  /** Anew, or on from what is shown already. */
  #reset(records: TraceRecord[]): void {
    this.#waiting = [];
    if (records === this.log) foldInto(this.trace, records.slice(this.trace.seq));
    else this.trace = foldInto(emptyTrace(), records);
    this.log = records;
    this.now = this.trace.at;
    this.version++;
    this.share.all();
    this.watchers.anew();
  }

  #setClock(clock: ClockState): void {
    this.clock = clock;
    this.#paced = { at: clock.at, real: performance.now() };
    this.#tick();
    this.#schedule();
  }

  #take(records: TraceRecord[]): void {
    const known = this.#waiting.at(-1)?.seq ?? this.log.at(-1)?.seq ?? 0;
    const fresh = records[0] && records[0].seq > known ? records : records.filter(({ seq }) => seq > known);
    if (fresh.length === 0) return;
    this.#waiting.push(...fresh);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#frame) return;
    this.#frame = true;
    // A hidden page gets no frames, but its log must not fall behind.
    if (document.hidden) setTimeout(() => this.#flush(), 250);
    else requestAnimationFrame(() => this.#flush());
  }

  #flush(): void {
    this.#frame = false;
    if (!document.hidden) this.#timeFrame();
    const next = (this.log.at(-1)?.seq ?? 0) + 1;
    const first = this.#waiting[0]?.seq;
    if (first !== undefined && first > next) void this.#repair(first - 1);
    else if (first !== undefined) {
      this.share.frame(this.#foldWaiting());
      this.version++;
      this.#followRecords();
    } else if (this.share.isBehind) this.share.frame(0);
    this.#tick();
    if (this.#moving() || this.#waiting.length > 0 || this.share.isBehind) this.#schedule();
  }

  /** A timer that is set in a frame runs when the frame is painted. */
  #timeFrame(): void {
    const began = performance.now();
    setTimeout(() => this.share.took(performance.now() - began));
  }

  /** In order, and a burst over several frames. A hidden page has no frames to lose. Returns how many were folded. */
  #foldWaiting(): number {
    const waiting = this.#waiting;
    const until = document.hidden ? Infinity : performance.now() + foldMs;
    let folded = 0;
    do {
      const records = waiting.slice(folded, folded + foldAtOnce);
      this.log.push(...records);
      foldInto(this.trace, this.watchers.tell(records));
      folded += records.length;
    } while (folded < waiting.length && performance.now() < until);
    this.#waiting = waiting.slice(folded);
    return folded;
  }

  /** Fills a gap in what came from the worker, which should never be. */
  async #repair(upTo: number): Promise<void> {
    if (this.#repairing || !this.info) return;
    this.#repairing = true;
    const { info } = this;
    try {
      const last = this.log.at(-1)?.seq ?? 0;
      const { records } = await this.#recordsOf({ info, stored: this.#stored }, last);
      const missing = records.filter(({ seq }) => seq <= upTo);
      if (info === this.info && missing.at(-1)?.seq === upTo) this.#waiting.unshift(...missing);
    } catch (error) {
      this.storageProblem = problemOf(error);
    } finally {
      this.#repairing = false;
      setTimeout(() => this.#schedule(), 300);
    }
  }

  #moving(): boolean {
    const { playing = false, still = false, goesOn = false } = this.clock ?? {};
    return this.phase === 'open' && playing && !still && (goesOn || this.trace.state !== 'idle');
  }

  /** Real speed of what moves. */
  #speed(): number {
    const { virtual = false, resting = false, speed: chosen = 1 } = this.clock ?? {};
    const speed = virtual && !resting ? chosen : 1;
    return this.#moving() && Number.isFinite(speed) ? speed : 0;
  }

  #pacedNow(): number {
    return this.#paced.at + (performance.now() - this.#paced.real) * this.#speed();
  }

  /** The worker loses time when the machine is busy: then the clock goes on from what came last. */
  #followRecords(): void {
    const { at } = this.trace;
    const isBehind = this.#pacedNow() - at > behindMs * this.#speed();
    if (isBehind) this.#paced = { at, real: performance.now() };
  }

  #tick(): void {
    if (!this.clock) return;
    // Between runs it says when the last thing happened, not for how long nobody has done anything.
    const isIdle = this.trace.state === 'idle' && !this.clock.goesOn;
    this.now = Math.max(this.now, this.trace.at, isIdle ? 0 : this.#pacedNow());
  }
}
