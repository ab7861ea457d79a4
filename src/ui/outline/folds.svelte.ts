/** What the reader folded and left out of the outline. Levels and kinds are remembered for this browser. */
import type { HideableKind, OutlineOptions, RowBody } from '../../trace';
import { lasting, readStored, writeStored } from '../settings.svelte';

/** The last rows that are in sight when nothing else was opened. */
export type OutlineLevel = 'runs' | 'turns' | 'messages' | 'all';
/** Kinds of rows that can be left out, as a reader knows them. */
export type OutlineKind = 'steps' | 'hooks' | 'calls' | 'thinking' | 'deltas' | 'files';

type Kinds = ReadonlySet<RowBody['kind']>;

// Functions, since sets in modules like this one are taken for state.
const closedBy = (...kinds: RowBody['kind'][]): Kinds => new Set(kinds);

const levels: Record<OutlineLevel, Kinds> = {
  runs: closedBy('run', 'turn', 'message', 'call', 'deltas', 'files'),
  turns: closedBy('turn', 'message', 'call', 'deltas', 'files'),
  messages: closedBy('message', 'call', 'deltas', 'files'),
  all: closedBy('deltas', 'files'),
};

const kinds: Record<OutlineKind, readonly HideableKind[]> = {
  steps: ['poll', 'inject', 'batch', 'decide', 'execute'],
  hooks: ['hook'],
  calls: ['call'],
  thinking: ['thinking'],
  deltas: ['deltas'],
  files: ['file'],
};

export const outlineLevels = Object.keys(levels) as OutlineLevel[];
export const outlineKinds = Object.keys(kinds) as OutlineKind[];

export class OutlineFolds {
  #level = $state<OutlineLevel>(storedLevel());
  #hidden = $state.raw<readonly OutlineKind[]>(storedHidden());
  /** Keys of rows that were closed, and of rows (of kinds that are closed) that were opened. */
  #folded = $state.raw(keySet());
  #opened = $state.raw(keySet());
  readonly #left = $derived(setOf(this.#hidden.flatMap((kind) => kinds[kind])));

  readonly options: OutlineOptions = $derived({
    collapsed: this.#folded,
    expanded: this.#opened,
    collapsedKinds: levels[this.#level],
    hidden: this.#left,
  });

  get level(): OutlineLevel {
    return this.#level;
  }
  /** Whatever was folded or opened by itself is as its level has it again. */
  set level(level: OutlineLevel) {
    this.#level = level;
    this.clear();
    writeStored(lasting, 'outline.level', level === 'all' ? undefined : level);
  }

  hides(kind: OutlineKind): boolean {
    return this.#hidden.includes(kind);
  }

  get hidesSome(): boolean {
    return this.#hidden.length > 0;
  }

  toggleKind(kind: OutlineKind): void {
    const others = this.#hidden.filter((hidden) => hidden !== kind);
    this.#hidden = this.hides(kind) ? others : [...others, kind];
    writeStored(lasting, 'outline.hidden', this.#hidden.join(' ') || undefined);
  }

  setExpanded(keys: readonly string[], expanded: boolean): void {
    if (keys.length === 0) return;
    const [folded, opened] = [keySet(this.#folded), keySet(this.#opened)];
    for (const key of keys) {
      (expanded ? folded : opened).delete(key);
      (expanded ? opened : folded).add(key);
    }
    this.#folded = folded;
    this.#opened = opened;
  }

  /** Nothing was folded or opened by itself. */
  clear(): void {
    this.#folded = keySet();
    this.#opened = keySet();
  }
}

/** Another set takes its place whenever it changes. */
function keySet(keys: Iterable<string> = []): Set<string> {
  return new Set(keys);
}

function setOf(hidden: readonly HideableKind[]): ReadonlySet<HideableKind> {
  return new Set(hidden);
}

function storedLevel(): OutlineLevel {
  const level = readStored(lasting, 'outline.level') ?? '';
  return outlineLevels.find((known) => known === level) ?? 'all';
}

function storedHidden(): OutlineKind[] {
  const stored = (readStored(lasting, 'outline.hidden') ?? '').split(' ');
  return outlineKinds.filter((kind) => stored.includes(kind));
}
