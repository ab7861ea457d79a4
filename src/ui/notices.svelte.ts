/** Short sentences on the page: what was done (with a way to undo it), and what went wrong. */
import { createContext } from 'svelte';

export interface Notice {
  id: number;
  text: string;
  kind: 'info' | 'error';
  action?: { label: string; run: () => void };
}

export interface NoticeOptions {
  /** How long it is shown. */
  ms?: number;
  /** Called when it went away by itself or was closed, not by its action. */
  gone?: () => void;
  /** What failed; once that succeeds, the notice has nothing to say any more. */
  about?: string;
  /** It is not of the open session, and stays when another one is opened. */
  ofPage?: boolean;
}

interface Kept extends NoticeOptions {
  ms: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** More would cover what is being looked at. */
const shownAtOnce = 2;

export class Notices {
  list = $state.raw<Notice[]>([]);
  #nextId = 1;
  // Not shown, so not reactive.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  #kept = new Map<number, Kept>();

  /** The newest ones: those before them come into sight again if they are still there then. */
  get shown(): Notice[] {
    return this.list.slice(-shownAtOnce);
  }

  /** Returns its id. One that says the same again is not shown twice, but longer, unless something can be done with it. */
  add(notice: Omit<Notice, 'id'>, options: NoticeOptions = {}): number {
    const same = this.list.find(
      ({ kind, text, action }) => !action && kind === notice.kind && text === notice.text,
    );
    if (same && !notice.action) {
      this.list = [...this.list.filter(({ id }) => id !== same.id), same];
      this.release(same.id);
      return same.id;
    }
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
    const ms = options.ms ?? (notice.kind === 'error' ? 12_000 : 6000);
    this.#kept.set(id, { ...options, ms, timer: undefined });
    this.release(id);
    return id;
  }

  /** Keeps it while somebody looks at it. */
  hold(id: number): void {
    clearTimeout(this.#kept.get(id)?.timer);
  }

  /** From now on it has its time again. */
  release(id: number): void {
    const kept = this.#kept.get(id);
    if (!kept) return;
    clearTimeout(kept.timer);
    kept.timer = setTimeout(() => this.close(id), kept.ms);
  }

  close(id: number): void {
    const gone = this.#kept.get(id)?.gone;
    this.#drop(id);
    gone?.();
  }

  /** What failed before has succeeded now. */
  succeeded(about: string): void {
    this.#closeWhere((kept) => kept.about === about);
  }

  /** Another session is open. */
  leaveSession(): void {
    this.#closeWhere(({ ofPage }) => !ofPage);
  }

  #closeWhere(isMeant: (kept: Kept) => boolean): void {
    for (const [id, kept] of [...this.#kept]) if (isMeant(kept)) this.close(id);
  }

  #drop(id: number): void {
    clearTimeout(this.#kept.get(id)?.timer);
    this.#kept.delete(id);
    this.list = this.list.filter((notice) => notice.id !== id);
  }
}

/** For dialogs: while one is open, nothing outside of it can be pressed, so it shows the notices itself. */
export const [getNotices, setNotices] = createContext<Notices>();
