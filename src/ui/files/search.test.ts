import { describe, expect, it } from 'vitest';
import type { FileState } from '../../trace';
import { ContentReader } from './contents';
import { searchContents } from './search';
import type { Hits } from './search';

const unchanged = { start: 'unchanged', turn: 'unchanged' } as const;
const file = (path: string, text: string | undefined): FileState => ({
  path,
  ...(text === undefined ? {} : { now: { text } }),
  status: unchanged,
  seq: 1,
  by: 'start',
});

async function search(files: FileState[], find: string, signal = new AbortController().signal) {
  let last: Hits | undefined;
  const contents = new ContentReader(() => Promise.resolve(undefined));
  await searchContents(files, find, contents, (hits) => (last = hits), signal);
  return last;
}

describe('a search in contents', () => {
  it('finds lines literally and in any case, and leaves out what is gone or no text', async () => {
    const files = [
      file('/a', 'one\nTwo (x)\n'),
      file('/gone', undefined),
      { ...file('/image', ''), now: { blob: 'x', bytes: 9, binary: true } },
      file('/b', 'two (X) two (x)'),
    ];
    expect(await search(files, 'two (x)')).toEqual({
      list: [
        { path: '/a', line: 2, text: 'Two (x)', at: 0 },
        { path: '/b', line: 1, text: 'two (X) two (x)', at: 0 },
      ],
      lines: 2,
      files: 2,
      searching: false,
    });
  });

  it('shows the part of a long line that matches', async () => {
    const hits = await search([file('/a', `${'x'.repeat(500)}needle${'y'.repeat(500)}`)], 'needle');
    const [hit] = hits?.list ?? [];
    expect(hit?.text.slice(hit.at, hit.at + 6)).toBe('needle');
    expect(hit?.text.length).toBeLessThan(300);
  });

  it('counts all lines and keeps the first', async () => {
    const hits = await search([file('/a', 'x\n'.repeat(1000))], 'x');
    expect(hits).toMatchObject({ lines: 1000, files: 1 });
    expect(hits?.list).toHaveLength(300);
  });

  it('tells nothing any more when it was aborted', async () => {
    expect(await search([file('/a', 'x')], 'x', AbortSignal.abort())).toBeUndefined();
  });
});
