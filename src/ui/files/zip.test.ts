import { zipSync } from 'fflate';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Candidate } from './upload';
import { zipCandidates, zipOf } from './zip';

const megabyte = 1024 * 1024;
const bytes = (text: string) => new TextEncoder().encode(text);
const text = (content: Uint8Array) => new TextDecoder().decode(content);
const file = (content: Uint8Array) => new File([content.slice()], 'test.zip');
const candidates = (content: Uint8Array) => zipCandidates(file(content));
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: { problem?: { code: string } }) => error.problem?.code,
  );
const only = ([candidate]: Candidate[]): Candidate => candidate as Candidate;

describe('a zip that is read', () => {
  it('gives its files, without folders and what systems left there', async () => {
    const zip = zipSync({
      'src/a.ts': bytes('a'),
      'stored.txt': [bytes('b'), { level: 0 }],
      'folder/': new Uint8Array(),
      '__MACOSX/src/._a.ts': bytes('x'),
      'src/.DS_Store': bytes('x'),
    });
    const found = await candidates(zip);
    const contents = await Promise.all(found.map(async ({ path, read }) => [path, text(await read(100))]));
    expect(contents).toEqual([
      ['src/a.ts', 'a'],
      ['stored.txt', 'b'],
    ]);
  });

  it('keeps names that an object could not', async () => {
    const zip = await zipOf(
      ['__proto__', 'constructor', '../up', 'a\u202eb'].map((name) => ({
        name,
        read: () => Promise.resolve(bytes(name)),
      })),
    );
    const found = await candidates(zip);
    expect(found.map(({ path }) => path)).toEqual(['__proto__', 'constructor', '../up', 'a\u202eb']);
    expect(text(await only(found).read(100))).toBe('__proto__');
  });

  it('does not believe what an entry says of its size', async () => {
    const zip = zipSync({ bomb: new Uint8Array(40 * megabyte) });
    const view = new DataView(zip.buffer, zip.byteOffset);
    // The directory is the last thing in the file, and says that 5 bytes come out.
    const directory = view.getUint32(zip.length - 22 + 16, true);
    view.setUint32(directory + 24, 5, true);
    const [bomb] = await candidates(zip);
    expect(bomb?.bytes).toBe(5);
    expect(await refusal(only([bomb as Candidate]).read(10 * megabyte))).toBe('files.tooBig');
  });

  it('is refused when it is none, cut or encrypted', async () => {
    expect(await refusal(candidates(bytes('no zip at all, but a long enough text')))).toBe('files.badZip');
    expect(await refusal(candidates(new Uint8Array()))).toBe('files.badZip');
    const zip = zipSync({ 'a.txt': bytes('a'.repeat(1000)) });
    expect(await refusal(candidates(zip.subarray(0, zip.length - 10)))).toBe('files.badZip');
    const encrypted = zip.slice();
    const view = new DataView(encrypted.buffer);
    const directory = view.getUint32(zip.length - 22 + 16, true);
    view.setUint16(directory + 8, 1, true);
    expect(await refusal(only(await candidates(encrypted)).read(5000))).toBe('files.zipEncrypted');
    const damaged = zip.slice();
    damaged.fill(0xff, 36, 40);
    expect(await refusal(only(await candidates(damaged)).read(5000))).toBe('files.zipDamaged');
  });

  it('breaks nothing whatever its bytes are', async () => {
    const zip = zipSync({ 'a.txt': bytes('hello '.repeat(20)), 'b/c': bytes('x') });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 }), async (changes) => {
        const broken = zip.slice();
        for (const [at, byte] of changes) broken[at % broken.length] = byte;
        const found = await zipCandidates(file(broken)).catch((error: { problem?: object }) => {
          expect(error.problem).toBeDefined();
          return [];
        });
        for (const { read } of found)
          await read(1000).then(
            (content) => expect(content.length).toBeLessThanOrEqual(1000),
            (error: { problem?: object }) => expect(error.problem).toBeDefined(),
          );
      }),
      { numRuns: 300 },
    );
  });
});

it('a zip that is written is read again as it was', async () => {
  const name = fc.stringMatching(/^[a-zé文]{1,8}(\/[a-z]{1,4})?\.(txt|png)$/);
  const files = fc.uniqueArray(fc.tuple(name, fc.uint8Array({ maxLength: 300 })), {
    selector: ([path]) => path,
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(files, async (list) => {
      const zip = await zipOf(
        list.map(([path, content]) => ({ name: path, read: () => Promise.resolve(content) })),
      );
      const found = await candidates(zip);
      const read = await Promise.all(found.map(async (each) => [each.path, [...(await each.read(1000))]]));
      expect(read).toEqual(list.map(([path, content]) => [path, [...content]]));
    }),
    { numRuns: 50 },
  );
});
