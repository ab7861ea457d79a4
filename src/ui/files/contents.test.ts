import { describe, expect, it } from 'vitest';
import type { FileContent } from '../../records/types';
import { ContentReader, imageType } from './contents';

const blob = (hash: string, bytes: number, binary = false): FileContent => ({ blob: hash, bytes, binary });

function reader(stored: Record<string, Uint8Array>) {
  const asked: string[] = [];
  const contents = new ContentReader((hash) => {
    asked.push(hash);
    return Promise.resolve(stored[hash]);
  });
  return { contents, asked };
}

describe('contents', () => {
  it('are texts, or the bytes of what is none', async () => {
    const { contents } = reader({ a: new Uint8Array([0xef, 0xbb, 0xbf, 104]), b: new Uint8Array([0, 1]) });
    expect(await contents.read({ text: 'short' })).toBe('short');
    expect(await contents.read(blob('a', 4))).toBe('\ufeffh');
    expect(await contents.read(blob('b', 2, true))).toEqual(new Uint8Array([0, 1]));
    expect(await contents.bytes({ text: 'é' })).toEqual(new Uint8Array([0xc3, 0xa9]));
  });

  it('are read once while they are kept, and again when they were gone', async () => {
    const stored: Record<string, Uint8Array> = { a: new Uint8Array([104]) };
    const { contents, asked } = reader(stored);
    expect(contents.read(blob('a', 1))).toBe(contents.read(blob('a', 1)));
    expect(await contents.read(blob('b', 1))).toBeUndefined();
    stored.b = new Uint8Array([105]);
    expect(await contents.read(blob('b', 1))).toBe('i');
    expect(asked).toEqual(['a', 'b', 'b']);
  });

  it('that were used longest ago make room', async () => {
    const { contents, asked } = reader({ a: new Uint8Array(1), b: new Uint8Array(1), c: new Uint8Array(1) });
    const large = 20 * 1024 * 1024;
    for (const hash of ['a', 'b', 'a', 'c', 'a', 'b']) await contents.read(blob(hash, large));
    expect(asked).toEqual(['a', 'b', 'c', 'b']);
  });
});

it('images are known by their first bytes', () => {
  expect(imageType(new Uint8Array([0xff, 0xd8, 0xff, 0xe0]))).toBe('image/jpeg');
  expect(imageType(new TextEncoder().encode('GIF89a'))).toBe('image/gif');
  expect(imageType(new TextEncoder().encode('RIFFxxxxWEBP'))).toBe('image/webp');
  expect(imageType(new TextEncoder().encode('PNG'))).toBeUndefined();
});
