/** The outline: the trace as a flat list of the rows that are visible, as data that the page turns into words. */
import type { QueueName, StopReason } from '../loop/types';
import type { ResultSummary } from './excerpts';
import { topBranches, type Branch } from './branches';
import type { AskNode, MessageNode, NoteNode, RunNode, Trace } from './types';

export type RowStatus = 'running' | 'done' | 'error' | 'aborted' | 'interrupted';
/** A note's type; of a step, the step's. */
export type NoteKind =
  'poll' | 'inject' | 'batch' | 'decide' | 'execute' | Exclude<NoteNode['note']['type'], 'step'>;

export type RowBody =
  | { kind: 'run'; run: string; n: number; how: RunNode['how']; status: RowStatus; settled: boolean }
  | { kind: 'turn'; turn: string; n: number; status: RowStatus }
  | {
      kind: 'message';
      message: string;
      role: string;
      origin: MessageNode['origin'];
      status: RowStatus;
      /** Its first line; of an assistant message of its text, else of its thinking. */
      text: string;
      /** Names of the tools that it calls. */
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
      /** While it runs: of what it has told so far. */
      result?: ResultSummary;
      /** What the tool tells the page beside what the model reads. */
      details?: unknown;
      /** A person is asked about it now. */
      asking: boolean;
    }
  | { kind: 'note'; note: NoteNode; noteKind: NoteKind; ask?: AskNode };

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

/** `setSize` and `posInSet` (from 1) count the rows beside it, for the ARIA tree; its level is `depth + 1`. */
export type Row = RowBody &
  RowSpan & {
    /** Unique, and the same for the same thing in every trace of the session. */
    key: string;
    parent?: string;
    depth: number;
    expandable: boolean;
    expanded: boolean;
    setSize: number;
    posInSet: number;
  };

export interface OutlineOptions {
  /** Keys of rows that a person closed. */
  collapsed?: ReadonlySet<string>;
  /** Kinds that are closed unless their key is in `expanded`. Default: deltas. */
  collapsedKinds?: ReadonlySet<RowBody['kind']>;
  expanded?: ReadonlySet<string>;
  /** Kinds of notes to leave out. */
  hidden?: ReadonlySet<NoteKind>;
  /** Also the notes that tell nothing new: empty injections, ordinary batches, attempts that worked at once. */
  quiet?: boolean;
}

const DELTAS: ReadonlySet<RowBody['kind']> = new Set(['deltas'] as const);

/** The visible rows of the outline, from the top. */
export function outlineRows(trace: Trace, options: OutlineOptions = {}): Row[] {
  const rows: Row[] = [];
  addRows(rows, topBranches(trace, options), undefined, 0, options);
  return rows;
}

function addRows(
  rows: Row[],
  branches: Branch[],
  parent: string | undefined,
  depth: number,
  options: OutlineOptions,
): void {
  branches.forEach((branch, index) => {
    const { key, children } = branch;
    const expanded = children !== undefined && isExpanded(key, branch.body.kind, options);
    const place = { depth, expanded, setSize: branches.length, posInSet: index + 1 };
    rows.push(rowAt(branch, place, parent));
    if (expanded) addRows(rows, children(), key, depth + 1, options);
  });
}

type Place = Pick<Row, 'depth' | 'expanded' | 'setSize' | 'posInSet'>;

const made = new WeakMap<RowBody, Row>();

/** The same object as long as nothing about the row changes, so that a page need not look into it. */
function rowAt({ key, body, span, children }: Branch, place: Place, parent: string | undefined): Row {
  const expandable = children !== undefined;
  const known = made.get(body);
  if (
    known?.posInSet === place.posInSet &&
    known.setSize === place.setSize &&
    known.expanded === place.expanded &&
    known.expandable === expandable &&
    known.depth === place.depth &&
    known.parent === parent
  )
    return known;
  const row: Row = { key, expandable, ...place, ...span, ...body };
  if (parent !== undefined) row.parent = parent;
  made.set(body, row);
  return row;
}

function isExpanded(key: string, kind: RowBody['kind'], options: OutlineOptions): boolean {
  if ((options.collapsedKinds ?? DELTAS).has(kind)) return options.expanded?.has(key) ?? false;
  return !options.collapsed?.has(key);
}
