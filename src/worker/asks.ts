/** What people are asked: may this call run, and questions of tools. */
import type { AskSubject } from '../records/types';
import type { Recorder } from './recorder';

type Kind = 'permission' | 'answer';
type By = 'person' | 'scenario';

interface OpenAsk {
  id: string;
  kind: Kind;
  subject: AskSubject;
  settle: (value: boolean | string) => void;
}

export interface AsksOptions {
  recorder: Recorder;
  newId: () => string;
}

export class Asks {
  readonly #options: AsksOptions;
  #open: OpenAsk[] = [];
  /** Answers that the scenario gave before the question came. */
  readonly #early: Record<Kind, (boolean | string)[]> = { permission: [], answer: [] };
  /** What fetches may do without asking. Not taken from records: those may come from anywhere. */
  readonly #always = new Set<string>();

  constructor(options: AsksOptions) {
    this.#options = options;
  }

  get isWaiting(): boolean {
    return this.#open.length > 0;
  }

  /**
   * Whether the call may run. After an abort it may not: the loop says why. Nobody is asked about a fetch of a kind to an
   * origin that was allowed for as long as the session is open.
   */
  async permission(subject: AskSubject, signal?: AbortSignal, call?: string): Promise<boolean> {
    if (this.#always.has(scopeOf(subject) ?? '')) return true;
    return (await this.#ask('permission', subject, signal, call)) === true;
  }

  /** The person's answer; empty after an abort. */
  async question(subject: AskSubject, signal?: AbortSignal, call?: string): Promise<string> {
    return String(await this.#ask('answer', subject, signal, call));
  }

  /**
   * False when nothing of this kind and id is open. `always` allows also what else a fetch of the same kind to the same
   * origin asks, now and later.
   */
  answer(kind: Kind, id: string, value: boolean | string, always = false): boolean {
    const ask = this.#open.find((open) => open.id === id && open.kind === kind);
    if (!ask) return false;
    const scope = value === true && always ? scopeOf(ask.subject) : undefined;
    this.#settle(ask, value, 'person', scope !== undefined);
    if (scope === undefined) return true;
    this.#always.add(scope);
    for (const open of this.#open.filter(({ subject }) => scopeOf(subject) === scope))
      this.#settle(open, true, 'person');
    return true;
  }

  /** Answers the oldest that is open, else the next that comes. What reaches out only a person can allow. */
  answerOldest(kind: Kind, value: boolean | string): void {
    const ask = this.#open.find((open) => open.kind === kind && !(value === true && open.subject.fetch));
    if (ask) this.#settle(ask, value, 'scenario');
    else this.#early[kind].push(value);
  }

  /** Refuses everything that is open: nobody is there to answer. */
  refuseAll(): void {
    for (const ask of [...this.#open]) this.#settle(ask, ask.kind === 'permission' ? false : '', 'scenario');
  }

  #ask(kind: Kind, subject: AskSubject, signal?: AbortSignal, call?: string): Promise<boolean | string> {
    const { recorder, newId } = this.#options;
    const id = newId();
    recorder.write({ type: kind, ask: id, state: 'asked', subject, ...(call === undefined ? {} : { call }) });
    return new Promise((resolve) => {
      const nothing = kind === 'permission' ? false : '';
      const aborted = () => {
        this.#open = this.#open.filter((open) => open.id !== id);
        resolve(nothing);
      };
      const settle = (value: boolean | string) => {
        signal?.removeEventListener('abort', aborted);
        resolve(value);
      };
      const ask: OpenAsk = { id, kind, subject, settle };
      if (signal?.aborted) return resolve(nothing);
      this.#open.push(ask);
      signal?.addEventListener('abort', aborted, { once: true });
      const early = subject.fetch ? undefined : this.#early[kind].shift();
      if (early !== undefined) this.#settle(ask, early, 'scenario');
    });
  }

  #settle(ask: OpenAsk, value: boolean | string, by: By, always = false): void {
    const { recorder } = this.#options;
    this.#open = this.#open.filter((open) => open !== ask);
    if (ask.kind === 'permission')
      recorder.write({
        type: 'permission',
        ask: ask.id,
        state: value ? 'allowed' : 'denied',
        by,
        ...(always ? { always } : {}),
        ...recorder.on(),
      });
    else
      recorder.write({
        type: 'answer',
        ask: ask.id,
        state: 'answered',
        text: String(value),
        by,
        ...recorder.on(),
      });
    ask.settle(value);
  }
}

/** What a permission for a fetch is for: reading from or sending to an origin. */
function scopeOf({ fetch }: AskSubject): string | undefined {
  return fetch && `${fetch.kind} ${fetch.origin}`;
}
