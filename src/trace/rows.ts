/** The outline's rows: what a trace shows as a flat list, as data that the page turns into words. */
import type { QueueName, StopReason } from '../loop/types';
import type { ResultSummary } from './excerpts';
import type { Branch, RowHead } from './branch';
import type { AskNode, MessageNode, NoteNode, RunNode } from './types';

export type RowStatus = 'running' | 'done' | 'error' | 'aborted' | 'interrupted';
/** A note's type; of a step, the step's. */
export type NoteKind =
  'poll' | 'inject' | 'batch' | 'decide' | 'execute' | Exclude<NoteNode['note']['type'], 'step'>;

export type FileChange = 'added' | 'changed' | 'deleted' | 'renamed';

export type RowBody =
  | { kind: 'run'; run: string; n: number; how: RunNode['how']; status: RowStatus; settled: boolean }
  | { kind: 'turn'; turn: string; n: number; status: RowStatus }
  | {
      kind: 'message';
      message: string;
      role: string;
      origin: MessageNode['origin'];
      status: RowStatus;
      /** Its first line; of an assistant message of its text, else of its thinking; of a system message, else what changes of the tools. */
      text: string;
      /** Names of the tools that it calls; of a system message, that it declares. */
      tools: string[];
      stopReason?: StopReason;
      /** What the provider or the loop said; `errorCode` and `errorParams` are for the catalogue. */
      errorMessage?: string;
      errorCode?: string;
      errorParams?: Record<string, string | number>;
      /** It waited in a queue, for so many ms, and joined before the turn of this number. */
      waited?: { queue: QueueName; ms: number; turn?: number; edited: boolean; moved: boolean };
      dropped: boolean;
    }
  | {
      kind: 'block';
      message: string;
      index: number;
      block: 'text' | 'thinking' | 'toolCall';
      text: string;
      tool?: string;
    }
  | { kind: 'deltas'; message: string; deltas: number }
  | { kind: 'delta'; message: string; index: number; part: number; text: string }
  | {
      kind: 'call';
      call: string;
      tool: string;
      status: RowStatus;
      /** The argument that tells most, else all as JSON. */
      args: string;
      /** All of its arguments, as far as they are known. */
      input: Readonly<Record<string, unknown>>;
      /** What the model wrote for arguments, where it cannot be read. */
      unread?: string;
      /** While it runs: of what it has told so far. */
      result?: ResultSummary;
      /** What the tool tells the page beside what the model reads. */
      details?: unknown;
      /** A person is asked about it now. */
      asking: boolean;
    }
  | {
      kind: 'note';
      note: NoteNode;
      noteKind: NoteKind;
      ask?: AskNode;
      /** Of a file: what became of it. */
      change?: FileChange;
      /** Of a renamed file: its path before. */
      from?: string;
    }
  /** Files that a person or a call changed in one moment; `change` is absent when not the same became of all. */
  | { kind: 'files'; notes: readonly NoteNode[]; files: number; change?: FileChange };

export interface RowSpan {
  /** Sequence number of its first and last record. */
  seq: number;
  endSeq?: number;
  /** ms since the session was created. */
  at: number;
  /** Absent while it goes on, and of what takes no time. */
  durationMs?: number;
  tokens?: number;
}

/** `posInSet` (from 1) is its place among the rows beside it, for the ARIA tree; its level is `depth + 1`. */
export type Row = RowBody &
  RowSpan &
  RowHead & {
    /** Unique, and the same for the same thing in every trace of the session. */
    key: string;
    parent: string | undefined;
    depth: number;
    expandable: boolean;
    expanded: boolean;
    posInSet: number;
  };

/** Kinds of rows that a reader can leave out. */
export type HideableKind = NoteKind | 'call' | 'thinking' | 'deltas';

export interface OutlineOptions {
  /** Keys of rows that a person closed. */
  collapsed?: ReadonlySet<string>;
  /** Kinds that are closed unless their key is in `expanded`. Default: deltas, and files of one moment. */
  collapsedKinds?: ReadonlySet<RowBody['kind']>;
  expanded?: ReadonlySet<string>;
  hidden?: ReadonlySet<HideableKind>;
  /** Also the notes that tell nothing new: empty injections, ordinary batches, attempts that worked at once. */
  quiet?: boolean;
  /**
   * Keys of the only rows that are wanted, with those above them. Each is shown whatever its kind, unless it or what is
   * above it is in `collapsed`: `collapsedKinds`, `hidden` and `quiet` say nothing then.
   */
  only?: ReadonlySet<string>;
}

/** Of `only`: whether a row is shown, and whether rows below it are. */
export interface KeptRows {
  has: (key: string) => boolean;
  hasBelow: (key: string) => boolean;
}

/** What rows are made by. */
export interface RowRules extends OutlineOptions {
  kept?: KeptRows | undefined;
}

const CLOSED: ReadonlySet<RowBody['kind']> = new Set(['deltas', 'files'] as const);

/** Where a row stands. */
export type RowPlace = Pick<Row, 'parent' | 'depth' | 'posInSet'>;

/** A visible row before somebody looks at it: of 50,000 rows few are ever made. */
export interface PlacedRow {
  branch: Branch;
  place: RowPlace;
  expandable: boolean;
  expanded: boolean;
}

/** The row of `branch` and the visible ones below it. `sizes` learns how many stand below each row that is open. */
export function placedRows(
  branch: Branch,
  place: RowPlace,
  options: RowRules,
  sizes: Map<string | undefined, number>,
): PlacedRow[] {
  const rows: PlacedRow[] = [];
  addRows(rows, branch, place, options, sizes);
  return rows;
}

function addRows(
  rows: PlacedRow[],
  branch: Branch,
  place: RowPlace,
  options: RowRules,
  sizes: Map<string | undefined, number>,
): void {
  if (options.kept?.has(branch.key) === false) return;
  const row = placed(branch, place, options);
  rows.push(row);
  if (!row.expanded || !branch.children) return;
  const { key } = branch;
  const below = shownOf(branch.children(), options);
  sizes.set(key, below.length);
  const depth = place.depth + 1;
  below.forEach((child, index) =>
    addRows(rows, child, { parent: key, depth, posInSet: index + 1 }, options, sizes),
  );
}

/** The row alone, without those below it. */
export function placed(branch: Branch, place: RowPlace, options: RowRules): PlacedRow {
  const { key, kind, children } = branch;
  if (options.kept) {
    const expandable = children !== undefined && options.kept.hasBelow(key);
    return { branch, place, expandable, expanded: expandable && options.collapsed?.has(key) !== true };
  }
  const expandable =
    children !== undefined && (!hidesBelow(kind, options) || shownOf(children(), options).length > 0);
  return { branch, place, expandable, expanded: expandable && isExpanded(key, kind, options) };
}

const made = new WeakMap<RowBody, Row>();

/** The same object as long as nothing about the row changes, so that a page need not look into it. */
export function rowOf({ branch, place, expandable, expanded }: PlacedRow): Row {
  const { key, body, span, injected } = branch;
  const known = made.get(body);
  if (
    known?.posInSet === place.posInSet &&
    known.expanded === expanded &&
    known.expandable === expandable &&
    known.depth === place.depth &&
    known.parent === place.parent
  )
    return known;
  const row: Row = { key, injected, expandable, expanded, ...place, ...span, ...body };
  made.set(body, row);
  return row;
}

/** What stands below runs, turns and calls was chosen when their branches were made. */
function hidesBelow(kind: RowBody['kind'], { hidden }: OutlineOptions): boolean {
  return kind === 'message' && hidden !== undefined && (hidden.has('thinking') || hidden.has('deltas'));
}

function shownOf(branches: Branch[], { hidden }: OutlineOptions): Branch[] {
  if (!hidden || hidden.size === 0) return branches;
  return branches.filter((branch) => {
    if (branch.kind === 'deltas') return !hidden.has('deltas');
    if (branch.kind !== 'block' || !hidden.has('thinking')) return true;
    const { body } = branch;
    return body.kind !== 'block' || body.block !== 'thinking';
  });
}

function isExpanded(key: string, kind: RowBody['kind'], options: OutlineOptions): boolean {
  if ((options.collapsedKinds ?? CLOSED).has(kind)) return options.expanded?.has(key) ?? false;
  return !options.collapsed?.has(key);
}
