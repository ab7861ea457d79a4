/** Which rows an outline has that shows only some, with those above them. */
import { pathTo } from './rows-path';
import type { KeptRows } from './rows';
import type { Trace } from './types';

export class KeptKeys implements KeptRows {
  private readonly kept = new Set<string>();
  private readonly above = new Set<string>();

  constructor(
    private readonly trace: Trace,
    keys: Iterable<string>,
  ) {
    this.add(keys);
  }

  /** Keeps these rows too. Where one has no row of its own, the row that stands for it is kept. */
  add(keys: Iterable<string>): void {
    for (const key of keys) {
      const path = pathTo(this.trace, key);
      for (const row of path) this.kept.add(row);
      for (const row of path.slice(0, -1)) this.above.add(row);
    }
  }

  has(key: string): boolean {
    return this.kept.has(key);
  }

  hasBelow(key: string): boolean {
    return this.above.has(key);
  }
}
