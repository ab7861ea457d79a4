/** The list of stored sessions, as the page reads it. */
import type { Problem, SessionInfo } from '../../records/types';
import { problemOf } from '../client';

export class SessionList {
  all = $state.raw<SessionInfo[]>([]);
  problem = $state.raw<Problem | undefined>();
  /** Deleted, but not yet in earnest: the deletion can be taken back. */
  #hidden = $state.raw<readonly string[]>([]);
  #reading: Promise<void> | undefined;
  #again = false;

  constructor(readonly read: () => Promise<SessionInfo[]>) {}

  get shown(): SessionInfo[] {
    return this.all.filter(({ id }) => !this.#hidden.includes(id));
  }

  hide(id: string): void {
    this.#hidden = [...this.#hidden, id];
  }
  unhide(id: string): void {
    this.#hidden = this.#hidden.filter((hidden) => hidden !== id);
  }

  /** Reads the list; a call while it is being read has it read once more afterwards. */
  refresh(): Promise<void> {
    if (this.#reading) this.#again = true;
    this.#reading ??= this.#refresh().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #refresh(): Promise<void> {
    do {
      this.#again = false;
      try {
        this.all = await this.read();
        this.problem = undefined;
      } catch (error) {
        this.problem = problemOf(error);
      }
    } while (this.#again);
  }
}
