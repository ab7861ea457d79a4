import { describe, expect, it } from 'vitest';
import { FileRefused, fileBytes, pickedCandidates, readUpload } from './upload';
import type { Candidate } from './upload';

const candidate = (path: string, size = 3): Candidate => ({
  path,
  bytes: size,
  read: () => Promise.resolve(new Uint8Array(size)),
});
const noZip = () => Promise.reject(new Error('not asked'));

describe('an upload', () => {
  it('puts files into a folder', async () => {
    const { files, problems } = await readUpload([candidate('a.txt'), candidate('b/c')], '/project/src');
    expect(files.map(({ path }) => path)).toEqual(['/project/src/a.txt', '/project/src/b/c']);
    expect(problems).toEqual([]);
    expect((await readUpload([candidate('a')], '/')).files[0]?.path).toBe('/a');
  });

  it('does not read what is too big, has no room or leads out of the folder, and says so of each', async () => {
    const unread = (path: string, size: number): Candidate => ({
      ...candidate(path, size),
      read: () => Promise.reject(new Error('was read')),
    });
    const large = Array.from({ length: 10 }, (_, index) => candidate(`l${index}`, fileBytes));
    const { files, problems } = await readUpload(
      [unread('big', fileBytes + 1), unread('../up', 1), unread('/etc/x', 1), ...large, unread('last', 1)],
      '/project',
    );
    expect(files).toHaveLength(10);
    expect(problems.map(({ path, problem }) => [path, problem.code])).toEqual([
      ['/project/big', 'files.tooBig'],
      ['/project/../up', 'files.leadsOut'],
      ['/project//etc/x', 'files.leadsOut'],
      ['/project/last', 'files.sessionFull'],
    ]);
  });

  it('says of a file that cannot be read why not', async () => {
    const broken = (path: string, error: Error): Candidate => ({
      ...candidate(path),
      read: () => Promise.reject(error),
    });
    const { problems } = await readUpload(
      [broken('a', new FileRefused({ code: 'files.zipDamaged' })), broken('b', new Error('gone'))],
      '/project',
    );
    expect(problems.map(({ problem }) => problem.code)).toEqual(['files.zipDamaged', 'files.unreadable']);
  });

  it('takes zips apart, and files as they are', async () => {
    const zip = new File([], 'x.ZIP');
    const found = await pickedCandidates([new File(['hi'], 'a.txt'), zip], (file) => {
      expect(file).toBe(zip);
      return Promise.resolve([candidate('inside')]);
    });
    expect(found.map(({ path, bytes }) => [path, bytes])).toEqual([
      ['a.txt', 2],
      ['inside', 3],
    ]);
  });

  it('of more files than anybody means is refused', async () => {
    const many = () => Promise.resolve(Array.from({ length: 5001 }, (_, index) => candidate(String(index))));
    await expect(pickedCandidates([new File([], 'x.zip')], many)).rejects.toMatchObject({
      problem: { code: 'files.tooMany', params: { limit: 5000 } },
    });
    expect(await pickedCandidates([], noZip)).toEqual([]);
  });
});
