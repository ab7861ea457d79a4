/** Short sentences at the bottom of the page: what was done (with a way to undo it), and what went wrong. */
import { createContext } from 'svelte';

export interface Notice {
  id: number;
  text: string;
  kind: 'info' | 'error';
  action?: { label: string; run: () => void };
}

export class Notices {
  list = $state.raw<Notice[]>([]);
  #nextId = 1;
  // Not shown, so not reactive.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  #timers = new Map<number, { timer: ReturnType<typeof setTimeout>; gone: (() => void) | undefined }>();

  /** Errors stay until they are closed. `gone` is called when it went away by itself or was closed, not by its action. */
  add(notice: Omit<Notice, 'id'>, options: { ms?: number; gone?: () => void } = {}): number {
    const id = this.#nextId++;
    const { action } = notice;
    const shown: Notice = { ...notice, id };
    if (action)
      shown.action = {
        label: action.label,
        run: () => {
          this.#drop(id);
          action.run();
        },
      };
    this.list = [...this.list, shown];
    const ms = options.ms ?? (notice.kind === 'error' ? 60_000 : 6000);
    this.#timers.set(id, { timer: setTimeout(() => this.close(id), ms), gone: options.gone });
    return id;
  }

  close(id: number): void {
    const gone = this.#timers.get(id)?.gone;
    this.#drop(id);
    gone?.();
  }

  #drop(id: number): void {
    clearTimeout(this.#timers.get(id)?.timer);
    this.#timers.delete(id);
    this.list = this.list.filter((notice) => notice.id !== id);
  }
}

/** For dialogs: while one is open, nothing outside of it can be pressed, so it shows the notices itself. */
export const [getNotices, setNotices] = createContext<Notices>();
