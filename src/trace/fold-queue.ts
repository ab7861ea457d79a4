/** The two queues: what waits, what left and why. */
import type { QueueName } from '../loop/types';
import type { QueuedBody, RecordOf } from '../records/types';
import type { QueueItem, Trace } from './types';

export function queue(trace: Trace, record: RecordOf<'queue'>): void {
  for (const id of record.remove ?? []) remove(trace, record, id);
  if (record.why === 'clear' && !record.remove) {
    for (const { id } of [...trace.queues[record.queue]]) remove(trace, record, id);
  }
  for (const added of record.add ?? []) add(trace, record, added);
  if (record.order) trace.queues[record.queue] = ordered(trace.queues[record.queue], record.order);
}

function remove(trace: Trace, record: RecordOf<'queue'>, id: string): void {
  take(trace, record.queue, id);
  const item = trace.queueItems.get(id);
  // A move tells of both queues; an item that was moved away first has not left.
  if (item?.queue !== record.queue) return;
  if (record.why !== 'drain' && record.why !== 'remove' && record.why !== 'clear') return;
  item.left = record.why;
  item.leftAt = record.at;
  item.leftSeq = record.seq;
}

function add(trace: Trace, record: RecordOf<'queue'>, { id, message, index }: QueuedBody): void {
  const known = trace.queueItems.get(id);
  const item = known && known.left === undefined ? known : newItem(trace, record, { id, message });
  take(trace, item.queue, id);
  if (record.queue !== item.queue)
    (item.moves ??= []).push({ from: item.queue, at: record.at, seq: record.seq });
  if (record.why === 'edit') item.edited = true;
  item.queue = record.queue;
  item.message = message;
  trace.queues[record.queue].splice(index, 0, item);
}

function newItem(
  trace: Trace,
  { queue, at, seq }: RecordOf<'queue'>,
  { id, message }: Pick<QueuedBody, 'id' | 'message'>,
): QueueItem {
  const item: QueueItem = { id, queue, message, at, seq };
  trace.queueItems.set(id, item);
  return item;
}

function take(trace: Trace, queue: QueueName, id: string): void {
  const items = trace.queues[queue];
  const index = items.findIndex((item) => item.id === id);
  if (index !== -1) items.splice(index, 1);
}

/** Items that the order does not name keep their places behind. */
function ordered(items: QueueItem[], order: string[]): QueueItem[] {
  const place = new Map(order.map((id, index) => [id, index]));
  return items.toSorted((a, b) => (place.get(a.id) ?? order.length) - (place.get(b.id) ?? order.length));
}
