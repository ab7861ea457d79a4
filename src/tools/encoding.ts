/** Text and bytes: UTF-8 lengths, what is text and what is not, images by their magic bytes. */

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function encodeText(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The text of UTF-8 bytes, a BOM included; `undefined` for anything else than text: a NUL in it, or no valid UTF-8. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined; // the decoder throws for invalid UTF-8 and for nothing else
  }
}

/** The text with lone surrogates replaced, since UTF-8 cannot hold them. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

export function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

export function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** UTF-8 bytes of the character at `index`, which is no second half of a pair; a lone surrogate counts as U+FFFD. */
export function characterBytes(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return isHighSurrogate(code) && isLowSurrogate(text.charCodeAt(index + 1)) ? 4 : 3;
}

/** UTF-8 bytes of `text` from `start` to `end`, without encoding it. */
export function utf8Length(text: string, start = 0, end: number = text.length): number {
  let bytes = 0;
  for (let index = start; index < end;) {
    const size = characterBytes(text, index);
    bytes += size;
    index += size === 4 ? 2 : 1;
  }
  return bytes;
}

/** `512 bytes`, `58.6KB`, `2MB`: in steps of 1,024. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const [value, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'KB'] : [bytes / 1024 / 1024, 'MB'];
  return `${value.toFixed(1).replace(/\.0$/, '')}${unit}`;
}

/** The MIME type of a PNG, JPEG, GIF or WebP, told by its first bytes; `undefined` for anything else. */
export function imageType(bytes: Uint8Array): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 12));
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif';
  if (head.startsWith('RIFF') && head.startsWith('WEBP', 8)) return 'image/webp';
  return undefined;
}

export function toBase64(bytes: Uint8Array): string {
  const chunk = 0x8000;
  let binary = '';
  for (let start = 0; start < bytes.length; start += chunk) {
    binary += String.fromCharCode(...bytes.subarray(start, start + chunk));
  }
  return btoa(binary);
}
