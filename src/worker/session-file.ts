/** A session that comes from a file. */
import type { SessionInfo } from '../records/types';
import { problem } from '../store';
import type { Commit } from '../store';
import { importJsonl } from '../trace/import-jsonl';
import { planOfStored } from './plan';
import { restore } from './restore';

/** In MB, of 2^20 bytes. */
const maxSize = 40;

/**
 * What a session file brings, looked at from every side before anything is stored of it. Rejects with `import.tooLarge
 * {size, max}`, an ImportError, or a ScenarioError when its scenario is none.
 */
export async function readSessionFile(file: Blob, id: string): Promise<Commit> {
  const size = Math.ceil(file.size / 2 ** 20);
  if (size > maxSize) throw problem('import.tooLarge', { size, max: maxSize });
  const { info: read, records, blobs } = importJsonl(await file.text());
  const info: SessionInfo = { ...read, id, updatedAt: Date.now(), endpointUnconfirmed: true };
  const { trace } = await restore(records, (hash) => Promise.resolve(blobs.get(hash)));
  planOfStored(info, trace.config, records);
  return { info, records, blobs: [...blobs] };
}
