/** The time of a session: ms since it was created, from the real clock. */

/** Calls back once after `ms`, unless the function it returns is called before. */
export type SetTimer = (ms: number, callback: () => void) => () => void;

export interface Clock {
  /** Whole ms since the session was created; never less than before. */
  now(): number;
  setTimer: SetTimer;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Real time, from `at` on. */
export function realClock(at = 0): Clock {
  const startedAt = performance.now();
  const setTimer: SetTimer = (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  };
  return {
    now: () => Math.round(at + performance.now() - startedAt),
    setTimer,
    sleep: (ms, signal) => sleepWith(setTimer, ms, signal),
  };
}

/** A sleep made of timers. */
export function sleepWith(setTimer: SetTimer, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const aborted = () => {
      cancel();
      reject(signal?.reason as Error);
    };
    const cancel = setTimer(ms, () => {
      signal?.removeEventListener('abort', aborted);
      resolve();
    });
    signal?.addEventListener('abort', aborted, { once: true });
  });
}
