/** What the reader searches for in the trace, and what was found. */
import type { Trace } from '../../trace';
import type { SearchHit, SearchQuery, SearchType } from '../../trace/search';
import { EarlyKeys } from '../early-keys';
import type { Selection } from '../view.svelte';

/** How long, in ms, a trace may grow before it is searched again. */
const PAUSE = 250;

const noKeys: ReadonlySet<string> = setOf([]);

export class TraceSearch {
  text = $state('');
  type = $state<SearchType | undefined>();
  tool = $state<string | undefined>();
  errorsOnly = $state(false);
  /** The row with the filters is open. */
  hasFilters = $state(false);
  hits = $state.raw<readonly SearchHit[]>([]);
  /** Keys of the outline's rows that have hits. */
  keys = $state.raw<ReadonlySet<string>>(noKeys);
  /** Counts how often the field was asked for: it takes the focus when it sees a new number. */
  asks = $state(0);
  handledAsks = 0;
  /** What is typed between the asking and the focus. */
  readonly early = new EarlyKeys();
  /** The hit that the reader stands at. */
  current = $state.raw<SearchHit | undefined>();

  /** What the reader chose of the two ways to show what was found. */
  #isOnly = $state<boolean | undefined>();
  /** `hits` are those of a query that was looked for. */
  #isFound = $state(false);
  #find: ((trace: Trace) => SearchHit[]) | undefined;
  #query = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #trace: Trace | undefined;
  #attempt = 0;
  /** Steps that were asked for before their query was looked for. */
  #steps: { query: string; go: (() => void)[] } | undefined;

  get isActive(): boolean {
    return this.text.trim() !== '' || this.isFiltered;
  }

  get isFiltered(): boolean {
    return this.type !== undefined || this.tool !== undefined || this.errorsOnly;
  }

  /** Rows without hits are left out: at first when a filter is chosen; a text alone only marks. */
  get isOnly(): boolean {
    return this.isActive && (this.#isOnly ?? this.isFiltered);
  }
  set isOnly(only: boolean) {
    this.#isOnly = only;
  }

  /** Keys of the only rows to show; all are to be shown when it is undefined. */
  get only(): ReadonlySet<string> | undefined {
    return this.isOnly && this.#isFound ? this.keys : undefined;
  }

  /** From 0; -1 before the first step. */
  get at(): number {
    return this.current ? this.hits.indexOf(this.current) : -1;
  }

  /** Numbers of the records that were found, ascending. */
  get marks(): number[] {
    return this.hits.map(({ seq }) => seq).filter((seq, index, all) => seq !== all[index - 1]);
  }

  focus(): void {
    this.asks++;
  }

  /** The field does not have the focus yet. */
  get isAsked(): boolean {
    return this.asks !== this.handledAsks;
  }

  clear(): void {
    this.text = '';
    this.type = undefined;
    this.tool = undefined;
    this.errorsOnly = false;
    this.#isOnly = undefined;
    this.#isFound = false;
    this.#found([]);
  }

  /** Searches now for a new query or trace, and soon for one that has grown. */
  refresh(trace: Trace): void {
    const query = this.#asked();
    const said = this.#said;
    const isNew = said !== this.#query || trace !== this.#trace;
    this.#trace = trace;
    this.#query = said;
    if (!this.isActive) {
      this.#stop();
      if (this.hits.length > 0) this.#found([]);
      this.#isFound = false;
      this.#isOnly = undefined;
    } else if (isNew) {
      this.#stop();
      this.current = undefined;
      void this.#begin(query, this.#attempt);
    } else this.#timer ??= setTimeout(() => this.#again(), PAUSE);
  }

  /** To the next hit, or the one before; round at the ends. Of a query that is still being looked for, once it is found. */
  step(by: 1 | -1, select: (selection: Selection) => void): void {
    if (!this.isActive) return;
    const query = this.#said;
    if (this.#find && query === this.#query) this.#step(by, select);
    else {
      if (this.#steps?.query !== query) this.#steps = { query, go: [] };
      this.#steps.go.push(() => this.#step(by, select));
    }
  }

  #step(by: 1 | -1, select: (selection: Selection) => void): void {
    const { hits, at } = this;
    if (hits.length === 0) return;
    const to = at < 0 && by < 0 ? hits.length - 1 : (at + by + hits.length) % hits.length;
    const hit = hits[to];
    if (!hit) return;
    this.current = hit;
    select(selectionOf(hit));
  }

  get #said(): string {
    return JSON.stringify(this.#asked());
  }

  #asked(): SearchQuery {
    const { text, type, tool, errorsOnly } = this;
    return {
      text: text.trim(),
      ...(type ? { types: [type] } : {}),
      ...(tool === undefined ? {} : { tool }),
      errorsOnly,
    };
  }

  async #begin(query: SearchQuery, attempt: number): Promise<void> {
    const { traceSearch } = await import('../../trace/search');
    if (attempt !== this.#attempt) return;
    this.#find = traceSearch(query);
    this.#again();
    const steps = this.#steps;
    this.#steps = undefined;
    if (steps?.query === this.#query) for (const go of steps.go) go();
  }

  #again(): void {
    this.#timer = undefined;
    if (!this.#trace || !this.#find) return;
    this.#found(this.#find(this.#trace));
    this.#isFound = true;
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#find = undefined;
    this.#attempt++;
  }

  #found(hits: readonly SearchHit[]): void {
    const { current } = this;
    this.hits = hits;
    const keys = hits.map(keyOf);
    // The same set as long as it holds the same: what is shown by it need not be looked through.
    if (keys.length !== this.keys.size || keys.some((key) => !this.keys.has(key))) this.keys = setOf(keys);
    // Of what still streams, the hits are made anew each time.
    if (current) this.current = hits.find((hit) => isSame(hit, current));
  }
}

/** Made anew whenever it changes, so that it need not be reactive itself. */
function setOf(keys: string[]): ReadonlySet<string> {
  return new Set(keys);
}

/** The key of the outline's row that it is in. */
export function keyOf({ ref, seq }: SearchHit): string {
  return ref.kind === 'note' ? `note:${seq}` : `${ref.kind}:${ref.id}`;
}

function selectionOf({ ref, seq }: SearchHit): Selection {
  return ref.kind === 'note' ? { kind: 'note', seq } : { kind: ref.kind, id: ref.id };
}

function isSame(a: SearchHit, b: SearchHit): boolean {
  return keyOf(a) === keyOf(b);
}
