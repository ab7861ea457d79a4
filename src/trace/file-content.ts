/** What records say of the content of a file. */
import type { FileContent } from '../records/types';

/** Whether two contents are the same: equal contents are recorded equally. */
export function isSameContent(a: FileContent, b: FileContent): boolean {
  if ('text' in a) return 'text' in b && a.text === b.text;
  return 'blob' in b && a.blob === b.blob;
}

/** Bytes of a file, as UTF-8. */
export function contentBytes(content: FileContent): number {
  return 'text' in content ? new TextEncoder().encode(content.text).length : content.bytes;
}
