/** The conversation as a list: what is read, in order. Each item has a stamp that changes when what it shows changes. */
import type { MessageNode, NoteNode, RunNode, Trace, TurnNode } from '../../trace';

export type ConversationItem = { key: string; stamp: string } & Subject;
type Subject =
  | { kind: 'run'; run: RunNode }
  | { kind: 'turn'; turn: TurnNode }
  | { kind: 'message'; message: MessageNode }
  | { kind: 'note'; note: NoteNode };
type Ref = Trace['children'][number];

/**
 * The last `limit` items, and how many came before them. An item of which nothing changed is the same object as before,
 * so that a page need not look into it; what it costs depends on the limit, not on how long the session is.
 */
export function conversationItems(
  trace: Trace,
  limit: number,
): { items: ConversationItem[]; earlier: number } {
  const items: ConversationItem[] = [];
  addLast(trace, trace.children, items, limit);
  return { items: items.reverse(), earlier: countOf(trace, trace.children) - items.length };
}

/** From the last on, until there are `limit`. */
function addLast(trace: Trace, refs: readonly Ref[], items: ConversationItem[], limit: number): void {
  for (let index = refs.length - 1; index >= 0 && items.length < limit; index--) {
    const subject = subjectOf(trace, refs[index]);
    if (!subject) continue;
    if (subject.kind === 'run') addLast(trace, subject.run.children, items, limit);
    if (subject.kind === 'turn') addLast(trace, subject.turn.children, items, limit);
    if (items.length < limit) items.push(itemOf(trace, subject));
  }
}

function subjectOf(trace: Trace, ref: Ref | undefined): Subject | undefined {
  if (ref?.kind === 'run') {
    const run = trace.runs[ref.index];
    return run && { kind: 'run', run };
  }
  if (ref?.kind === 'turn') {
    const turn = trace.turns.get(ref.id);
    return turn && { kind: 'turn', turn };
  }
  if (ref?.kind === 'message') {
    const message = trace.messages.get(ref.id);
    // A tool's result is read at its call.
    return message && message.role !== 'toolResult' ? { kind: 'message', message } : undefined;
  }
  const note = ref?.kind === 'note' ? trace.notes[ref.index] : undefined;
  return note && isRead(note.note) ? { kind: 'note', note } : undefined;
}

const made = new WeakMap<object, ConversationItem>();

function itemOf(trace: Trace, subject: Subject): ConversationItem {
  const { node, key, stamp } = told(trace, subject);
  const known = made.get(node);
  if (known?.stamp === stamp) return known;
  const item = { key, stamp, ...subject };
  made.set(node, item);
  return item;
}

function told(trace: Trace, subject: Subject): { node: object; key: string; stamp: string } {
  switch (subject.kind) {
    case 'run': {
      const { run } = subject;
      return { node: run, key: `run:${run.id}`, stamp: runStamp(run) };
    }
    case 'turn':
      return { node: subject.turn, key: `turn:${subject.turn.id}`, stamp: String(subject.turn.endSeq) };
    case 'message': {
      const { message } = subject;
      return { node: message, key: `message:${message.id}`, stamp: messageStamp(trace, message) };
    }
    case 'note':
      return { node: subject.note, key: `note:${subject.note.seq}`, stamp: '' };
  }
}

const counts = new WeakMap<TurnNode, { children: number; count: number }>();

/** All items of these. Of a turn it is counted once for as long as it has the same children. */
function countOf(trace: Trace, refs: readonly Ref[]): number {
  let count = 0;
  for (const ref of refs) {
    const subject = subjectOf(trace, ref);
    if (!subject) continue;
    count++;
    if (subject.kind === 'run') count += countOf(trace, subject.run.children);
    if (subject.kind === 'turn') count += countOfTurn(trace, subject.turn);
  }
  return count;
}

function countOfTurn(trace: Trace, turn: TurnNode): number {
  const known = counts.get(turn);
  if (known?.children === turn.children.length) return known.count;
  const count = countOf(trace, turn.children);
  counts.set(turn, { children: turn.children.length, count });
  return count;
}

/** Steps, hooks and settings are for the outline; these change what is read. */
function isRead(note: NoteNode['note']): boolean {
  return (
    note.type === 'abort' || note.type === 'rewind' || note.type === 'interrupted' || isFailedAttempt(note)
  );
}

function isFailedAttempt(note: NoteNode['note']): boolean {
  return note.type === 'http' && (note.error !== undefined || (note.status ?? 200) >= 400);
}

function runStamp({ status, endSeq, turns, usage }: RunNode): string {
  return `${status} ${endSeq} ${turns} ${usage.totalTokens}`;
}

function messageStamp(trace: Trace, message: MessageNode): string {
  let stamp = `${message.status} ${message.endSeq} ${message.dropped}`;
  for (const block of message.blocks) stamp += ` ${block.deltas}`;
  for (const id of message.calls) {
    const call = trace.calls.get(id);
    if (call) stamp += ` ${call.status} ${call.updates} ${call.executeAt} ${call.hooks.length}`;
  }
  return stamp;
}
