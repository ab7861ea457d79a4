/** The conversation as a list: what is read, in order. Each item has a stamp that changes when what it shows changes. */
import type { MessageNode, NoteNode, RunNode, Trace, TurnNode } from '../../trace';

export type ConversationItem = { key: string; stamp: string } & Subject;
type Subject =
  | { kind: 'run'; run: RunNode }
  | { kind: 'turn'; turn: TurnNode }
  | { kind: 'message'; message: MessageNode }
  /** `attempts`: the note stands for these requests that failed, itself first. */
  | { kind: 'note'; note: NoteNode; attempts?: NoteNode[] };
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
    const subject = subjectOf(trace, refs, index);
    if (!subject) continue;
    if (subject.kind === 'run') addLast(trace, subject.run.children, items, limit);
    if (subject.kind === 'turn') addLast(trace, subject.turn.children, items, limit);
    if (items.length < limit) items.push(itemOf(trace, subject));
  }
}

function subjectOf(trace: Trace, refs: readonly Ref[], index: number): Subject | undefined {
  const ref = refs[index];
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
  const note = noteAt(trace, ref);
  if (note && isFailedAttempt(note)) return attemptsFrom(trace, refs, index, note);
  return note && isRead(note.note) ? { kind: 'note', note } : undefined;
}

function noteAt(trace: Trace, ref: Ref | undefined): NoteNode | undefined {
  return ref?.kind === 'note' ? trace.notes[ref.index] : undefined;
}

/** Requests that failed one after the other are told at the first of them; what is told beside them is not told twice. */
function attemptsFrom(
  trace: Trace,
  refs: readonly Ref[],
  index: number,
  note: NoteNode,
): Subject | undefined {
  const before = noteAt(trace, refs[index - 1]);
  if (before && isFailedAttempt(before)) return undefined;
  const attempts: NoteNode[] = [];
  for (let at = index, next: NoteNode | undefined = note; next && isFailedAttempt(next);) {
    attempts.push(next);
    next = noteAt(trace, refs[++at]);
  }
  const last = attempts.at(-1);
  if (last && isWaitedFor(trace, last)) attempts.pop();
  // The answer says itself why it failed.
  const [only, second] = attempts;
  if (!only || (!second && isFinal(only))) return undefined;
  return { kind: 'note', note, attempts };
}

/** Nothing came after it yet: the countdown to the next attempt tells of it. */
function isWaitedFor(trace: Trace, { seq, turn, note }: NoteNode): boolean {
  if (note.type !== 'http' || note.waitMs === undefined) return false;
  const node = turn === undefined ? undefined : trace.turns.get(turn);
  const last = node?.children.findLast((ref) => noteAt(trace, ref)?.note.type === 'http');
  return node !== undefined && node.endSeq === undefined && noteAt(trace, last)?.seq === seq;
}

function isFinal({ note }: NoteNode): boolean {
  return note.type === 'http' && note.waitMs === undefined;
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
      return {
        node: subject.note,
        key: `note:${subject.note.seq}`,
        stamp: String(subject.attempts?.length),
      };
  }
}

const counts = new WeakMap<TurnNode, { children: number; endSeq: number | undefined; count: number }>();

/** All items of these. Of a turn it is counted once for as long as it has the same children. */
function countOf(trace: Trace, refs: readonly Ref[]): number {
  let count = 0;
  for (let index = 0; index < refs.length; index++) {
    const subject = subjectOf(trace, refs, index);
    if (!subject) continue;
    count++;
    if (subject.kind === 'run') count += countOf(trace, subject.run.children);
    if (subject.kind === 'turn') count += countOfTurn(trace, subject.turn);
  }
  return count;
}

function countOfTurn(trace: Trace, turn: TurnNode): number {
  const known = counts.get(turn);
  const { endSeq } = turn;
  if (known?.children === turn.children.length && known.endSeq === endSeq) return known.count;
  const count = countOf(trace, turn.children);
  counts.set(turn, { children: turn.children.length, endSeq, count });
  return count;
}

/** Steps, hooks and settings are for the outline; these change what is read. */
function isRead(note: NoteNode['note']): boolean {
  return note.type === 'abort' || note.type === 'rewind' || note.type === 'interrupted';
}

function isFailedAttempt({ note }: NoteNode): boolean {
  return note.type === 'http' && (note.error !== undefined || (note.status ?? 200) >= 400);
}

function runStamp({ status, endSeq, turns, usage }: RunNode): string {
  return `${status} ${endSeq} ${turns} ${usage.totalTokens}`;
}

function messageStamp(trace: Trace, message: MessageNode): string {
  let stamp = `${message.status} ${message.endSeq} ${message.dropped}`;
  for (const block of message.blocks) stamp += ` ${block.deltas} ${block.endAt}`;
  // Calls that never ran by the end of their turn never will.
  if (message.turn !== undefined && message.blocks.some(({ type }) => type === 'toolCall'))
    stamp += ` ${trace.turns.get(message.turn)?.endSeq}`;
  for (const id of message.calls) {
    const call = trace.calls.get(id);
    if (call) stamp += ` ${call.status} ${call.updates} ${call.executeAt} ${call.hooks.length}`;
  }
  return stamp;
}
