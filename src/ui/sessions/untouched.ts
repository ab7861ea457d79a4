import type { SessionInfo, TraceRecord } from '../../records/types';

/**
 * Nothing ever happened in it that a new session of its scenario would not have again: it has the records that it began
 * with, and the scenario's title. One with a model of the person's own is never so: somebody set it up.
 */
export function isUntouched(
  { scenario, title }: Pick<SessionInfo, 'scenario' | 'title'>,
  titles: readonly (string | undefined)[],
  log: readonly TraceRecord[],
): boolean {
  return scenario !== undefined && titles.includes(title) && log.every(isOfStart);
}

function isOfStart(record: TraceRecord, index: number): boolean {
  if (record.type === 'config') return index === 0;
  if (record.type === 'file_change') return record.by === 'start';
  if (record.type === 'message_start') return record.origin === 'history';
  return record.type === 'message_end';
}
