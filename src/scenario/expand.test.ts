import { describe, expect, it } from 'vitest';
import { ScenarioError } from './error';
import { expandFiles } from './expand';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('expandFiles', () => {
  it('gives texts, decoded bytes and samples, in the order of the scenario', async () => {
    const asked: string[] = [];
    const files = await expandFiles(
      { 'b.txt': 'b', 'a.bin': { base64: 'AP+A' }, 'src/slug.ts': { sample: 'slugify/src/slug.ts' } },
      (path) => {
        asked.push(path);
        return Promise.resolve(bytes('export {}'));
      },
    );
    expect(asked).toEqual(['slugify/src/slug.ts']);
    expect(Object.keys(files)).toEqual(['b.txt', 'a.bin', 'src/slug.ts']);
    expect(files).toEqual({
      'b.txt': 'b',
      'a.bin': Uint8Array.of(0, 255, 128),
      'src/slug.ts': bytes('export {}'),
    });
  });

  it('loads a sample once, and gives each file its own copy', async () => {
    let loads = 0;
    const files = await expandFiles({ a: { sample: 'x.txt' }, b: { sample: 'x.txt' } }, () => {
      loads++;
      return Promise.resolve(bytes('x'));
    });
    expect(loads).toBe(1);
    expect(files['a']).not.toBe(files['b']);
  });

  it.each([
    '../secret',
    'a/../../b',
    '/etc/passwd',
    'https://x.test/a',
    'a%2f..%2fb',
    'a\\b',
    'a?b',
    'a//b',
    '.',
    '',
  ])('never asks for the sample %j', async (sample) => {
    const load = (): Promise<Uint8Array> => Promise.reject(new Error('was asked'));
    const expanding = expandFiles({ a: { sample } }, load);
    await expect(expanding).rejects.toMatchObject({
      problems: [{ path: 'files.a', code: 'scenario.badSample' }],
    });
  });

  it('names the file whose sample cannot be loaded', async () => {
    const expanding = expandFiles({ 'my notes.txt': { sample: 'gone.txt' } }, () =>
      Promise.reject(new Error('404')),
    );
    await expect(expanding).rejects.toBeInstanceOf(ScenarioError);
    await expect(expanding).rejects.toMatchObject({
      problems: [
        {
          code: 'scenario.sampleMissing',
          params: { path: 'files["my notes.txt"]', name: 'gone.txt', detail: '404' },
        },
      ],
    });
  });

  it('gives nothing for a scenario without files', async () => {
    expect(await expandFiles(undefined, () => Promise.resolve(bytes('')))).toEqual({});
  });
});
