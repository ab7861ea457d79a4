/** The outline's tree: what stands below what, and which notes are shown. */
import { callBranch, messageBranch } from './branch-parts';
import { spanOf, type Branch } from './branch';
import type { NoteKind, OutlineOptions, RowStatus } from './rows';
import type { NodeRef, NoteNode, RunNode, Trace, TurnNode } from './types';

export type { Branch };

/** History, runs, and what happened outside of runs. */
export function topBranches(trace: Trace, options: OutlineOptions): Branch[] {
  const tree = new Tree(trace, options);
  return trace.children.flatMap((child) => {
    if (child.kind !== 'run') return tree.child(child);
    const run = trace.runs[child.index];
    return run ? tree.run(run) : [];
  });
}

/** Notes that nothing can change. */
const finalNotes = new WeakMap<NoteNode, Branch>();

class Tree {
  constructor(
    private readonly trace: Trace,
    private readonly options: OutlineOptions,
  ) {}

  run(run: RunNode): Branch {
    const { id, n, how, status, settled } = run;
    return {
      key: `run:${id}`,
      body: { kind: 'run', run: id, n, how, status, settled },
      span: { ...spanOf(run), ...(run.usage.totalTokens > 0 ? { tokens: run.usage.totalTokens } : {}) },
      ...this.below(run.children, () => this.runChildren(run)),
    };
  }

  child(ref: NodeRef): Branch[] {
    const { trace } = this;
    switch (ref.kind) {
      case 'turn': {
        const turn = trace.turns.get(ref.id);
        return turn ? [this.turn(turn)] : [];
      }
      case 'message': {
        const message = trace.messages.get(ref.id);
        return message ? [messageBranch(trace, message)] : [];
      }
      case 'call': {
        const call = trace.calls.get(ref.id);
        if (!call) return [];
        const notes = [...call.hooks, ...call.notes].filter((note) => this.shows(note));
        const calls = call.calls.flatMap((id) => this.child({ kind: 'call', id }));
        const below = [...notes.map((note) => this.note(note)), ...calls];
        return [
          callBranch(
            trace,
            call,
            below.sort((a, b) => a.span.seq - b.span.seq),
          ),
        ];
      }
      case 'note': {
        const note = trace.notes[ref.index];
        return note && this.shows(note) ? [this.note(note)] : [];
      }
    }
  }

  /** What the run was asked stands before its first turn, though it joined in it. */
  private runChildren(run: RunNode): Branch[] {
    const first = run.children.find((child) => child.kind === 'turn');
    const turn = first && this.trace.turns.get(first.id);
    const prompts = turn?.children.filter((child) => this.isPrompt(child)) ?? [];
    return [...prompts, ...run.children].flatMap((child) => this.child(child));
  }

  private turn(turn: TurnNode): Branch {
    const tokens = turn.request && this.trace.messages.get(turn.request.message)?.usage?.totalTokens;
    const children = turn.children.filter((child) => !this.isElsewhere(child, turn));
    return {
      key: `turn:${turn.id}`,
      body: { kind: 'turn', turn: turn.id, n: turn.n, status: this.turnStatus(turn) },
      span: { ...spanOf(turn), ...(tokens ? { tokens } : {}) },
      ...this.below(children, () => children.flatMap((child) => this.child(child))),
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
    if (turn.n === 1 && this.isPrompt(child)) return true;
    const call = this.trace.messages.get(child.id)?.call;
    return call !== undefined && this.trace.calls.has(call);
  }

  private isPrompt(child: NodeRef): boolean {
    return child.kind === 'message' && this.trace.messages.get(child.id)?.origin === 'prompt';
  }

  private note(note: NoteNode): Branch {
    const known = finalNotes.get(note);
    if (known) return known;
    const { seq, at, note: what } = note;
    const ask = 'ask' in what ? this.trace.asks.get(what.ask) : undefined;
    const durationMs = durationOf(note, ask?.endAt);
    const branch: Branch = {
      // Numbers of records are unique, and a record makes one note at most.
      key: `note:${seq}`,
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

  private below(refs: NodeRef[], children: () => Branch[]): Pick<Branch, 'children'> {
    const some = refs.some((ref) => {
      const note = ref.kind === 'note' ? this.trace.notes[ref.index] : undefined;
      return !note || this.shows(note);
    });
    return some ? { children } : {};
  }
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
