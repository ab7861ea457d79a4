/** A session that another tab writes: it is shown live, and taken over when that tab lets go. */
import type { ClockState, FromWorker, Opened } from '../protocol';
import type { BlobHash, Problem, SessionInfo, TraceRecord } from '../records/types';
import type { Store } from '../store';
import { fold } from '../trace/fold';
import type { Trace } from '../trace/types';
import type { Claim } from './claim';
import { watch } from './relay';

export interface WatchedSessionOptions {
  info: SessionInfo;
  store: Store;
  claim: Claim;
  /** The last record that could be read. */
  seq: number;
  virtual: boolean;
  problem?: Problem | undefined;
  post: (message: FromWorker) => void;
  onTakeover: () => void;
  onFailure: (error: unknown) => void;
}

export class WatchedSession {
  readonly readOnly = true;
  readonly #options: WatchedSessionOptions;
  readonly #end: () => void;
  #clock: ClockState;

  constructor(options: WatchedSessionOptions) {
    const { info, seq, virtual, claim, post, onTakeover, onFailure } = options;
    this.#options = options;
    this.#clock = {
      virtual,
      playing: false,
      speed: 1,
      at: info.at,
      still: false,
      resting: false,
      ready: false,
      goesOn: false,
    };
    this.#end = watch({
      session: info.id,
      seq,
      records: (records) => post({ type: 'records', session: info.id, records }),
      clock: (clock) => {
        this.#clock = clock;
        post({ type: 'clock', session: info.id, clock });
      },
    });
    claim.later.then(onTakeover, onFailure);
  }

  get id(): string {
    return this.#options.info.id;
  }

  opened(): Promise<Opened> {
    const { info, store, seq, problem } = this.#options;
    return Promise.resolve({
      info,
      seq,
      readOnly: true,
      stored: store.stored,
      clock: this.#clock,
      ...(problem ? { problem } : {}),
    });
  }

  async records(seq = 0): Promise<TraceRecord[]> {
    return (await this.#options.store.readRecords(this.id, seq)).records;
  }

  blob(hash: BlobHash): Promise<Uint8Array | undefined> {
    return this.#options.store.readBlob(hash);
  }

  /** Of what is stored now. */
  async trace(): Promise<Trace> {
    return fold(await this.records());
  }

  close(): Promise<void> {
    this.#end();
    this.#options.claim.release();
    return Promise.resolve();
  }

  /** Ends showing it, but keeps what was claimed. */
  handOver(): Claim {
    this.#end();
    return { ...this.#options.claim, owned: true };
  }
}
