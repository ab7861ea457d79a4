/** What is too large for a record becomes a blob, stored once by its hash. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { toBase64 } from '../json/base64';
import type { BlobHash, FileContent, RecordedContent } from '../records/types';
import type { Image, Text } from '../loop/types';

/** Up to so many bytes stay in the record. */
const inlineBytes = 4096;

export type BlobSink = (hash: BlobHash, bytes: Uint8Array) => void;

/** Makes blobs of a session, and hands each to `sink` once. */
export class BlobWriter {
  readonly #known = new Set<BlobHash>();

  constructor(readonly sink: BlobSink) {}

  put(bytes: Uint8Array): BlobHash {
    const hash = bytesToHex(sha256(bytes));
    if (!this.#known.has(hash)) {
      this.#known.add(hash);
      this.sink(hash, bytes);
    }
    return hash;
  }

  file(content: string | Uint8Array): FileContent {
    const text = typeof content === 'string';
    // A character has three bytes at most, so that short texts need no counting.
    if (text && content.length * 3 <= inlineBytes) return { text: content };
    const bytes = text ? new TextEncoder().encode(content) : content;
    if (text && bytes.length <= inlineBytes) return { text: content };
    return { blob: this.put(bytes), bytes: bytes.length, binary: !text };
  }

  content(content: readonly (Text | Image)[]): RecordedContent[] {
    return content.map((block) =>
      block.type === 'image' ? this.#image(block) : { type: 'text', text: block.text },
    );
  }

  #image({ mimeType, data }: Image): RecordedContent {
    const bytes = data.length > inlineBytes ? bytesOfBase64(data) : undefined;
    // What is no canonical base64 would not come back as it was.
    if (!bytes || toBase64(bytes) !== data) return { type: 'image', mimeType, data };
    return { type: 'image', mimeType, blob: this.put(bytes) };
  }
}

function bytesOfBase64(data: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  } catch {
    // Not base64: the caller keeps the text.
    return undefined;
  }
}
