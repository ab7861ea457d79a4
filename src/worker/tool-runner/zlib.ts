/** What the shell uses of `node:zlib`. The build puts it in its place: `resolve.alias` in `vite.config.ts`. */
import { Gunzip, gzipSync as gzip } from 'fflate';
import { installBuffer } from './buffer';

// The shell's gzip asks for this too.
installBuffer();

export const constants = { Z_BEST_SPEED: 1, Z_BEST_COMPRESSION: 9, Z_DEFAULT_COMPRESSION: -1 };

interface Limit {
  /** Bytes; more is an error. */
  maxOutputLength?: number;
}

/** Bytes that are unpacked at a time, so that a small file that would become a huge one is noticed early. */
const SLICE = 4096;

/** Throws a RangeError beyond the limit, and an error for what is no gzip. */
export function gunzipSync(data: Uint8Array, { maxOutputLength = Infinity }: Limit = {}): Uint8Array {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const stream = new Gunzip((piece) => {
    length += piece.length;
    if (length > maxOutputLength) throw new RangeError(`The output is larger than ${maxOutputLength} bytes.`);
    pieces.push(piece);
  });
  for (let start = 0; start < data.length; start += SLICE)
    stream.push(data.subarray(start, start + SLICE), start + SLICE >= data.length);
  const output = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    output.set(piece, offset);
    offset += piece.length;
  }
  return output;
}

/** `level`: 1 to 9, or -1. Throws a RangeError beyond the limit. */
export function gzipSync(
  data: Uint8Array,
  { level = -1, maxOutputLength = Infinity }: Limit & { level?: number } = {},
): Uint8Array {
  const output = gzip(data, { level: (level < 0 ? 6 : level) as 6, mtime: 0 });
  if (output.length > maxOutputLength)
    throw new RangeError(`The output is larger than ${maxOutputLength} bytes.`);
  return output;
}
