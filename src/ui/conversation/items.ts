/** The conversation as a list: what is read, in order. Each item has a stamp that changes when what it shows changes. */
import type { MessageNode, NodeRef, NoteNode, RunNode, Trace, TurnNode } from '../../trace';

export type ConversationItem = { key: string; stamp: string } & (
  | { kind: 'run'; run: RunNode }
  | { kind: 'turn'; turn: TurnNode }
  | { kind: 'message'; message: MessageNode }
  | { kind: 'note'; note: NoteNode }
);

/** The last `limit` items, and how many came before them. */
export function conversationItems(
  trace: Trace,
  limit: number,
): { items: ConversationItem[]; earlier: number } {
  const items: ConversationItem[] = [];
  for (const ref of trace.children) {
    if (ref.kind !== 'run') addRef(trace, ref, items);
    else {
      const run = trace.runs[ref.index];
      if (run) addRun(trace, run, items);
    }
  }
  const earlier = Math.max(0, items.length - limit);
  return { items: items.slice(earlier), earlier };
}

function addRun(trace: Trace, run: RunNode, items: ConversationItem[]): void {
  items.push({ kind: 'run', key: `run:${run.id}`, stamp: runStamp(run), run });
  for (const ref of run.children) addRef(trace, ref, items);
}

function runStamp({ status, endSeq, turns, usage }: RunNode): string {
  return `${status} ${endSeq} ${turns} ${usage.totalTokens}`;
}

function addRef(trace: Trace, ref: NodeRef, items: ConversationItem[]): void {
  if (ref.kind === 'turn') {
    const turn = trace.turns.get(ref.id);
    if (!turn) return;
    items.push({ kind: 'turn', key: `turn:${turn.id}`, stamp: String(turn.endSeq), turn });
    for (const child of turn.children) addRef(trace, child, items);
  } else if (ref.kind === 'message') {
    const message = trace.messages.get(ref.id);
    // A tool's result is read at its call.
    if (message && message.role !== 'toolResult')
      items.push({
        kind: 'message',
        key: `message:${message.id}`,
        stamp: messageStamp(trace, message),
        message,
      });
  } else if (ref.kind === 'note') {
    const note = trace.notes[ref.index];
    if (note && isRead(note.note)) items.push({ kind: 'note', key: `note:${note.seq}`, stamp: '', note });
  }
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

function messageStamp(trace: Trace, message: MessageNode): string {
  let stamp = `${message.status} ${message.endSeq} ${message.dropped}`;
  for (const block of message.blocks) stamp += ` ${block.deltas}`;
  for (const id of message.calls) {
    const call = trace.calls.get(id);
    if (call) stamp += ` ${call.status} ${call.updates} ${call.executeAt} ${call.hooks.length}`;
  }
  return stamp;
}
