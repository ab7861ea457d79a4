import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FileToWrite } from '../protocol';
import { VirtualFileSystem } from '../tools';
import { Page } from './page.testing';
import { deleteFile, renameFile, writeFile, writeFiles } from './person-files';

const megabyte = 1024 * 1024;
const codesOf = (fs: VirtualFileSystem, files: FileToWrite[], replace = false) =>
  writeFiles(fs, files, replace).map(({ path, problem }) => `${path}: ${problem.code}`);
const text = (path: string, content = 'text') => ({ path, content });
const refused = (work: () => void): unknown => {
  try {
    work();
  } catch (error) {
    return (error as { problem?: { code?: string } }).problem?.code;
  }
  return undefined;
};

describe('files that a person writes', () => {
  it('are written all, relative ones in the project', () => {
    const fs = new VirtualFileSystem();
    expect(writeFiles(fs, [text('a.txt'), text('/tmp/b.txt'), text('c/d.txt')], false)).toEqual([]);
    expect(fs.list()).toEqual(['/project/a.txt', '/project/c/d.txt', '/tmp/b.txt']);
  });

  it('are not written at all when one of them is refused, and each that is wrong is named', () => {
    const fs = new VirtualFileSystem({ 'old.txt': 'old', 'folder/x': '' });
    const files = [
      text('fine.txt'),
      text('old.txt', 'new'),
      text('folder'),
      text('old.txt/below'),
      text('bad\0name'),
      text('n'.repeat(300)),
      { path: 'big', content: new Uint8Array(10 * megabyte + 1) },
    ];
    expect(codesOf(fs, files)).toEqual([
      'old.txt: files.exists',
      'folder: files.isFolder',
      'old.txt/below: files.notFolder',
      'bad\0name: files.badName',
      `${'n'.repeat(300)}: files.nameTooLong`,
      'big: files.tooBig',
    ]);
    expect(fs.list()).toEqual(['/project/folder/x', '/project/old.txt']);
    expect(fs.readText('old.txt')).toBe('old');
  });

  it('replace existing ones when they may', () => {
    const fs = new VirtualFileSystem({ 'old.txt': 'old' });
    expect(writeFiles(fs, [text('old.txt', 'new')], true)).toEqual([]);
    expect(fs.readText('old.txt')).toBe('new');
  });

  it('are refused from the one on that the session has no room for', () => {
    const fs = new VirtualFileSystem();
    const content = new Uint8Array(9 * megabyte);
    const files = Array.from({ length: 13 }, (_, index) => ({ path: `f${index}`, content }));
    expect(codesOf(fs, files)).toEqual(['f11: files.sessionFull', 'f12: files.sessionFull']);
    expect(writeFiles(fs, files.slice(0, 11), false)).toEqual([]);
  });

  it('are refused when they stand in each other’s way', () => {
    const fs = new VirtualFileSystem();
    expect(codesOf(fs, [text('a'), text('a/b'), text('./a')])).toEqual([
      'a/b: files.notFolder',
      './a: files.twice',
    ]);
    expect(codesOf(fs, [text('a/b'), text('a')])).toEqual(['a: files.isFolder']);
  });

  it('are never written in part, whatever they are called', () => {
    const name = fc.constantFrom('a', 'b', '..', '.', '', '__proto__', 'x\0', '\ud800', '\u202egnp.exe', 'é');
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
    fc.assert(
      fc.property(fc.array(path, { maxLength: 6 }), fc.boolean(), (paths, replace) => {
        const fs = new VirtualFileSystem({ a: '1', 'b/c': '2' });
        const before = fs.list();
        const files = paths.map((each, index) => text(each, `new ${index}`));
        const problems = writeFiles(fs, files, replace);
        if (problems.length > 0) expect(fs.list()).toEqual(before);
        else for (const { path: each, content } of files) expect(fs.readText(each)).toBe(content);
      }),
    );
  });

  it('can be renamed, moved and deleted, with what is in them', () => {
    const fs = new VirtualFileSystem({ 'a/b.txt': 'b', 'c.txt': 'c' });
    renameFile(fs, 'a', 'd/e');
    expect(fs.list()).toEqual(['/project/c.txt', '/project/d/e/b.txt']);
    expect(refused(() => renameFile(fs, 'c.txt', 'd/e/b.txt'))).toBe('files.exists');
    expect(refused(() => renameFile(fs, 'd', 'd/e/f'))).toBe('files.intoItself');
    expect(refused(() => renameFile(fs, 'c.txt', 'x'.repeat(256)))).toBe('files.nameTooLong');
    expect(refused(() => renameFile(fs, 'gone', 'x'))).toBe('files.missing');
    deleteFile(fs, 'd');
    expect(fs.list()).toEqual(['/project/c.txt']);
    expect(refused(() => deleteFile(fs, 'd'))).toBe('files.missing');
  });

  it('may be one, which is told what is wrong with it', () => {
    const fs = new VirtualFileSystem({ a: '1' });
    expect(refused(() => writeFile(fs, text('a'), false))).toBe('files.exists');
    writeFile(fs, text('a', '2'), true);
    expect(fs.readText('a')).toBe('2');
  });
});

describe('on the wire', () => {
  let page: Page;
  beforeEach(() => {
    vi.stubGlobal('indexedDB', new IDBFactory());
    page = new Page();
  });
  afterEach(async () => {
    await page.close();
    vi.unstubAllGlobals();
  });
  const hour = 3_600_000;
  const create = () =>
    page.show({
      type: 'create',
      setup: {
        kind: 'scenario',
        scenario: {
          version: 1,
          title: 'Test',
          start: 'prompt',
          prompts: ['go'],
          files: { 'a.txt': 'a' },
          tools: [{ name: 'dig', durationMs: hour, result: 'dug' }],
          model: {
            kind: 'scripted',
            turns: [{ blocks: [{ type: 'toolCall', name: 'dig', arguments: {} }] }],
          },
        },
      },
    });

  it('what a person changes during a run is a record of theirs, and there after a reload', async () => {
    await create();
    const { session } = page;
    await page.send({ type: 'play', session });
    await page.until(() => page.records.some(({ type }) => type === 'tool_execution_start'));
    await page.send({ type: 'writeFile', session, path: 'b.txt', content: new Uint8Array([104, 105]) });
    await page.send({ type: 'renameFile', session, from: 'a.txt', to: 'c.txt' });
    await page.send({ type: 'deleteFile', session, path: 'b.txt' });
    const refusal = page.send({ type: 'writeFile', session, path: 'c.txt', content: '' });
    await expect(refusal).rejects.toEqual({ code: 'files.exists', params: { path: '/project/c.txt' } });
    expect(
      await page.send({ type: 'writeFiles', session, files: [{ path: 'c.txt', content: 'x' }] }),
    ).toEqual([{ path: 'c.txt', problem: { code: 'files.exists', params: { path: '/project/c.txt' } } }]);
    await page.until(() => page.records.filter((record) => record.type === 'file_change').length === 5);
    const changes = page.records.filter((record) => record.type === 'file_change').slice(1);
    expect(changes.map(({ path, by, after }) => [path, by, after])).toEqual([
      ['/project/b.txt', 'person', { text: 'hi' }],
      ['/project/a.txt', 'person', undefined],
      ['/project/c.txt', 'person', { text: 'a' }],
      ['/project/b.txt', 'person', undefined],
    ]);
    const again = await page.show({ type: 'open', session });
    expect(again.info.id).toBe(session);
    expect([...page.trace.files.keys()]).toEqual(['/project/c.txt']);
  });
});

it('refuses a name that leads out of its folder, of a new file and of a renamed one', () => {
  const fs = new VirtualFileSystem({ '/project/a.txt': 'a' });
  expect(refused(() => renameFile(fs, '/project/a.txt', '/project/../../b.txt'))).toBe('files.leadsOut');
  expect(codesOf(fs, [text('../../c.txt')])).toEqual(['../../c.txt: files.leadsOut']);
  expect(fs.list()).toEqual(['/project/a.txt']);
});
