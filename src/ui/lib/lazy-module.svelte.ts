/** What is loaded when it is first asked for, so that the first paint does not wait for it. */
export class LazyModule<T> {
  #value = $state.raw<T | undefined>();
  #failed = $state(false);
  #loading: Promise<T> | undefined;

  constructor(private readonly load: () => Promise<T>) {}

  /** Begins to load; `undefined` until it is there. */
  get value(): T | undefined {
    if (this.#value === undefined) void this.get().catch(() => undefined); // told by `failed`
    return this.#value;
  }

  /** It could not be loaded (no network, for one). The next `get` tries again. */
  get failed(): boolean {
    return this.#failed;
  }

  async get(): Promise<T> {
    this.#loading ??= this.load();
    try {
      const value = await this.#loading;
      this.#value = value;
      this.#failed = false;
      return value;
    } catch (error) {
      this.#loading = undefined;
      this.#failed = true;
      console.warn('A part of the page could not be loaded.', error);
      throw error;
    }
  }
}
