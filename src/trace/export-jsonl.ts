/** Our own session file: JSON lines, each on its own: a header, then blobs, then records. */
import type { BlobHash, SessionInfo, TraceRecord } from '../records/types';
import { toBase64 } from '../json/base64';

/** The version of the format: `epicycle` in the header. */
export const FORMAT = 1;

/**
 * The file's text. The same stored session gives the same bytes: what a visit changes stays out, and so does the id,
 * which is this browser's own.
 */
export function exportJsonl(
  info: Pick<SessionInfo, 'title' | 'createdAt' | 'scenario' | 'scenarioId'>,
  records: readonly TraceRecord[],
  blobs: ReadonlyMap<BlobHash, Uint8Array>,
): string {
  const { title, createdAt, scenario, scenarioId } = info;
  const counts = { blobs: blobs.size, records: records.length };
  const lines = [JSON.stringify({ epicycle: FORMAT, title, createdAt, ...counts, scenarioId, scenario })];
  for (const [blob, bytes] of [...blobs].sort(([a], [b]) => (a < b ? -1 : 1)))
    lines.push(JSON.stringify({ blob, base64: toBase64(bytes) }));
  for (const record of records) lines.push(JSON.stringify(record));
  return lines.join('\n') + '\n';
}
