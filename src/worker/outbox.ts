/** Where records go: in batches to the page, and in rows to the store. */
import type { Problem, SessionInfo, TraceRecord } from '../records/types';
import { problemOf } from '../store';
import type { BlobBytes, Store } from '../store';

/** Real ms between batches to the page. */
const postEveryMs = 16;
/** Real ms until what was recorded is on its way to the store. */
const storeEveryMs = 250;
/** Real ms until a commit that failed is tried again. */
const retryAfterMs = 3000;

export interface OutboxOptions {
  store: Store;
  /** What is known of the session as of its last record. */
  info: () => SessionInfo;
  post: (records: TraceRecord[]) => void;
  /** Saving stopped, or (`undefined`) works again. */
  onProblem: (problem: Problem | undefined) => void;
  retryAfterMs?: number;
}

/**
 * Takes records without ever holding up the loop. What tells that a turn or run has ended is posted when it is stored, and so is
 * all that comes after it; while saving fails nothing waits for it, and the records stay here until they are saved.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  /** Not stored yet. */
  #records: TraceRecord[] = [];
  #blobs: BlobBytes[] = [];
  #unposted: TraceRecord[] = [];
  #committed: number;
  #committing: Promise<void> | undefined;
  #infoChanged = false;
  #problem: Problem | undefined;
  #postTimer: ReturnType<typeof setTimeout> | undefined;
  #storeTimer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  /** `committed`: the last record that is stored already. */
  constructor(options: OutboxOptions, committed = 0) {
    this.#options = options;
    this.#committed = committed;
  }

  /** The last record that is stored. */
  get committed(): number {
    return this.#committed;
  }

  /** Records after `seq` that are not stored yet. */
  pending(seq = 0): TraceRecord[] {
    return this.#records.filter((record) => record.seq > seq);
  }

  blob(hash: string): Uint8Array | undefined {
    return this.#blobs.find(([known]) => known === hash)?.[1];
  }

  add(record: TraceRecord): void {
    if (this.#closed) return;
    this.#records.push(record);
    this.#unposted.push(record);
    if (isEnd(record)) this.#commitSoon(0);
    else this.#commitSoon(storeEveryMs);
    this.#postTimer ??= setTimeout(() => this.#post(), postEveryMs);
  }

  addBlob(hash: string, bytes: Uint8Array): void {
    if (!this.#closed) this.#blobs.push([hash, bytes]);
  }

  /** What is known of the session has changed. */
  infoChanged(): void {
    this.#infoChanged = true;
    this.#commitSoon(0);
  }

  /** Stores and posts all that there is. Never rejects: `onProblem` tells. */
  async flush(): Promise<void> {
    do await this.#commit();
    while (this.#hasWork() && !this.#problem);
    this.#post();
  }

  /** Why the last try to save failed; `undefined` while all is well. */
  get problem(): Problem | undefined {
    return this.#problem;
  }

  /** Takes nothing more, and forgets what is not saved. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#postTimer);
    clearTimeout(this.#storeTimer);
  }

  #post(): void {
    clearTimeout(this.#postTimer);
    this.#postTimer = undefined;
    const waits = this.#problem
      ? -1
      : this.#unposted.findIndex((record) => isEnd(record) && record.seq > this.#committed);
    const ready = this.#unposted.splice(0, waits === -1 ? Infinity : waits);
    if (ready.length > 0) this.#options.post(ready);
  }

  #hasWork(): boolean {
    return this.#records.length > 0 || this.#infoChanged;
  }

  #commitSoon(ms: number): void {
    if (this.#problem || this.#committing || this.#closed) return;
    if (ms === 0) {
      clearTimeout(this.#storeTimer);
      this.#storeTimer = undefined;
      // One commit takes all that the current task records.
      queueMicrotask(() => void this.#commit());
    } else this.#storeTimer ??= setTimeout(() => void this.#commit(), ms);
  }

  #commit(): Promise<void> {
    this.#committing ??= this.#commitOnce().finally(() => {
      this.#committing = undefined;
      if (this.#hasWork()) this.#commitSoon(this.#records.some(isEnd) ? 0 : storeEveryMs);
    });
    return this.#committing;
  }

  async #commitOnce(): Promise<void> {
    clearTimeout(this.#storeTimer);
    this.#storeTimer = undefined;
    if (!this.#hasWork()) return;
    const records = [...this.#records];
    const blobs = [...this.#blobs];
    this.#infoChanged = false;
    try {
      await this.#options.store.commit({ info: this.#options.info(), records, blobs });
    } catch (error) {
      this.#failed(problemOf(error, 'storage.failed'));
      return;
    }
    this.#records.splice(0, records.length);
    this.#blobs.splice(0, blobs.length);
    this.#committed = records.at(-1)?.seq ?? this.#committed;
    if (this.#problem) this.#options.onProblem((this.#problem = undefined));
    if (records.some(isEnd)) this.#post();
  }

  #failed(problem: Problem): void {
    this.#infoChanged = true;
    if (this.#problem?.code !== problem.code) this.#options.onProblem(problem);
    this.#problem = problem;
    this.#post();
    if (this.#closed) return;
    this.#storeTimer = setTimeout(() => void this.#commit(), this.#options.retryAfterMs ?? retryAfterMs);
  }
}

/** Records whose posting says that they are on disk. */
function isEnd({ type }: TraceRecord): boolean {
  return type === 'turn_end' || type === 'agent_end' || type === 'settled';
}
