/** Which rows stand above which. */
import { filesKeyAmong, filesKeyOf, isFileNote } from './branch-files';
import { isPrompt } from './branches';
import type { NoteNode, Trace } from './types';

/**
 * The keys of the rows from the top of the outline down to the one with this key, itself included. What has no row of
 * its own ends at the row that stands for it. Empty when nothing is known of it.
 */
export function pathTo(trace: Trace, key: string): string[] {
  const [kind, id] = halves(key, ':');
  switch (kind) {
    case 'run':
      return trace.runsById.has(id) ? [key] : [];
    case 'turn':
      return inTurn(trace, id);
    case 'call':
      return toCall(trace, id);
    case 'note':
      return toNote(trace, noteAt(trace, Number(id)));
    case 'files':
      return toNote(trace, noteAt(trace, Number(id))).slice(0, -1);
    case 'message':
      return toMessage(trace, key, id);
    default:
      return [];
  }
}

function inTurn(trace: Trace, id: string): string[] {
  const turn = trace.turns.get(id);
  return turn ? [`run:${turn.run}`, `turn:${id}`] : [];
}

function toCall(trace: Trace, id: string): string[] {
  const call = trace.calls.get(id);
  if (!call) return [];
  const above = call.parent === undefined ? inTurn(trace, call.turn) : toCall(trace, call.parent);
  return [...above, `call:${id}`];
}

function toMessage(trace: Trace, key: string, rest: string): string[] {
  const [id, part] = halves(rest, '/');
  const message = trace.messages.get(id);
  if (!message) return [];
  if (message.call !== undefined && trace.calls.has(message.call)) return toCall(trace, message.call);
  const turn = message.turn === undefined ? undefined : trace.turns.get(message.turn);
  // A failure between two turns is of a turn that never started.
  const run =
    turn?.run ??
    trace.runs.findLast(({ children }) =>
      children.some((child) => child.kind === 'message' && child.id === id),
    )?.id;
  const isAbove = turn?.n === 1 && isPrompt(trace, { kind: 'message', id });
  return [
    ...(run === undefined ? [] : [`run:${run}`]),
    ...(turn && !isAbove ? [`turn:${turn.id}`] : []),
    `message:${id}`,
    ...(part.startsWith('deltas/') ? [`message:${id}/deltas`] : []),
    ...(part === '' ? [] : [key]),
  ];
}

function toNote(trace: Trace, note: NoteNode | undefined): string[] {
  if (!note) return [];
  const key = `note:${note.seq}`;
  const call = note.call === undefined ? undefined : trace.calls.get(note.call);
  if (call) {
    const files = isFileNote(note) ? filesKeyAmong(call.notes.filter(isFileNote), note) : undefined;
    return [...toCall(trace, call.id), ...(files === undefined ? [] : [files]), key];
  }
  const turn = note.turn === undefined ? undefined : trace.turns.get(note.turn);
  const run = turn?.run ?? (note.run !== undefined && trace.runsById.has(note.run) ? note.run : undefined);
  const above = turn ? inTurn(trace, turn.id) : run === undefined ? [] : [`run:${run}`];
  if (note.note.type !== 'file') return [...above, key];
  const beside =
    turn?.children ?? (run === undefined ? trace.children : trace.runsById.get(run)?.children) ?? [];
  const files = filesKeyOf(trace, note, beside);
  return [...above, ...(files === undefined ? [] : [files]), key];
}

/** Notes are kept in the order of their records. */
function noteAt({ notes }: Trace, seq: number): NoteNode | undefined {
  let low = 0;
  let high = notes.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((notes[middle]?.seq ?? 0) < seq) low = middle + 1;
    else high = middle;
  }
  const note = notes[low];
  return note?.seq === seq ? note : undefined;
}

function halves(text: string, sign: string): [string, string] {
  const at = text.indexOf(sign);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
