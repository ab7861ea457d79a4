/** Which rules of hooks acted on what is selected. */
import type { NodeRef, NoteNode, Trace } from '../../trace';
import type { HookRule } from '../lib/types';
import type { Selection } from '../view.svelte';

export interface RuleAct {
  /** Of the hook's record, and which of its rules. */
  key: string;
  /** The hook in which it acted. */
  note: Extract<NoteNode['note'], { type: 'hook' }>;
  /** Absent: it is no longer among the session's rules. */
  rule: HookRule | undefined;
}

/** In the order in which they acted: on a call, in a turn with all of its calls, or in one hook. */
export function rulesActed(trace: Trace, selection: Selection): RuleAct[] {
  return notesOf(trace, selection).flatMap(({ seq, note }) => {
    if (note.type !== 'hook') return [];
    return (note.rules ?? []).map((id) => {
      return { key: `${seq} ${id}`, note, rule: trace.config.rules?.find((rule) => rule.id === id) };
    });
  });
}

function notesOf(trace: Trace, selection: Selection): readonly NoteNode[] {
  if (selection.kind === 'note') return trace.notes.filter(({ seq }) => seq === selection.seq);
  if (selection.kind === 'call') return trace.calls.get(selection.id)?.hooks ?? [];
  const turn = selection.kind === 'turn' ? trace.turns.get(selection.id) : undefined;
  const notes = turn?.children.flatMap((child) => notesIn(trace, child)) ?? [];
  return notes.toSorted((a, b) => a.seq - b.seq);
}

function notesIn(trace: Trace, child: NodeRef): NoteNode[] {
  if (child.kind === 'note') return [trace.notes[child.index] ?? []].flat();
  return child.kind === 'call' ? (trace.calls.get(child.id)?.hooks ?? []) : [];
}
