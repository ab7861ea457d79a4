import { describe, expect, it } from 'vitest';
import { createTools, VirtualFileSystem } from './index';
import { call, size, textOf } from './tools.testing';

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `L${index + 1}\n`).join('');

describe('createTools', () => {
  const fs = new VirtualFileSystem();

  it('makes all tools, or those that are named, in that order', () => {
    const names = 'read write edit ls find grep bash fetch js wait finish ask';
    expect(createTools(fs).map(({ name }) => name)).toEqual(names.split(' '));
    expect(createTools(fs, { only: ['ls', 'read'] }).map(({ name }) => name)).toEqual(['ls', 'read']);
    expect(() => createTools(fs, { only: ['rm'] })).toThrow('There is no tool "rm"');
  });

  it('declares schemas of objects that survive structured clone', () => {
    for (const { name, description, parameters } of createTools(fs)) {
      expect(structuredClone({ name, description, parameters })).toMatchObject({
        parameters: { type: 'object' },
      });
    }
  });
});

describe('write', () => {
  it('counts bytes of UTF-8 (V-21)', async () => {
    const fs = new VirtualFileSystem();
    const result = await call(fs, 'write', { file_path: 'deep/f.txt', content: 'é😀' });
    expect(textOf(result)).toBe('Created deep/f.txt: 6 bytes.');
    expect(result.details).toEqual({ path: '/project/deep/f.txt', bytes: 6, created: true });
    expect(fs.readText('deep/f.txt')).toBe('é😀');
  });

  it('replaces a file and tells the difference', async () => {
    const fs = new VirtualFileSystem({ f: 'a\nb\n', 'f.bin': new Uint8Array([0]) });
    const result = await call(fs, 'write', { path: 'f', content: 'a\nc\n' });
    expect(textOf(result)).toBe('Replaced f: 4 bytes.');
    expect(result.details).toMatchObject({ created: false, added: 1, removed: 1 });
    expect((result.details as { patch: string }).patch).toContain('\n-b\n+c\n');
    expect((await call(fs, 'write', { path: 'f.bin', content: '' })).details).not.toHaveProperty('patch');
  });

  it('writes no content that is no text', async () => {
    const fs = new VirtualFileSystem();
    for (const content of [undefined, null, { a: 1 }]) {
      await expect(call(fs, 'write', { path: 'f', content })).rejects.toThrow('content is');
    }
    expect(fs.list()).toEqual([]);
  });
});

describe('edit', () => {
  const fs = () => new VirtualFileSystem({ 'src/a.ts': 'one\ntwo\n' });

  it('tells what changed', async () => {
    const files = fs();
    const result = await call(files, 'edit', {
      path: 'src/a.ts',
      edits: [{ oldText: 'two', newText: '2\n3' }],
    });
    expect(textOf(result)).toBe('Changed src/a.ts: 1 edit, +2 -1 lines.');
    expect(result.details).toEqual({
      path: '/project/src/a.ts',
      patch: '--- src/a.ts\n+++ src/a.ts\n@@ -1,2 +1,3 @@\n one\n-two\n+2\n+3\n',
      added: 2,
      removed: 1,
    });
  });

  it.each([
    ['a single edit at the top level', { oldText: 'two', newText: '2' }],
    ['other names of the keys', { old_string: 'two', new_string: '2' }],
    ['a JSON string of one edit', { edits: '{"oldText": "two", "newText": "2"}' }],
    ['JSON strings in a list', { edits: ['{"oldText": "two", "newText": "2"}'] }],
  ])('understands %s', async (_name, args) => {
    const files = fs();
    await call(files, 'edit', { path: 'src/a.ts', ...args });
    expect(files.readText('src/a.ts')).toBe('one\n2\n');
  });

  it('understands all arguments as a JSON string', async () => {
    const files = fs();
    await call(files, 'edit', '{"path": "src/a.ts", "edits": [{"oldText": "two", "newText": "2"}]}');
    expect(files.readText('src/a.ts')).toBe('one\n2\n');
  });

  it('says which argument is wrong', async () => {
    const failing = (args: object) => call(fs(), 'edit', { path: 'src/a.ts', ...args });
    await expect(failing({})).rejects.toThrow('edits is missing');
    await expect(failing({ edits: 7 })).rejects.toThrow('edits is no list');
    await expect(failing({ edits: [7] })).rejects.toThrow('edits[0] is no object');
    await expect(failing({ path: 'b.ts', oldText: 'a', newText: 'b' })).rejects.toThrow(
      'b.ts does not exist.',
    );
  });

  it('refuses a file that is no text', async () => {
    const files = new VirtualFileSystem({ x: new Uint8Array([0xff, 0x61]) });
    await expect(call(files, 'edit', { path: 'x', oldText: 'a', newText: 'b' })).rejects.toThrow(
      'x is not UTF-8 text.',
    );
    expect(files.readBytes('x')).toEqual(new Uint8Array([0xff, 0x61]));
  });
});

describe('ls', () => {
  it('lists a folder by name, folders with a slash', async () => {
    const fs = new VirtualFileSystem({ 'b.txt': '', 'a/x': '', '.env': '' });
    const result = await call(fs, 'ls', {});
    expect(textOf(result)).toBe('.env\na/\nb.txt');
    expect(result.details).toEqual({ path: '/project', count: 3 });
  });

  it('says what it left out and how to see it', async () => {
    const fs = new VirtualFileSystem(
      Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`f${1000 + index}`, ''])),
    );
    expect(textOf(await call(fs, 'ls', { path: '.' }))).toMatch(
      /\nf1499\n\n\[Showing 500 of 600 entries. Use limit=600 for more.\]$/,
    );
    expect(textOf(await call(fs, 'ls', { limit: '2' }))).toBe(
      'f1000\nf1001\n\n[Showing 2 of 600 entries. Use limit=4 for more.]',
    );
  });

  it('stays within 50 KB', async () => {
    const fs = new VirtualFileSystem(
      Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`${index}${'é'.repeat(100)}`, ''])),
    );
    const text = textOf(await call(fs, 'ls', {}));
    expect(size(text)).toBeLessThanOrEqual(51_200);
    expect(text).toContain(' of 400 entries. List a folder inside it instead.]');
  });

  it('says that a folder is empty, not there, or a file', async () => {
    const fs = new VirtualFileSystem({ '/etc/x': '' });
    expect(textOf(await call(fs, 'ls', {}))).toBe('[. is empty.]');
    await expect(call(fs, 'ls', { path: 'a' })).rejects.toThrow('a does not exist.');
    await expect(call(fs, 'ls', { path: '/etc/x' })).rejects.toThrow('/etc/x is a file, not a folder.');
    await expect(call(fs, 'ls', { limit: 0 })).rejects.toThrow('limit must be a whole number from 1');
  });
});

describe('calls that start in one tick', () => {
  it('are both in the file when they edit it (P-01)', async () => {
    const fs = new VirtualFileSystem({ f: numbered(40) });
    await Promise.all([
      call(fs, 'edit', { path: 'f', edits: [{ oldText: 'L8\n', newText: 'EIGHT\n' }] }),
      call(fs, 'edit', { path: '/project/f', edits: [{ oldText: 'L31\n', newText: 'THIRTY-ONE\n' }] }),
    ]);
    expect(fs.readText('f')).toBe(numbered(40).replace('L8\n', 'EIGHT\n').replace('L31\n', 'THIRTY-ONE\n'));
  });

  it('work on one file in the order of the calls (P-03)', async () => {
    const fs = new VirtualFileSystem({ f: 'old' });
    const [, , read] = await Promise.all([
      call(fs, 'write', { path: 'f', content: 'A\n' }),
      call(fs, 'edit', { path: './f', edits: [{ oldText: 'A', newText: 'B' }] }),
      call(fs, 'read', { path: 'f' }),
    ]);
    expect(fs.readText('f')).toBe('B\n');
    expect(textOf(read)).toBe('B\n');
  });

  it('read a file whole, before or after a write (P-09)', async () => {
    const fs = new VirtualFileSystem({ f: 'old' });
    const content = 'x\n'.repeat(1000) + 'y'.repeat(48_000);
    const [before, , after] = await Promise.all([
      call(fs, 'read', { path: 'f' }),
      call(fs, 'write', { path: 'f', content }),
      call(fs, 'read', { path: 'f' }),
    ]);
    expect(textOf(before)).toBe('old');
    expect(textOf(after)).toBe(content);
  });

  it('wait for a write in flight, also when it is aborted (A-13)', async () => {
    const fs = new VirtualFileSystem({ f: 'one two' });
    let finishWrite = () => {};
    const writeMayEnd = new Promise<void>((resolve) => (finishWrite = resolve));
    const writing = fs.runExclusive('f', async () => {
      const text = fs.readText('f');
      await writeMayEnd;
      fs.writeText('f', text.replace('one', 'ONE'));
    });
    const controller = new AbortController();
    const aborted = call(fs, 'edit', { path: 'f', oldText: 'one', newText: 'never' }, controller.signal);
    const next = call(fs, 'edit', { path: 'f', oldText: 'two', newText: 'TWO' });
    controller.abort();
    finishWrite();
    await expect(aborted).rejects.toThrow('aborted');
    await Promise.all([writing, next]);
    expect(fs.readText('f')).toBe('ONE TWO');
  });
});
