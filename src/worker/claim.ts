/** One tab writes a session: whoever holds its lock. */
import { problem } from '../store';

/** The part of `navigator.locks` that is needed. */
export interface Locks {
  request(
    name: string,
    options: LockOptions,
    callback: (lock: Lock | null) => Promise<void> | undefined,
  ): Promise<unknown>;
}

export interface Claim {
  /** False: another tab has it. */
  owned: boolean;
  /** Resolves when the other tab has let go and this one has it. Never, when it is released before. */
  later: Promise<void>;
  release: () => void;
}

/** A lock that this worker holds, for as many as have claimed it. */
interface Held {
  users: number;
  free: () => void;
}

function lockName(session: string): string {
  return `epicycle-session-${session}`;
}

const never = new Promise<void>(() => undefined);

/** What this worker has claimed. One session can be claimed several times: its lock is free when all have let go. */
export class Claims {
  readonly #locks: Locks | undefined;
  readonly #held = new Map<string, Held>();
  /** Held for nothing but to keep others away. */
  readonly #kept = new Map<string, Claim>();

  /** Where browsers have no locks, there is nobody to agree with: everything is owned. */
  constructor(locks: Locks | undefined) {
    this.#locks = locks;
  }

  /** Owned, or waiting until it is. */
  async take(session: string): Promise<Claim> {
    const locks = this.#locks;
    if (!locks) return { owned: true, later: never, release: () => undefined };
    if (!this.#held.has(session)) {
      const free = await tryLock(session, locks);
      if (free) this.#held.set(session, { users: 0, free });
    }
    const held = this.#held.get(session);
    return held
      ? { owned: true, later: never, release: this.#use(session, held) }
      : this.#wait(session, locks);
  }

  /** Nobody else may write it meanwhile. Rejects with `session.inUse` when another tab does. */
  async during(session: string, work: () => Promise<void>): Promise<void> {
    const claimed = await this.#takeNow(session);
    try {
      await work();
    } finally {
      claimed.release();
    }
  }

  /** The same until `letGo`. */
  async keep(session: string): Promise<void> {
    if (!this.#kept.has(session)) this.#kept.set(session, await this.#takeNow(session));
  }

  letGo(session: string): void {
    this.#kept.get(session)?.release();
    this.#kept.delete(session);
  }

  async #takeNow(session: string): Promise<Claim> {
    const claimed = await this.take(session);
    if (claimed.owned) return claimed;
    claimed.release();
    throw problem('session.inUse');
  }

  #use(session: string, held: Held): () => void {
    held.users++;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      if (--held.users > 0) return;
      this.#held.delete(session);
      held.free();
    };
  }

  #wait(session: string, locks: Locks): Claim {
    const waiting = new AbortController();
    let release = () => waiting.abort();
    const later = new Promise<void>((resolve, reject) => {
      locks
        .request(lockName(session), { signal: waiting.signal }, () => {
          return new Promise<void>((free) => {
            const held = { users: 0, free };
            this.#held.set(session, held);
            release = this.#use(session, held);
            resolve();
          });
        })
        .catch((error: unknown) => {
          if (!waiting.signal.aborted) reject(error instanceof Error ? error : new Error(String(error)));
        });
    });
    return { owned: false, later, release: () => release() };
  }
}

/** The function that lets go of it; `undefined` when it is taken. */
function tryLock(session: string, locks: Locks): Promise<(() => void) | undefined> {
  return new Promise((resolve, reject) => {
    locks
      .request(lockName(session), { ifAvailable: true }, (lock) => {
        if (lock) return new Promise<void>((release) => resolve(release));
        resolve(undefined);
        return undefined;
      })
      .catch(reject);
  });
}
