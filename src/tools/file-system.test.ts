import { describe, expect, it } from 'vitest';
import type { FileChange } from './file-system';
import { MAX_FILE_BYTES, VirtualFileSystem } from './file-system';
import type { FileSystemError } from './file-system-error';

/** The code with which an action is refused. */
function refusal(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    return (error as FileSystemError).code;
  }
  return 'not refused';
}

function recorded(fs: VirtualFileSystem): FileChange[] {
  const changes: FileChange[] = [];
  fs.onChange((change) => changes.push(change));
  return changes;
}

const bytes = (...values: number[]) => new Uint8Array(values);

describe('paths', () => {
  it('start at /project unless they are absolute', () => {
    const fs = new VirtualFileSystem({ 'a.txt': 'a', '/etc/b': 'b' });
    expect(fs.list()).toEqual(['/etc/b', '/project/a.txt']);
    expect(fs.readText('/project/./a.txt')).toBe('a');
  });

  it('never leave / by dot-dot, and every spelling of a path is the same file (V-15)', () => {
    const fs = new VirtualFileSystem();
    fs.writeText('../../etc/x', 'one');
    expect(fs.readText('/home/../etc/x')).toBe('one');
    fs.writeText('//etc/./x/', 'two');
    expect(fs.list()).toEqual(['/etc/x']);
    expect(fs.resolve('/..')).toBe('/');
    expect(fs.resolve('../../../..')).toBe('/');
  });

  it('may have the names of Object.prototype (V-19)', () => {
    const names = ['__proto__', 'constructor', 'toString'];
    const fs = new VirtualFileSystem(Object.fromEntries(names.map((name) => [name, `file ${name}`])));
    for (const name of names) expect(fs.readText(name)).toBe(`file ${name}`);
    fs.writeText('__proto__', 'new');
    fs.writeText('hasOwnProperty/x', 'x');
    expect(fs.entries('.').map(({ name }) => name)).toEqual([
      '__proto__',
      'constructor',
      'hasOwnProperty',
      'toString',
    ]);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('have no NUL and no half character', () => {
    const fs = new VirtualFileSystem();
    expect(refusal(() => fs.writeText('a\0b', ''))).toBe('invalidName');
    expect(refusal(() => fs.writeText('a\ud83d', ''))).toBe('invalidName');
    expect(refusal(() => new VirtualFileSystem({ '\0': '' }))).toBe('invalidName');
  });
});

describe('contents', () => {
  it('are the same as text and as bytes, a BOM included', () => {
    const fs = new VirtualFileSystem({ a: '\ufeffé😀' });
    fs.writeBytes('b', fs.readBytes('a'));
    expect(fs.readText('b')).toBe('\ufeffé😀');
    expect(fs.size('b')).toBe(9);
    expect(fs.isText('b')).toBe(true);
  });

  it('that are no UTF-8 text are only read as bytes', () => {
    const fs = new VirtualFileSystem({ invalid: bytes(0x61, 0xff), nul: bytes(0x61, 0, 0x62) });
    expect(refusal(() => fs.readText('invalid'))).toBe('notText');
    expect(refusal(() => fs.readText('nul'))).toBe('notText');
    expect(fs.isText('invalid')).toBe(false);
    expect(fs.readBytes('invalid')).toEqual(bytes(0x61, 0xff));
  });

  it('are copies: bytes that a caller changes later do not change the file', () => {
    const given = bytes(0, 1);
    const fs = new VirtualFileSystem({ x: given });
    given[1] = 9;
    fs.readBytes('x')[1] = 9;
    expect(fs.readBytes('x')).toEqual(bytes(0, 1));
  });

  it('hold no lone surrogates', () => {
    const fs = new VirtualFileSystem({ x: 'a\ud83db😀' });
    expect(fs.readText('x')).toBe('a\ufffdb😀');
  });
});

describe('folders', () => {
  it('list what is directly in them', () => {
    const fs = new VirtualFileSystem({
      'src/b.ts': '',
      'src/deep/a.ts': '',
      'src/deep/b.ts': '',
      'srcs/x': '',
    });
    expect(fs.entries('src')).toEqual([
      { name: 'b.ts', kind: 'file' },
      { name: 'deep', kind: 'folder' },
    ]);
    expect(fs.list('src')).toHaveLength(3);
  });

  it('are there without files only as / and /project', () => {
    const fs = new VirtualFileSystem();
    expect(fs.entries('.')).toEqual([]);
    expect(fs.entries('/')).toEqual([{ name: 'project', kind: 'folder' }]);
    expect(refusal(() => fs.entries('src'))).toBe('notFound');
    fs.writeText('src/a', '');
    fs.remove('src/a');
    expect(fs.exists('src')).toBe(false);
  });

  it('and files do not take each other\u2019s place', () => {
    const fs = new VirtualFileSystem({ 'src/a': 'a' });
    expect(refusal(() => fs.writeText('src', ''))).toBe('isFolder');
    expect(refusal(() => fs.writeText('/project', ''))).toBe('isFolder');
    expect(refusal(() => fs.writeText('src/a/b', ''))).toBe('notFolder');
    expect(refusal(() => fs.readText('src'))).toBe('isFolder');
    expect(refusal(() => fs.entries('src/a'))).toBe('notFolder');
    expect(fs.list()).toEqual(['/project/src/a']);
  });

  it('are removed with everything in them', () => {
    const fs = new VirtualFileSystem({ 'a/b': '1', 'a/c/d': '2', ab: '3' });
    const changes = recorded(fs);
    fs.remove('a');
    expect(fs.list()).toEqual(['/project/ab']);
    expect(changes).toEqual([
      { path: '/project/a/b', before: '1' },
      { path: '/project/a/c/d', before: '2' },
    ]);
    expect(refusal(() => fs.remove('a'))).toBe('notFound');
  });
});

describe('rename', () => {
  it('moves a folder with its files (V-17)', () => {
    const fs = new VirtualFileSystem({ '/a/b/c.txt': 'text', '/a/bb': 'other' });
    const changes = recorded(fs);
    fs.rename('/a/b', '/a/e');
    expect(fs.readText('/a/e/c.txt')).toBe('text');
    expect(fs.exists('/a/b')).toBe(false);
    expect(fs.entries('/a').map(({ name }) => name)).toEqual(['bb', 'e']);
    expect(changes).toEqual([
      { path: '/a/b/c.txt', before: 'text' },
      { path: '/a/e/c.txt', after: 'text' },
    ]);
  });

  it('moves a file, also into a new folder', () => {
    const fs = new VirtualFileSystem({ a: 'text' });
    fs.rename('a', 'deep/b');
    expect(fs.list()).toEqual(['/project/deep/b']);
  });

  it('refuses to overwrite, to move into itself, and what is not there', () => {
    const fs = new VirtualFileSystem({ 'a/x': '1', b: '2' });
    expect(refusal(() => fs.rename('a', 'b'))).toBe('exists');
    expect(refusal(() => fs.rename('a', 'a/c'))).toBe('intoItself');
    expect(refusal(() => fs.rename('b', 'b/c'))).toBe('intoItself');
    expect(refusal(() => fs.rename('a', 'b/c'))).toBe('notFolder');
    expect(refusal(() => fs.rename('c', 'd'))).toBe('notFound');
    fs.rename('b', './b');
    expect(fs.list()).toEqual(['/project/a/x', '/project/b']);
  });
});

describe('changes', () => {
  it('are told with what was before and after, and only when something changed', () => {
    const fs = new VirtualFileSystem({ a: 'old' });
    const changes = recorded(fs);
    fs.writeText('a', 'new');
    fs.writeText('a', 'new');
    fs.writeBytes('b', bytes(0, 1));
    fs.writeBytes('b', bytes(0, 1));
    fs.remove('a');
    expect(changes).toEqual([
      { path: '/project/a', before: 'old', after: 'new' },
      { path: '/project/b', after: bytes(0, 1) },
      { path: '/project/a', before: 'new' },
    ]);
  });

  it('are told until the listener is taken away', () => {
    const fs = new VirtualFileSystem();
    const changes: FileChange[] = [];
    const stop = fs.onChange((change) => changes.push(change));
    fs.writeText('a', '1');
    stop();
    fs.writeText('a', '2');
    expect(changes).toHaveLength(1);
  });
});

describe('limits', () => {
  it('are 10 MB a file', () => {
    const fs = new VirtualFileSystem({ a: 'old' });
    expect(refusal(() => fs.writeText('a', 'é'.repeat(MAX_FILE_BYTES / 2 + 1)))).toBe('fileTooLarge');
    expect(refusal(() => fs.writeBytes('b', new Uint8Array(MAX_FILE_BYTES + 1)))).toBe('fileTooLarge');
    expect(fs.readText('a')).toBe('old');
    fs.writeText('a', 'x'.repeat(MAX_FILE_BYTES));
    expect(() => fs.writeText('a', 'x'.repeat(20_000_000))).toThrow(
      'a would have 19.1MB: a file may have 10MB at most.',
    );
  });

  it('are 100 MB a session, and what is replaced or removed makes room', () => {
    const fs = new VirtualFileSystem();
    const full = new Uint8Array(MAX_FILE_BYTES);
    for (let file = 0; file < 10; file++) fs.writeBytes(`f${file}`, full);
    expect(refusal(() => fs.writeText('more', 'x'))).toBe('sessionTooLarge');
    fs.writeText('f0', 'small');
    fs.writeText('more', 'x');
    fs.remove('more');
    expect(fs.totalBytes).toBe(9 * MAX_FILE_BYTES + 5);
    fs.rename('f1', 'g1');
    expect(fs.totalBytes).toBe(9 * MAX_FILE_BYTES + 5);
  });
});

describe('runExclusive', () => {
  it('runs tasks on one path in the order of the calls, also after a failure', async () => {
    const fs = new VirtualFileSystem();
    const log: string[] = [];
    let finishFirst = () => {};
    const firstMayFinish = new Promise<void>((resolve) => (finishFirst = resolve));
    const tasks = [
      fs.runExclusive('a', async () => {
        log.push('first starts');
        await firstMayFinish;
        log.push('first fails');
        throw new Error('no');
      }),
      fs.runExclusive('/project/a', () => log.push('second')),
      fs.runExclusive('b', () => log.push('other path')),
    ];
    await tasks[2];
    expect(log).toEqual(['first starts', 'other path']);
    finishFirst();
    await expect(tasks[0]).rejects.toThrow('no');
    await tasks[1];
    expect(log).toEqual(['first starts', 'other path', 'first fails', 'second']);
  });

  it('rejects for an invalid path', async () => {
    await expect(new VirtualFileSystem().runExclusive('\0', () => 1)).rejects.toThrow('no valid path');
  });
});
