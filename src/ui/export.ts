/** Session files: what they need, and how the browser saves them. */
import type { BlobHash, FileContent, Problem, SessionInfo, TraceRecord } from '../records/types';
import type { Scenario } from '../scenario/types';
import type { Store } from '../store';
import { exportJsonl } from '../trace';
import { titleWords } from './lib/title-words';
import type { Session } from './session.svelte';
import { saveFile } from './lib/save-file';

/**
 * Lets the browser save a session as a file: the open one as it is in the page, another one as it is stored. Returns
 * what could not be read of it.
 */
export async function saveSession(
  info: SessionInfo,
  store: Store,
  open: Session | undefined,
): Promise<Problem | undefined> {
  const { records, blobs, problem } = await readWhole(info, store, open);
  saveFile(fileName(info, '.epicycle.jsonl'), 'application/jsonl', exportJsonl(info, records, blobs));
  return problem;
}

export interface SavedScenario {
  scenario: Scenario;
  /** The name of the file. */
  file: string;
  /** What could not be read of the session. */
  problem?: Problem;
}

/**
 * The same session as a scenario that plays it again: for a lesson, a test, or to change one thing.
 * @param title of the scenario
 */
export async function saveAsScenario(
  info: SessionInfo,
  title: string,
  store: Store,
  open: Session | undefined,
): Promise<SavedScenario> {
  const { records, blobs, problem } = await readWhole(info, store, open);
  const { scenarioFromRecords } = await import('../scenario/from-records');
  const scenario = scenarioFromRecords(records, { title, blobs: (hash) => blobs.get(hash) });
  const text = `${JSON.stringify(scenario, undefined, 2)}\n`;
  const file = fileName({ ...info, title }, '.scenario.json');
  saveFile(file, 'application/json', text);
  return { scenario, file, ...(problem ? { problem } : {}) };
}

async function readWhole(
  info: SessionInfo,
  store: Store,
  open: Session | undefined,
): Promise<{ records: readonly TraceRecord[]; blobs: Map<BlobHash, Uint8Array>; problem?: Problem }> {
  const read = open ? { records: open.log } : await store.readRecords(info.id);
  const blobs = await blobsOf(read.records, (hash) =>
    open ? (open.send({ type: 'blob', hash }) as Promise<Uint8Array | undefined>) : store.readBlob(hash),
  );
  return { ...read, blobs };
}

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
export function fileName(
  { title, createdAt }: Pick<SessionInfo, 'title' | 'createdAt'>,
  ending: string,
): string {
  return `${titleWords(title)}-${new Date(createdAt).toISOString().slice(0, 10)}${ending}`;
}
