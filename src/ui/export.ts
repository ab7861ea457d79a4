/** Session files: what they need, and how the browser saves them. */
import type { BlobHash, FileContent, SessionInfo, TraceRecord } from '../records/types';

/** The blobs that the records name, by hash. One that is gone is left out: its record still names it. */
export async function blobsOf(
  records: readonly TraceRecord[],
  read: (hash: BlobHash) => Promise<Uint8Array | undefined>,
): Promise<Map<BlobHash, Uint8Array>> {
  const hashes = new Set<BlobHash>();
  for (const record of records) collect(record, hashes);
  const blobs = new Map<BlobHash, Uint8Array>();
  for (const hash of hashes) {
    const bytes = await read(hash);
    if (bytes) blobs.set(hash, bytes);
  }
  return blobs;
}

function collect(value: unknown, hashes: Set<BlobHash>): void {
  if (typeof value !== 'object' || value === null) return;
  const { blob } = value as Partial<Extract<FileContent, { blob: BlobHash }>>;
  if (typeof blob === 'string') hashes.add(blob);
  for (const part of Object.values(value)) collect(part, hashes);
}

/** A name that every file system takes. */
export function fileName({ title, createdAt }: Pick<SessionInfo, 'title' | 'createdAt'>): string {
  const words = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return `${words || 'session'}-${new Date(createdAt).toISOString().slice(0, 10)}.epicycle.jsonl`;
}

/** Lets the browser save a text as a file. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
