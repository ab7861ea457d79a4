/** One tab writes a session: whoever holds its lock. */

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

function lockName(session: string): string {
  return `epicycle-session-${session}`;
}

/** Where browsers have no locks, there is nobody to agree with: it is owned. */
export async function claim(session: string, locks: Locks | undefined): Promise<Claim> {
  const never = new Promise<void>(() => undefined);
  if (!locks) return { owned: true, later: never, release: () => undefined };
  const held = await tryLock(session, locks);
  if (held) return { owned: true, later: never, release: held };
  return waitForLock(session, locks);
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

function waitForLock(session: string, locks: Locks): Claim {
  const waiting = new AbortController();
  let release = () => waiting.abort();
  const later = new Promise<void>((resolve, reject) => {
    locks
      .request(lockName(session), { signal: waiting.signal }, () => {
        resolve();
        return new Promise<void>((free) => (release = free));
      })
      .catch((error: unknown) => {
        if (!waiting.signal.aborted) reject(error instanceof Error ? error : new Error(String(error)));
      });
  });
  return { owned: false, later, release: () => release() };
}
