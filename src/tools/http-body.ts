import { decodeText, wellFormed } from './encoding';

export interface Body {
  bytes: Uint8Array;
  /** There was more; the rest was not read. */
  isCut: boolean;
}

/** Reads at most `limit` bytes, and cancels the rest. */
export async function readBody(response: Response, limit: number): Promise<Body> {
  const reader = response.body?.getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  let isCut = false;
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    const piece = value.subarray(0, limit - length);
    pieces.push(piece);
    length += piece.length;
    if (piece.length < value.length) {
      isCut = true;
      // The connection may fail while it closes; what was read is what counts.
      await reader.cancel().catch(() => undefined);
      break;
    }
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return { bytes, isCut };
}

export type BodyKind = 'html' | 'text' | 'unknown';

/** What a content type says of a body. Only what says so is HTML. */
export function bodyKind(contentType: string): BodyKind {
  const [type = ''] = contentType.toLowerCase().split(';');
  const name = type.trim();
  if (name === 'text/html' || name === 'application/xhtml+xml') return 'html';
  if (
    name.startsWith('text/') ||
    /[/+](?:json|xml|x-ndjson|yaml|x-yaml|toml|javascript|x-javascript|x-www-form-urlencoded|x-sh)$/.test(
      name,
    )
  )
    return 'text';
  return 'unknown';
}

/**
 * The text of a body: by its BOM, the charset of the content type, or a page's own `<meta>`; UTF-8 otherwise. A character that
 * was cut at the end is left out.
 */
export function bodyText({ bytes, isCut }: Body, contentType: string, kind: BodyKind): string {
  const label =
    bomCharset(bytes) ?? charsetOf(contentType) ?? (kind === 'html' ? metaCharset(bytes) : undefined);
  const text = decoder(label).decode(bytes, { stream: isCut });
  return wellFormed(text);
}

/** The text of a body whose type says nothing; `undefined` when it is not UTF-8, or holds a NUL. */
export function guessedText({ bytes, isCut }: Body): string | undefined {
  if (!isCut) return decodeText(bytes);
  const lastStart = bytes.findLastIndex((byte) => (byte & 0xc0) !== 0x80);
  return decodeText(bytes.subarray(0, Math.max(0, lastStart)));
}

function decoder(label: string | undefined): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder(); // a charset that nobody knows
  }
}

function bomCharset(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return undefined;
}

function charsetOf(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1];
}

/** HTML declares it in its first 1,024 bytes. */
function metaCharset(bytes: Uint8Array): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 1024));
  return /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)/i.exec(head)?.[1];
}
