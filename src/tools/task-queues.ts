/** Queues of tasks by key: one after the other under one key, side by side under different keys. */
export class TaskQueues {
  private readonly last = new Map<string, Promise<void>>();

  /** Runs a task when all earlier ones of its key have settled, and settles as it does. */
  async run<T>(key: string, task: () => T | Promise<T>): Promise<T> {
    const result = (this.last.get(key) ?? Promise.resolve()).then(task);
    const settled = result.then(
      () => undefined,
      () => undefined, // the caller gets the error through `result`
    );
    this.last.set(key, settled);
    try {
      return await result;
    } finally {
      if (this.last.get(key) === settled) this.last.delete(key);
    }
  }
}
