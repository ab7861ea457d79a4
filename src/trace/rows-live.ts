/**
 * The outline of a trace that grows: each update costs what the new records change, not what is there. Its rows are at
 * any time those that a new outline of the whole trace would have.
 */
import type { TraceRecord } from '../records/types';
import type { Branch, RowHead } from './branch';
import { fileBranches, isFileNote } from './branch-files';
import { OutlineTree, promptsOf } from './branches';
import { ChangedRows } from './rows-changed';
import { RowList } from './rows-list';
import type { Unit } from './rows-list';
import { pathTo } from './rows-path';
import { placed, placedRows, rowOf } from './rows';
import type { OutlineOptions, PlacedRow, Row, RowBody, RowPlace, RowRules } from './rows';
import { keysBetween, none, onlyOne } from './rows-folds';
import { KeptKeys } from './rows-kept';
import type { NodeRef, RunNode, Trace } from './types';

/** A row that everything around `y` stands below. */
export interface Head {
  row: Row;
  index: number;
  /** Where it begins, and where the last row below it ends. */
  top: number;
  bottom: number;
}

/** How far the children of a run, or of the trace, were made into rows. */
interface Progress {
  refs: number;
  prompts: number;
  /** Rows directly below, each a unit. */
  units: number;
}

/** Of all outlines, so that a number tells one from another too. */
let revisions = 0;

export class OutlineRows {
  private list: RowList;
  private trace: Trace | undefined;
  private log: readonly TraceRecord[] | undefined;
  private read = 0;
  private asked: OutlineOptions = {};
  private options: RowRules = {};
  private kept: KeptKeys | undefined;
  private tree: OutlineTree | undefined;
  private changes: ChangedRows | undefined;
  private runs = new Map<string, Progress>();
  private top: Progress = { refs: 0, prompts: 0, units: 0 };
  private sizes = new Map<string | undefined, number>();
  private revision = 0;

  /** `heightOf` says how high a row is; it must depend on what it is given alone. */
  constructor(private readonly heightOf: (head: RowHead) => number) {
    this.list = new RowList(heightOf);
  }

  /**
   * Takes over what `log`, which only grows, says since the last update, and which rows are folded now; all of the log was
   * folded into `trace`. Objects and sets of options must not change: others take their place. Returns a number that is
   * another one whenever something may have changed.
   */
  update(trace: Trace, log: readonly TraceRecord[], options: OutlineOptions = {}): number {
    const isNew = trace !== this.trace || log !== this.log;
    const folds = isNew ? undefined : keysBetween(this.asked, options);
    this.keep(trace, options, folds === undefined);
    if (isNew || !this.changes) {
      this.trace = trace;
      this.log = log;
      this.changes = new ChangedRows(trace);
    } else if (folds?.size === 0 && this.read === log.length) return this.revision;
    const changed = isNew ? [] : this.changes.read(log.slice(this.read));
    this.read = log.length;
    this.tree = new OutlineTree(trace, this.options);
    if (folds) this.grow(trace, [...this.unitsAt(trace, folds), ...changed]);
    else this.begin(trace);
    this.revision = ++revisions;
    return this.revision;
  }

  /** Takes over the options, and which rows are kept: all of them anew, or the new ones too. */
  private keep(trace: Trace, options: OutlineOptions, anew: boolean): void {
    const { only } = options;
    if (!only) this.kept = undefined;
    else if (anew || !this.kept) this.kept = new KeptKeys(trace, only);
    else this.kept.add(onlyOne(this.asked.only ?? none, only));
    if (anew || options !== this.asked) {
      const { collapsed = none } = options;
      this.options = this.kept ? { collapsed, quiet: true, kept: this.kept } : options;
    }
    this.asked = options;
  }

  get length(): number {
    return this.list.length;
  }

  /** Of all rows. */
  get height(): number {
    return this.list.height;
  }

  row(index: number): Row | undefined {
    return this.list.row(index);
  }

  /** Where the row begins. */
  topOf(index: number): number {
    return this.list.top(index);
  }

  /** The row that covers `y`, or the nearest. */
  indexAt(y: number): number {
    return this.list.indexAt(y);
  }

  /** How many rows stand below the row's parent. */
  setSize({ parent }: Row): number {
    return this.sizes.get(parent) ?? 0;
  }

  /** The index of the row with this key, else of the nearest visible row above it in the tree; -1 when there is none. */
  nearest(key: string): number {
    const path = (this.trace ? pathTo(this.trace, key) : []).toReversed();
    for (const below of path) {
      const unit = this.list.unitIndex(below);
      const rows = this.list.unit(unit)?.rows ?? [];
      for (const above of path) {
        const index = rows.findIndex(({ branch }) => branch.key === above);
        if (index >= 0) return this.list.start(unit).row + index;
      }
    }
    return -1;
  }

  /** The run and the turn whose rows are at `y`, in so far as they are open. */
  headsAt(y: number): Head[] {
    const unit = this.list.unitAtRow(this.list.indexAt(y));
    const parent = this.list.unit(unit)?.place.parent;
    const run = this.list.unitIndex(parent ?? this.list.unit(unit)?.key ?? '');
    const heads = [this.headOf(run)];
    if (run !== unit) heads.push(this.headOf(unit));
    return heads.filter((head) => head !== undefined);
  }

  private headOf(index: number): Head | undefined {
    const unit = this.list.unit(index);
    const head = unit?.rows[0];
    if (!head?.expanded) return undefined;
    const row = rowOf(head);
    if (row.kind !== 'run' && row.kind !== 'turn') return undefined;
    const below = row.kind === 'run' ? (this.runs.get(row.run)?.units ?? 0) : 0;
    const start = this.list.start(index);
    return { row, index: start.row, top: start.y, bottom: this.list.start(index + 1 + below).y };
  }

  private begin(trace: Trace): void {
    this.list = new RowList(this.heightOf);
    this.runs = new Map();
    this.sizes = new Map();
    this.top = { refs: 0, prompts: 0, units: 0 };
    this.growTop(trace);
  }

  /** The keys of the units in which rows with these keys may be, and of the runs above them. */
  private unitsAt(trace: Trace, keys: Iterable<string>): Set<string> {
    const units = new Set<string>();
    for (const key of keys)
      for (const above of pathTo(trace, key)) if (this.list.unitIndex(above) >= 0) units.add(above);
    return units;
  }

  private grow(trace: Trace, changed: Iterable<string>): void {
    for (const key of changed) {
      const index = this.list.unitIndex(key);
      const unit = this.list.unit(index);
      const first = unit?.head.body;
      const run = first?.kind === 'run' ? trace.runsById.get(first.run) : undefined;
      if (run) this.growRun(trace, index, run);
      const branch = unit && this.tree && branchOf(this.tree, first);
      if (branch) this.list.replaceRows(index, placedRows(branch, unit.place, this.options, this.sizes));
    }
    if (trace.children.length > this.top.refs) {
      const last = trace.children[this.top.refs - 1];
      // It may belong to the moment of the one that follows.
      if (last && last.kind !== 'run' && isFile(trace, last)) this.begin(trace);
      else this.growTop(trace);
    }
  }

  private growTop(trace: Trace): void {
    const { top } = this;
    let beside: NodeRef[] = [];
    const close = () => {
      if (beside.length > 0) this.list.splice(this.list.unitCount, 0, this.unitsOf(beside, undefined, top));
      beside = [];
    };
    for (const ref of trace.children.slice(top.refs)) {
      if (ref.kind !== 'run') {
        beside.push(ref);
        continue;
      }
      close();
      this.addRun(trace, ref.index);
    }
    close();
    top.refs = trace.children.length;
    this.sizes.set(undefined, top.units);
  }

  private addRun(trace: Trace, at: number): void {
    const run = trace.runs[at];
    if (!run || !this.tree) return;
    const place = { parent: undefined, depth: 0, posInSet: ++this.top.units };
    const head = this.tree.run(run);
    const rows = this.rowAlone(head, place);
    this.runs.set(run.id, { refs: 0, prompts: 0, units: 0 });
    this.list.splice(this.list.unitCount, 0, [{ key: head.key, head, place, rows }]);
    if (rows[0]?.expanded) this.addBelow(trace, run, this.list.unitCount);
  }

  /** The run's head, and what is new below it. */
  private growRun(trace: Trace, index: number, run: RunNode): void {
    const unit = this.list.unit(index);
    const progress = this.runs.get(run.id);
    if (!unit || !progress || !this.tree) return;
    const rows = this.rowAlone(this.tree.run(run), unit.place);
    const isExpanded = rows[0]?.expanded === true;
    this.list.replaceRows(index, rows);
    const last = run.children[progress.refs - 1];
    const isWhole = progress.refs === 0 || progress.prompts === promptsOf(trace, run).length;
    const isAtFile = run.children.length > progress.refs && last !== undefined && isFile(trace, last);
    if (!isExpanded || !isWhole || isAtFile) {
      this.list.splice(index + 1, progress.units, []);
      Object.assign(progress, { refs: 0, prompts: 0, units: 0 });
    }
    if (isExpanded) this.addBelow(trace, run, index + 1 + progress.units);
  }

  private rowAlone(branch: Branch, place: RowPlace): PlacedRow[] {
    return this.kept?.has(branch.key) === false ? [] : [placed(branch, place, this.options)];
  }

  private addBelow(trace: Trace, run: RunNode, index: number): void {
    const progress = this.runs.get(run.id);
    if (!progress || progress.refs === run.children.length) return;
    const prompts = promptsOf(trace, run);
    const refs = run.children.slice(progress.refs);
    if (progress.refs === 0) refs.unshift(...prompts);
    progress.prompts = prompts.length;
    this.list.splice(index, 0, this.unitsOf(refs, `run:${run.id}`, progress));
    progress.refs = run.children.length;
    this.sizes.set(`run:${run.id}`, progress.units);
  }

  private unitsOf(refs: NodeRef[], parent: string | undefined, progress: Progress): Unit[] {
    const { tree, options, sizes } = this;
    if (!tree) return [];
    return tree.branches(refs).map((branch) => {
      const place = { parent, depth: parent === undefined ? 0 : 1, posInSet: ++progress.units };
      return { key: branch.key, head: branch, place, rows: placedRows(branch, place, options, sizes) };
    });
  }
}

function isFile(trace: Trace, ref: NodeRef): boolean {
  return ref.kind === 'note' && isFileNote(trace.notes[ref.index]);
}

/** What the row shows as it is now. */
function branchOf(tree: OutlineTree, row: RowBody | undefined): Branch | undefined {
  if (row?.kind === 'turn') return tree.branch({ kind: 'turn', id: row.turn });
  if (row?.kind === 'message') return tree.branch({ kind: 'message', id: row.message });
  if (row?.kind === 'call') return tree.branch({ kind: 'call', id: row.call });
  if (row?.kind === 'files') return fileBranches(row.notes.filter(isFileNote))[0];
  return row?.kind === 'note' && row.noteKind !== 'file' ? tree.note(row.note) : undefined;
}
