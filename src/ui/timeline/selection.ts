/** Between what is selected on the page and the bars of the axis. */
import type { LaneNode } from '../../trace/lanes-nodes';
import { LANE_KINDS, type LaneKind, type Lanes } from '../../trace/lanes';
import { firstAbove, type LaneRow } from '../../trace/lanes-row';
import type { Selection } from '../view.svelte';

export interface BarRef {
  row: LaneRow;
  index: number;
}

/** What waits in a queue, and an answer that has not begun, go by the id that their message will have. */
export function selectionOf(node: LaneNode): Selection {
  switch (node.kind) {
    case 'run':
      return { kind: 'run', id: node.run.id };
    case 'turn':
      return { kind: 'turn', id: node.turn.id };
    case 'model':
      return { kind: 'message', id: node.message?.id ?? node.request?.message ?? '' };
    case 'tool':
      return { kind: 'call', id: node.call.id };
    case 'steering':
    case 'followUp':
      return { kind: 'message', id: node.item.id };
    default:
      return { kind: 'note', seq: node.note.seq };
  }
}

export function isSameSelection(a: Selection | undefined, b: Selection | undefined): boolean {
  if (!a || !b) return a === b;
  return a.kind === b.kind && (a.kind === 'note' ? a.seq : a.id) === (b.kind === 'note' ? b.seq : b.id);
}

/** The bar of what is selected; a tool's result is found as its call. `undefined`: it has none. */
export function barOfSelection(lanes: Lanes, selection: Selection): BarRef | undefined {
  const { trace } = lanes;
  if (selection.kind === 'run') return barFrom(lanes, ['run'], trace.runsById.get(selection.id));
  if (selection.kind === 'turn') return barFrom(lanes, ['turn'], trace.turns.get(selection.id));
  if (selection.kind === 'call') return barFrom(lanes, ['tool'], trace.calls.get(selection.id));
  if (selection.kind === 'note') return barOfNote(lanes, selection.seq);
  const item = trace.queueItems.get(selection.id);
  // The last of its stays in a queue.
  if (item) return barFrom(lanes, [item.queue], item.moves?.at(-1) ?? item);
  const message = trace.messages.get(selection.id);
  const call = message?.call === undefined ? undefined : trace.calls.get(message.call);
  if (call) return barFrom(lanes, ['tool'], call);
  return barOfAnswer(lanes, selection.id, message?.seq ?? lanes.end.seq);
}

/** When what is selected was, also of what has no bar. `endAt` is Infinity while it goes on. */
export function spanOfSelection(
  lanes: Lanes,
  selection: Selection,
): { at: number; seq: number; endAt: number; endSeq: number } | undefined {
  const bar = barOfSelection(lanes, selection);
  if (bar) {
    const { row, index } = bar;
    const [at = 0, seq = 0] = [row.at[index], row.seq[index]];
    return { at, seq, endAt: row.endAt[index] ?? at, endSeq: row.endSeq[index] ?? seq };
  }
  if (selection.kind === 'note') {
    const at = lanes.clock.atOf(selection.seq);
    return { at, seq: selection.seq, endAt: at, endSeq: selection.seq };
  }
  const message = selection.kind === 'message' ? lanes.trace.messages.get(selection.id) : undefined;
  if (!message) return undefined;
  const { at, seq, endAt = Infinity, endSeq = Infinity } = message;
  return { at, seq, endAt, endSeq };
}

function barFrom(lanes: Lanes, kinds: LaneKind[], node: { seq: number } | undefined): BarRef | undefined {
  if (!node) return undefined;
  for (const row of kinds.flatMap((kind) => lanes.rows[kind])) {
    const index = firstAbove(row.seq, node.seq, 0, row.count) - 1;
    if (index >= 0 && row.seq[index] === node.seq) return { row, index };
  }
  return undefined;
}

/** An answer's bar begins before it, at its request. */
function barOfAnswer(lanes: Lanes, id: string, seq: number): BarRef | undefined {
  for (const row of lanes.rows.model) {
    const index = firstAbove(row.seq, seq, 0, row.count) - 1;
    const node = index < 0 ? undefined : lanes.nodeAt(row, index);
    if (node?.kind !== 'model') continue;
    if (id === (node.message?.id ?? node.request?.message)) return { row, index };
  }
  return undefined;
}

/** A note's bar ends with its record, but for a pause, which begins with it. */
function barOfNote(lanes: Lanes, seq: number): BarRef | undefined {
  for (const row of [...lanes.rows.hook, lanes.pauses, lanes.polls.steering, lanes.polls.followUp]) {
    const index = firstAbove(row.seq, seq, 0, row.count) - 1;
    const node = index < 0 ? undefined : lanes.nodeAt(row, index);
    if (node && 'note' in node && node.note.seq === seq) return { row, index };
  }
  return undefined;
}

/** All rows that the keyboard walks, from the top. */
export function rowsOf(lanes: Lanes): { kind: LaneKind; row: LaneRow }[] {
  return LANE_KINDS.flatMap((kind) => lanes.rows[kind].map((row) => ({ kind, row })));
}
