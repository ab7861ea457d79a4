/**
 * One job at a time, in the order in which they came, so that each sees what the one before has changed. While a job
 * waits for tools that it called itself, jobs that come then go first: they are theirs, and the ones that came before would
 * otherwise wait for each other for ever.
 */
interface Level {
  busy: boolean;
  waiting: (() => void)[];
}

export interface Turn {
  /** Runs what may need turns of its own. */
  lend<T>(task: () => Promise<T>): Promise<T>;
  release(): void;
}

export class Turns {
  private readonly levels: Level[] = [{ busy: false, waiting: [] }];

  /** Waits for its turn. Rejects with the signal's reason when it aborts before. */
  async take(signal?: AbortSignal): Promise<Turn> {
    signal?.throwIfAborted();
    const level = this.levels.at(-1) as Level;
    if (level.busy) await inLine(level.waiting, signal);
    level.busy = true;
    return this.turnAt(level);
  }

  private turnAt(level: Level): Turn {
    let lent = 0;
    let inner: Level | undefined;
    return {
      lend: async (task) => {
        if (lent++ === 0) this.levels.push((inner = { busy: false, waiting: [] }));
        try {
          return await task();
        } finally {
          if (--lent === 0) this.levels.splice(this.levels.indexOf(inner as Level), 1);
        }
      },
      release: () => {
        const next = level.waiting.shift();
        if (next) next();
        else level.busy = false;
      },
    };
  }
}

function inLine(waiting: (() => void)[], signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const start = () => {
      signal?.removeEventListener('abort', leave);
      resolve();
    };
    const leave = () => {
      waiting.splice(waiting.indexOf(start), 1);
      reject(signal?.reason as Error);
    };
    waiting.push(start);
    signal?.addEventListener('abort', leave, { once: true });
  });
}
