/** As much of Node's `Buffer` as the shell uses: bytes from text, and text from bytes. */
type Encoding = 'utf8' | 'utf-8' | 'latin1' | 'base64';

class TextBytes extends Uint8Array {
  override toString(encoding: Encoding = 'utf8'): string {
    if (encoding === 'utf8' || encoding === 'utf-8') return new TextDecoder().decode(this);
    const latin1 = fromCodes(this);
    return encoding === 'base64' ? btoa(latin1) : latin1;
  }
}

function bytesFrom(source: string | Uint8Array, encoding: Encoding = 'utf8'): TextBytes {
  if (typeof source !== 'string') return new TextBytes(source);
  if (encoding === 'utf8' || encoding === 'utf-8') return new TextBytes(new TextEncoder().encode(source));
  const latin1 = encoding === 'base64' ? atob(source) : source;
  return TextBytes.from(latin1, (character) => character.charCodeAt(0));
}

function fromCodes(bytes: Uint8Array): string {
  const chunk = 0x8000;
  let text = '';
  for (let start = 0; start < bytes.length; start += chunk)
    text += String.fromCharCode(...bytes.subarray(start, start + chunk));
  return text;
}

/** Makes it a global, where there is none. */
export function installBuffer(): void {
  const scope = globalThis as { Buffer?: unknown };
  scope.Buffer ??= { from: bytesFrom };
}
