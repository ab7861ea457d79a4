/** What of a session lies in blobs, put back in place. */
import { toBase64 } from '../json/base64';
import type { Image, Text } from '../loop/types';
import type { BlobHash, FileContent, RecordedContent } from '../records/types';
import type { Scenario } from './types';

/** The bytes of a blob; `undefined` when they are gone. */
export type ReadBlob = (hash: BlobHash) => Uint8Array | undefined;

/** Content with its images; a text stands for one that is gone. */
export function wholeContent(content: readonly RecordedContent[], blobs: ReadBlob): (Text | Image)[] {
  return content.map((part) => {
    if (!('blob' in part)) return { ...part };
    const { type, mimeType } = part;
    const bytes = blobs(part.blob);
    return bytes
      ? { type, mimeType, data: toBase64(bytes) }
      : { type: 'text', text: `[missing ${mimeType}]` };
  });
}

/** The files of a scenario; one whose content is gone is left out. */
export function wholeFiles(files: ReadonlyMap<string, FileContent>, blobs: ReadBlob): Scenario['files'] {
  const whole: NonNullable<Scenario['files']> = {};
  for (const [path, content] of files) {
    const file = wholeFile(content, blobs);
    if (file !== undefined) whole[path] = file;
  }
  return Object.keys(whole).length > 0 ? whole : undefined;
}

/** `undefined` when the content is gone. */
export function wholeFile(content: FileContent, blobs: ReadBlob): string | { base64: string } | undefined {
  if ('text' in content) return content.text;
  const bytes = blobs(content.blob);
  if (!bytes || !content.binary) return bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return { base64: toBase64(bytes) };
}
