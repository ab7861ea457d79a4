/** The records that tell of one thing: what the raw view shows and copies. */
import type { TraceRecord } from '../../records/types';
import type { Trace } from '../../trace';
import type { Selection } from '../view.svelte';

/** In order, and from the log alone, so that they are what is stored. */
export function recordsOf(log: readonly TraceRecord[], trace: Trace, selection: Selection): TraceRecord[] {
  // `seq` counts up by one from 1: it is the place in the log.
  if (selection.kind === 'note') return log.slice(selection.seq - 1, selection.seq);
  const span = spanOf(trace, selection);
  if (!span && selection.kind === 'message') return queueRecords(log, trace, selection.id);
  if (!span) return [];
  const within = log.slice(span.seq - 1, span.endSeq ?? log.length);
  const { kind, id } = selection;
  if (kind === 'run' || kind === 'turn') return within;
  return within.filter((record) => (record as Partial<Record<typeof kind, string>>)[kind] === id);
}

/** Of a message that waits, or that never landed. */
function queueRecords(log: readonly TraceRecord[], trace: Trace, id: string): TraceRecord[] {
  const item = trace.queueItems.get(id);
  if (!item) return [];
  return log
    .slice(item.seq - 1)
    .filter(
      (record) =>
        record.type === 'queue' &&
        (record.add?.some((added) => added.id === id) ||
          [...(record.remove ?? []), ...(record.order ?? [])].includes(id)),
    );
}

function spanOf(trace: Trace, selection: Exclude<Selection, { kind: 'note' }>) {
  if (selection.kind === 'run') return trace.runs.find(({ id }) => id === selection.id);
  if (selection.kind === 'turn') return trace.turns.get(selection.id);
  if (selection.kind === 'message') return trace.messages.get(selection.id);
  return trace.calls.get(selection.id);
}

/** One line of JSON for each record, as in an export. */
export function recordLines(records: readonly TraceRecord[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}
