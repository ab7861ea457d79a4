/** What is in the files: texts and bytes by their records, kept for a while. */
import type { BlobHash, FileContent } from '../../records/types';
import type { ReadBlob } from '../blobs';

/** Text, or the bytes of what is no text. `undefined`: it is gone. */
export type Contents = string | Uint8Array | undefined;

const keptBytes = 48 * 1024 * 1024;

/** Reads contents, and keeps those that were read last: up to 48 MB. */
export class ContentReader {
  /** From the one that was used longest ago. */
  readonly #kept = new Map<BlobHash, { promise: Promise<Contents>; bytes: number }>();
  #bytes = 0;

  constructor(private readonly readBlob: ReadBlob) {}

  /** The same promise for the same content, as long as it is kept. */
  read(content: FileContent): Promise<Contents> {
    if ('text' in content) return Promise.resolve(content.text);
    const known = this.#kept.get(content.blob);
    if (known) {
      this.#kept.delete(content.blob);
      this.#kept.set(content.blob, known);
      return known.promise;
    }
    const promise = this.#load(content);
    this.#keep(content.blob, { promise, bytes: content.bytes });
    // What failed or is gone may be there the next time.
    promise.then(
      (value) => value === undefined && this.#forget(content.blob),
      () => this.#forget(content.blob),
    );
    return promise;
  }

  async bytes(content: FileContent): Promise<Uint8Array | undefined> {
    if ('text' in content) return new TextEncoder().encode(content.text);
    return this.readBlob(content.blob);
  }

  async #load({ blob, binary }: Extract<FileContent, { blob: BlobHash }>): Promise<Contents> {
    const bytes = await this.readBlob(blob);
    return !bytes || binary ? bytes : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  }

  #keep(hash: BlobHash, entry: { promise: Promise<Contents>; bytes: number }): void {
    this.#kept.set(hash, entry);
    this.#bytes += entry.bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= keptBytes || oldest === hash) break;
      this.#forget(oldest);
    }
  }

  #forget(hash: BlobHash): void {
    this.#bytes -= this.#kept.get(hash)?.bytes ?? 0;
    this.#kept.delete(hash);
  }
}

/** The type of an image that a browser and a model can take, by its first bytes. */
export function imageType(bytes: Uint8Array): string | undefined {
  const starts = (...start: number[]) => start.every((byte, index) => bytes[index] === byte);
  const word = (at: number) => String.fromCharCode(...bytes.subarray(at, at + 4));
  if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png';
  if (starts(0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (word(0) === 'GIF8') return 'image/gif';
  if (word(0) === 'RIFF' && word(8) === 'WEBP') return 'image/webp';
  return undefined;
}
