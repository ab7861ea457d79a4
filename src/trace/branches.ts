/** The outline's tree: what stands below what, and which notes are shown. */
import { spanOf, type Branch } from './branch';
import { fileBranches, isFileNote, type FileNote } from './branch-files';
import { callBranch, messageBranch } from './branch-parts';
import type { NoteKind, OutlineOptions, RowStatus } from './rows';
import type { CallNode, NodeRef, NoteNode, RunNode, Trace, TurnNode } from './types';

/** Notes that nothing can change. */
const finalNotes = new WeakMap<NoteNode, Branch>();

export class OutlineTree {
  constructor(
    private readonly trace: Trace,
    private readonly options: OutlineOptions,
  ) {}

  run(run: RunNode): Branch {
    const { id, n, how, status, settled } = run;
    return {
      key: `run:${id}`,
      kind: 'run',
      injected: false,
      body: { kind: 'run', run: id, n, how, status, settled },
      span: { ...spanOf(run), ...(run.usage.totalTokens > 0 ? { tokens: run.usage.totalTokens } : {}) },
      ...this.below(run.children, () => this.branches([...promptsOf(this.trace, run), ...run.children])),
    };
  }

  /** Of things that stand one behind the other. */
  branches(refs: readonly NodeRef[]): Branch[] {
    const branches: Branch[] = [];
    let files: FileNote[] = [];
    const close = () => {
      if (files.length > 0) branches.push(...fileBranches(files));
      files = [];
    };
    for (const ref of refs) {
      const note = ref.kind === 'note' ? this.trace.notes[ref.index] : undefined;
      if (note && !this.shows(note)) continue;
      if (isFileNote(note)) files.push(note);
      else {
        close();
        const branch = this.branch(ref);
        if (branch) branches.push(branch);
      }
    }
    close();
    return branches;
  }

  branch(ref: NodeRef): Branch | undefined {
    const { trace } = this;
    switch (ref.kind) {
      case 'turn': {
        const turn = trace.turns.get(ref.id);
        return turn && this.turn(turn);
      }
      case 'message': {
        const message = trace.messages.get(ref.id);
        return message && messageBranch(trace, message);
      }
      case 'call': {
        const call = this.options.hidden?.has('call') ? undefined : trace.calls.get(ref.id);
        return call && this.call(call);
      }
      case 'note': {
        const note = trace.notes[ref.index];
        return note && this.shows(note) ? this.note(note) : undefined;
      }
    }
  }

  private call(call: CallNode): Branch {
    const notes = [...call.hooks, ...call.notes].filter((note) => this.shows(note));
    const below = [
      ...fileBranches(notes.filter(isFileNote)),
      ...notes.filter((note) => !isFileNote(note)).map((note) => this.note(note)),
      ...call.calls.flatMap((id) => this.branch({ kind: 'call', id }) ?? []),
    ];
    return callBranch(
      this.trace,
      call,
      below.sort((a, b) => a.span.seq - b.span.seq),
    );
  }

  private turn(turn: TurnNode): Branch {
    const tokens = turn.request && this.trace.messages.get(turn.request.message)?.usage?.totalTokens;
    const children = turn.children.filter((child) => !this.isElsewhere(child, turn));
    return {
      key: `turn:${turn.id}`,
      kind: 'turn',
      injected: false,
      body: { kind: 'turn', turn: turn.id, n: turn.n, status: this.turnStatus(turn) },
      span: { ...spanOf(turn), ...(tokens ? { tokens } : {}) },
      ...this.below(children, () => this.branches(children)),
    };
  }

  private turnStatus(turn: TurnNode): RowStatus {
    if (turn.endAt === undefined) return 'running';
    const run = this.trace.runsById.get(turn.run);
    const last = run?.turns === turn.n;
    return last && run.status !== 'running' ? run.status : 'done';
  }

  /** The prompts of a run's first turn stand below the run; a result's message is part of its call's row. */
  private isElsewhere(child: NodeRef, turn: TurnNode): boolean {
    if (child.kind !== 'message') return false;
    if (turn.n === 1 && isPrompt(this.trace, child)) return true;
    const call = this.trace.messages.get(child.id)?.call;
    return call !== undefined && this.trace.calls.has(call);
  }

  note(note: NoteNode): Branch {
    const known = finalNotes.get(note);
    if (known) return known;
    const { seq, at, note: what } = note;
    const ask = 'ask' in what ? this.trace.asks.get(what.ask) : undefined;
    const durationMs = durationOf(note, ask?.endAt);
    const branch: Branch = {
      // Numbers of records are unique, and a record makes one note at most.
      key: `note:${seq}`,
      kind: 'note',
      injected: false,
      body: { kind: 'note', note, noteKind: noteKind(note), ...(ask ? { ask } : {}) },
      span: { seq, at, ...(durationMs === undefined ? {} : { durationMs }) },
    };
    if (!ask && what.type !== 'pause') finalNotes.set(note, branch);
    return branch;
  }

  private shows(note: NoteNode): boolean {
    if (this.options.hidden?.has(noteKind(note))) return false;
    return this.options.quiet === true || !tellsNothing(note);
  }

  private below(refs: readonly NodeRef[], children: () => Branch[]): Pick<Branch, 'children'> {
    const some = refs.some((ref) => {
      if (ref.kind === 'call') return this.options.hidden?.has('call') !== true;
      const note = ref.kind === 'note' ? this.trace.notes[ref.index] : undefined;
      return !note || this.shows(note);
    });
    return some ? { children } : {};
  }
}

/** What the run was asked stands before its first turn, though it joined in it. */
export function promptsOf(trace: Trace, run: RunNode): NodeRef[] {
  const first = run.children.find((child) => child.kind === 'turn');
  const turn = first && trace.turns.get(first.id);
  return turn?.children.filter((child) => isPrompt(trace, child)) ?? [];
}

/** Whether it is what a run was asked. */
export function isPrompt(trace: Trace, child: NodeRef): boolean {
  return child.kind === 'message' && trace.messages.get(child.id)?.origin === 'prompt';
}

function noteKind({ note }: NoteNode): NoteKind {
  return note.type === 'step' ? note.step.type : note.type;
}

function durationOf({ at, note }: NoteNode, askEnd: number | undefined): number | undefined {
  if (note.type === 'hook') return note.durationMs;
  const endAt = note.type === 'pause' ? note.endAt : askEnd;
  return endAt === undefined ? undefined : endAt - at;
}

function tellsNothing({ note, run }: NoteNode): boolean {
  if (note.type === 'http')
    return note.attempt === 1 && note.error === undefined && (note.status ?? 200) < 400;
  // What a session starts with is shown as its settings.
  if (note.type === 'config') return run === undefined && note.set.systemPrompt !== undefined;
  if (note.type !== 'step') return false;
  // What joins are rows of their own.
  if (note.step.type === 'inject') return true;
  return note.step.type === 'batch' && note.step.mode === 'parallel';
}
