/**
 * Zip files, read by their directory and written piece by piece. Loaded when it is first used. What a zip says of itself is
 * not believed: what comes out of an entry is counted, and stopped at the limit.
 */
import { Inflate, Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import type { Candidate } from './upload';
import { FileRefused } from './upload';

/** What a session cannot take anyway. */
const largestZip = 200 * 1024 * 1024;
/** Bytes after which the page gets its turn. */
const pieceBytes = 1 << 20;

interface Entry {
  name: string;
  method: number;
  isEncrypted: boolean;
  packedBytes: number;
  bytes: number;
  /** Where its local header begins. */
  at: number;
}

/** The files in a zip; each is unpacked when it is read. Throws `files.badZip` or `files.zipTooBig`. */
export async function zipCandidates(file: File): Promise<Candidate[]> {
  if (file.size > largestZip) throw new FileRefused({ code: 'files.zipTooBig', params: { path: file.name } });
  const zip = new Uint8Array(await file.arrayBuffer());
  const entries = readDirectory(zip);
  if (!entries) throw new FileRefused({ code: 'files.badZip', params: { path: file.name } });
  return entries
    .filter(({ name }) => !name.endsWith('/') && !isJunk(name))
    .map((entry) => ({
      path: entry.name.replaceAll('\\', '/'),
      bytes: entry.bytes,
      read: (limit) => unpack(zip, entry, limit),
    }));
}

/** What systems put beside people's files. */
function isJunk(name: string): boolean {
  return name.startsWith('__MACOSX/') || /(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini)$/.test(name);
}

const signatures = { local: 0x04034b50, entry: 0x02014b50, end: 0x06054b50 };
const endBytes = 22;

/** The entries that the directory at the end names; `undefined` when there is none, or it is damaged. */
function readDirectory(zip: Uint8Array): Entry[] | undefined {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  try {
    const end = findEnd(view);
    if (end === undefined) return undefined;
    const entries: Entry[] = [];
    let at = view.getUint32(end + 16, true);
    for (let left = view.getUint16(end + 10, true); left > 0; left--) {
      if (view.getUint32(at, true) !== signatures.entry) return undefined;
      entries.push(readEntry(zip, view, at));
      at +=
        46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    }
    return entries;
  } catch (error) {
    // A place that is said to be outside of the file.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A comment may stand behind the end record. */
function findEnd(view: DataView): number | undefined {
  const last = view.byteLength - endBytes;
  for (let at = last; at >= 0 && at >= last - 0xffff; at--) {
    if (view.getUint32(at, true) === signatures.end) return at;
  }
  return undefined;
}

function readEntry(zip: Uint8Array, view: DataView, at: number): Entry {
  const flags = view.getUint16(at + 8, true);
  const name = zip.subarray(at + 46, at + 46 + view.getUint16(at + 28, true));
  return {
    name: decodeName(name),
    method: view.getUint16(at + 10, true),
    isEncrypted: (flags & 1) !== 0,
    packedBytes: view.getUint32(at + 20, true),
    bytes: view.getUint32(at + 24, true),
    at: view.getUint32(at + 42, true),
  };
}

/** UTF-8 also where the flag for it is missing; what is none is an old encoding, of which the plain letters are known. */
function decodeName(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}

async function unpack(zip: Uint8Array, entry: Entry, limit: number): Promise<Uint8Array> {
  const refuse = (code: string) => new FileRefused({ code, params: { path: entry.name } });
  if (entry.isEncrypted) throw refuse('files.zipEncrypted');
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  const isThere = entry.at + 30 <= zip.length && view.getUint32(entry.at, true) === signatures.local;
  if (!isThere) throw refuse('files.zipDamaged');
  const start = entry.at + 30 + view.getUint16(entry.at + 26, true) + view.getUint16(entry.at + 28, true);
  const packed = zip.subarray(start, start + entry.packedBytes);
  if (packed.length < entry.packedBytes) throw refuse('files.zipDamaged');
  if (entry.method === 0) {
    if (packed.length > limit) throw refuse('files.tooBig');
    return packed.slice();
  }
  if (entry.method !== 8) throw refuse('files.zipMethod');
  const bytes = await inflate(packed, limit).catch(() => undefined); // any error means that it is damaged
  if (bytes === 'tooBig') throw refuse('files.tooBig');
  if (!bytes) throw refuse('files.zipDamaged');
  return bytes;
}

async function inflate(packed: Uint8Array, limit: number): Promise<Uint8Array | 'tooBig'> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  let isWhole = false;
  const inflater = new Inflate((piece, final) => {
    pieces.push(piece);
    bytes += piece.length;
    isWhole = final;
  });
  // Small pieces: a piece of a bomb unpacks to a thousand times its size before it can be stopped.
  const step = 16 * 1024;
  let sinceTurn = 0;
  for (let at = 0; at < packed.length || at === 0; at += step) {
    const before = bytes;
    inflater.push(packed.subarray(at, at + step), at + step >= packed.length);
    if (bytes > limit) return 'tooBig';
    sinceTurn += bytes - before;
    if (sinceTurn < pieceBytes) continue;
    sinceTurn = 0;
    await new Promise((resolve) => setTimeout(resolve));
  }
  if (!isWhole) throw new Error('The end is missing.');
  return joined(pieces, bytes);
}

function joined(pieces: readonly Uint8Array[], bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** What is packed already gains nothing. */
const packedTypes = /\.(png|jpe?g|gif|webp|zip|gz|pdf)$/i;

/** A zip of files, which are read one after the other. */
export async function zipOf(
  files: readonly { name: string; read: () => Promise<Uint8Array> }[],
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    pieces.push(piece);
    bytes += piece.length;
  });
  for (const { name, read } of files) {
    const content = await read();
    const entry = packedTypes.test(name) ? new ZipPassThrough(name) : new ZipDeflate(name, { level: 6 });
    zip.add(entry);
    for (let at = 0; at < content.length || at === 0; at += pieceBytes) {
      entry.push(content.subarray(at, at + pieceBytes), at + pieceBytes >= content.length);
      if (content.length > pieceBytes) await new Promise((resolve) => setTimeout(resolve));
    }
  }
  zip.end();
  return joined(pieces, bytes);
}
