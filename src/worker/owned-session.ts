/** A session that this worker writes: at work, stored, and told to the page and to other tabs. */
import type { FromWorker, Opened } from '../protocol';
import type { BlobHash, Problem, SessionInfo, TraceRecord } from '../records/types';
import type { Commit, Store } from '../store';
import type { Trace } from '../trace/types';
import type { Claim } from './claim';
import { Outbox } from './outbox';
import { Relay } from './relay';
import { Session } from './session';
import type { SessionOptions } from './session';

export interface OwnedSessionOptions extends Omit<
  SessionOptions,
  'sink' | 'onFailure' | 'onClock' | 'createdAt'
> {
  info: SessionInfo;
  store: Store;
  claim: Claim;
  post: (message: FromWorker) => void;
  onFailure: (error: unknown) => void;
  /** What could not be read when it was opened. */
  problem?: Problem | undefined;
}

/** Virtual ms that people have to read how a run ended before its scenario goes on. */
const MOMENT = 2500;

export class OwnedSession {
  readonly readOnly = false;
  readonly session: Session;
  readonly #options: OwnedSessionOptions;
  readonly #outbox: Outbox;
  readonly #relay: Relay;
  /** From here on the page is told; before, it reads what is stored. */
  #toldAfter = Infinity;
  #posted = 0;
  #title: string;
  /** From here on nothing could be read: it is set aside before something is written in its place. */
  #damagedFrom: number | undefined;
  /** The scenario is stored, and need not be written with every commit. */
  #hasScenario: boolean;
  #closed = false;

  constructor(options: OwnedSessionOptions) {
    const { info, store, post, problem, restored } = options;
    this.#options = options;
    this.#title = info.title;
    this.#hasScenario = restored !== undefined;
    if (problem?.code === 'session.damaged') this.#damagedFrom = (restored?.trace.seq ?? 0) + 1;
    this.#outbox = new Outbox(
      {
        store: { ...store, commit: (commit) => this.#commit(commit) },
        info: () => this.info,
        post: (records) => this.#post(records),
        onProblem: (trouble) => {
          post({ type: 'storage', session: info.id, ...(trouble ? { problem: trouble } : {}) });
          if (!trouble && this.#closed) this.discard();
        },
      },
      restored?.trace.seq,
    );
    this.session = new Session({
      ...options,
      createdAt: info.createdAt,
      sink: {
        record: (record) => this.#record(record),
        blob: (hash, bytes) => this.#outbox.addBlob(hash, bytes),
      },
      momentMs: MOMENT,
      onClock: () => this.#tellClock(),
    });
    this.#relay = new Relay({
      session: info.id,
      since: async (seq) => (await this.records(seq)).filter((record) => record.seq <= this.#posted),
      clock: () => this.session.clock,
    });
  }

  get id(): string {
    return this.#options.info.id;
  }

  get info(): SessionInfo {
    const { trace } = this.session;
    const state = trace.state === 'idle' ? 'idle' : 'running';
    const { endpointUnconfirmed: _, ...info } = this.#options.info;
    return {
      ...info,
      ...(this.session.parts.endpointUnconfirmed ? { endpointUnconfirmed: true } : {}),
      title: this.#title,
      updatedAt: Date.now(),
      seq: trace.seq,
      at: trace.at,
      state,
    };
  }

  /** Stores what there is and says where the page reads it. */
  async opened(): Promise<Opened> {
    await this.#outbox.flush();
    const { seq } = this.session.trace;
    this.#toldAfter = seq;
    const { store, problem } = this.#options;
    return {
      info: this.info,
      seq,
      readOnly: false,
      stored: store.stored && this.#outbox.committed === seq,
      clock: this.session.clock,
      ...(problem ? { problem } : {}),
    };
  }

  rename(title: string): void {
    this.#title = title;
    this.#outbox.infoChanged();
    this.#options.post({ type: 'sessions' });
  }

  /** Records after `seq`, stored or not. */
  async records(seq = 0): Promise<TraceRecord[]> {
    const { records } = await this.#options.store.readRecords(this.id, seq);
    return [...records, ...this.#outbox.pending(records.at(-1)?.seq ?? seq)];
  }

  async blob(hash: BlobHash): Promise<Uint8Array | undefined> {
    return this.#outbox.blob(hash) ?? this.#options.store.readBlob(hash);
  }

  trace(): Promise<Trace> {
    return Promise.resolve(this.session.trace);
  }

  /** Stores what there is. When that fails, a `storage` message tells, and it is tried again. */
  save(): Promise<void> {
    return this.#outbox.flush();
  }

  /** Ends what runs. `leave` comes after it. */
  async close(): Promise<void> {
    await this.session.close();
    this.#closed = true;
    this.#relay.close();
  }

  /** Lets go when everything is stored. Otherwise it returns why not, tries again later, and may be called again. */
  async leave(): Promise<Problem | undefined> {
    await this.#outbox.flush();
    if (this.#outbox.problem) return this.#outbox.problem;
    this.discard();
    return undefined;
  }

  /** Lets go, and forgets what is not stored. */
  discard(): void {
    this.#outbox.close();
    this.#options.claim.release();
  }

  #record(record: TraceRecord): void {
    this.#outbox.add(record);
    if (record.type === 'message_end' && !this.#title) this.#titleFrom(record.body);
    if (record.type === 'settled' || record.type === 'agent_start') this.#options.post({ type: 'sessions' });
  }

  /** A session without a title is called by its first prompt. */
  #titleFrom(body: object): void {
    const prompt = body as { role?: unknown; content?: unknown };
    if (prompt.role !== 'user' || typeof prompt.content !== 'string') return;
    const line = prompt.content.trim().split('\n', 1)[0] ?? '';
    this.#title = line.length > 80 ? `${line.slice(0, 79).replace(/[\uD800-\uDBFF]$/, '')}…` : line;
  }

  #post(records: TraceRecord[]): void {
    this.#posted = records.at(-1)?.seq ?? this.#posted;
    const told = records.filter(({ seq }) => seq > this.#toldAfter);
    if (told.length === 0) return;
    this.#options.post({ type: 'records', session: this.id, records: told });
    this.#relay.records(told);
  }

  #tellClock(): void {
    const { clock } = this.session;
    this.#options.post({ type: 'clock', session: this.id, clock });
    this.#relay.clock(clock);
  }

  async #commit(commit: Commit): Promise<void> {
    const { store } = this.#options;
    if (this.#damagedFrom !== undefined) await store.setAside(this.id, this.#damagedFrom);
    this.#damagedFrom = undefined;
    const { scenario, ...info } = commit.info;
    await store.commit({ ...commit, info: this.#hasScenario ? info : { ...info, scenario } });
    this.#hasScenario = true;
  }
}
