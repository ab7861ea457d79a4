/** Those who look on while a trace grows record by record. */
import type { TraceRecord } from '../records/types';

export interface TraceWatcher {
  /** Called with each record that comes, before it is in the trace. */
  before(record: TraceRecord): void;
  /** The trace is another one, or has got on by itself. */
  anew(): void;
}

export class TraceWatchers {
  readonly #all = new Set<TraceWatcher>();

  /** Returns what ends it. */
  add(watcher: TraceWatcher): () => void {
    this.#all.add(watcher);
    return () => void this.#all.delete(watcher);
  }

  anew(): void {
    for (const watcher of this.#all) watcher.anew();
  }

  /** The same records, of which each is told of when it is taken. */
  tell(records: TraceRecord[]): Iterable<TraceRecord> {
    return this.#all.size === 0 ? records : this.#told(records);
  }

  *#told(records: TraceRecord[]): Iterable<TraceRecord> {
    for (const record of records) {
      for (const watcher of this.#all) watcher.before(record);
      yield record;
    }
  }
}
