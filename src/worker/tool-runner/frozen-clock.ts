/**
 * Sets the worker's clock to a time, where it stands: for sessions whose time is not real, so that the same job gives the
 * same output. Random numbers then follow from the time.
 */
export interface FrozenClock {
  /** Sets the clock forward, at once. */
  sleep: (ms: number) => Promise<void>;
  restore: () => void;
}

export function freezeClock(now: number): FrozenClock {
  const RealDate = Date;
  const realRandom = Math.random;
  let current = now;
  class FrozenDate extends RealDate {
    constructor(...args: unknown[]) {
      if (args.length === 0) super(current);
      else super(...(args as [number]));
    }
    static override now(): number {
      return current;
    }
  }
  globalThis.Date = FrozenDate as DateConstructor;
  Math.random = seededRandom(now);
  return {
    sleep: (ms) => {
      current += ms;
      return Promise.resolve();
    },
    restore: () => {
      globalThis.Date = RealDate;
      Math.random = realRandom;
    },
  };
}

/** Numbers from 0 to 1 that a seed determines (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}
