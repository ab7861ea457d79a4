import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileState, FileStatus } from './files';
import { fileRows } from './files-tree';

const file = (path: string, status: FileStatus = 'unchanged'): FileState => ({
  path,
  ...(status === 'deleted' ? {} : { now: { text: '' } }),
  status: { start: status, turn: 'unchanged' },
  seq: 1,
  by: 'tool',
});
const lines = (files: FileState[], options: Partial<Parameters<typeof fileRows>[1]> = {}) =>
  fileRows(files, { base: 'start', ...options }).map(
    (row) => '  '.repeat(row.depth) + row.name + (row.kind === 'folder' ? '/' : ''),
  );

describe('the tree of files', () => {
  const project = [
    file('/project/z.txt'),
    file('/project/a10.txt'),
    file('/project/a9.txt', 'changed'),
    file('/project/src/deep/one.ts', 'added'),
    file('/tmp/x.log'),
  ];

  it('has folders first and names as people sort them', () => {
    expect(lines(project)).toEqual([
      'project/',
      '  src/',
      '    deep/',
      '      one.ts',
      '  a9.txt',
      '  a10.txt',
      '  z.txt',
      'tmp/',
      '  x.log',
    ]);
  });

  it('hides what is in a closed folder, and counts its files and changes', () => {
    const rows = fileRows(project, { base: 'start', collapsed: new Set(['/project/']) });
    expect(rows.map(({ key }) => key)).toEqual(['/project/', '/tmp/', '/tmp/x.log']);
    expect(rows[0]).toMatchObject({ expanded: false, files: 4, changed: 2 });
  });

  it('shows only what is looked for, in open folders', () => {
    expect(lines(project, { find: 'ONE', collapsed: new Set(['/project/']) })).toEqual([
      'project/',
      '  src/',
      '    deep/',
      '      one.ts',
    ]);
    expect(lines(project, { changedOnly: true })).toEqual([
      'project/',
      '  src/',
      '    deep/',
      '      one.ts',
      '  a9.txt',
    ]);
    expect(lines(project, { base: 'turn', changedOnly: true })).toEqual([]);
  });

  it('shows a deleted file where it was missed, also beside a folder of its name', () => {
    const rows = fileRows([file('/a', 'deleted'), file('/a/b')], { base: 'start' });
    expect(rows.map(({ key }) => key)).toEqual(['/a/', '/a/b', '/a']);
    expect(rows[0]).toMatchObject({ files: 1, changed: 0 });
    expect(lines([file('/a', 'deleted')], { base: 'turn' })).toEqual([]);
  });

  it('shows folders that are there without files', () => {
    expect(lines([], { folders: ['/project'] })).toEqual(['project/']);
  });

  it('has each file once, below its folder, with right numbers for the ARIA tree', () => {
    const name = fc.constantFrom('a', 'b', '__proto__', 'constructor', '\u202e', 'é');
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => `/${names.join('/')}`);
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 20 }), (paths) => {
        const rows = fileRows(
          paths.map((each) => file(each)),
          { base: 'start' },
        );
        expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
        expect(rows.flatMap((row) => (row.kind === 'file' ? row.path : [])).sort()).toEqual(
          [...paths].sort(),
        );
        for (const row of rows) {
          const siblings = rows.filter(({ parent }) => parent === row.parent);
          expect([row.setSize, siblings.indexOf(row) + 1]).toEqual([siblings.length, row.posInSet]);
          const parent = rows.find(({ key }) => key === row.parent);
          expect(row.depth).toBe(parent ? parent.depth + 1 : 0);
          expect(row.path).toBe(`${parent?.path ?? ''}/${row.name}`);
        }
      }),
    );
  });
});
