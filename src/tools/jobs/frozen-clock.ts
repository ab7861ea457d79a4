/**
 * Sets this thread's clock to a time, where it stands: for sessions whose time is not real, so that the same job gives the
 * same output. Random numbers then follow from the time.
 */
export interface FrozenClock {
  /** Sets the clock forward, at once. */
  sleep: (ms: number) => Promise<void>;
  restore: () => void;
}

/** When more real ms than `limitMs` have passed, they have on this clock too: what looks at it for its limit ends. */
export function freezeClock(now: number, limitMs = Infinity): FrozenClock {
  const RealDate = Date;
  const realRandom = Math.random;
  const startedAt = performance.now();
  let slept = 0;
  const current = () => {
    const passed = Math.floor(performance.now() - startedAt);
    return now + slept + (passed > limitMs ? passed : 0);
  };
  class FrozenDate extends RealDate {
    constructor(...args: unknown[]) {
      if (args.length === 0) super(current());
      else super(...(args as [number]));
    }
    static override now(): number {
      return current();
    }
  }
  globalThis.Date = FrozenDate as DateConstructor;
  Math.random = seededRandom(now);
  return {
    sleep: (ms) => {
      slept += ms;
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
