import { gunzipSync as nodeGunzip, gzipSync as nodeGzip } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { constants, gunzipSync, gzipSync } from './zlib';

const bytes = new TextEncoder().encode(
  Array.from({ length: 3000 }, (_, index) => `line ${index * 7919}`).join('\n'),
);

describe('the stand-in for node:zlib', () => {
  it('packs and unpacks what Node unpacks and packs', () => {
    for (const level of [...Object.values(constants), 4])
      expect(new Uint8Array(nodeGunzip(gzipSync(bytes, { level })))).toEqual(bytes);
    expect(gunzipSync(nodeGzip(bytes))).toEqual(bytes);
    expect(gunzipSync(gzipSync(new Uint8Array()))).toEqual(new Uint8Array());
  });

  it('stops at its limit, long before a small file has become a huge one', () => {
    const bomb = nodeGzip(new Uint8Array(50 * 1024 * 1024), { level: 9 });
    const startedAt = performance.now();
    expect(() => gunzipSync(bomb, { maxOutputLength: 1000 })).toThrow(RangeError);
    expect(performance.now() - startedAt).toBeLessThan(2000);
    expect(() => gzipSync(crypto.getRandomValues(new Uint8Array(5000)), { maxOutputLength: 1000 })).toThrow(
      RangeError,
    );
  });

  it('refuses what is no gzip', () => {
    expect(() =>
      gunzipSync(new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19])),
    ).toThrow();
  });
});
