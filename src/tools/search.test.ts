import { describe, expect, it } from 'vitest';
import { VirtualFileSystem } from './index';
import { call, size, textOf } from './tools.testing';

type Files = Record<string, string | Uint8Array>;

async function grep(args: object, files: Files) {
  const result = await call(new VirtualFileSystem(files), 'grep', args);
  return { text: textOf(result), details: result.details };
}

async function find(args: object, files: Files) {
  const result = await call(new VirtualFileSystem(files), 'find', args);
  return { text: textOf(result), details: result.details };
}

describe('grep', () => {
  const files = {
    'src/a.ts': 'one\nTwo\nthree\n',
    'src/b.md': 'one\r\ntwo\r\n',
    'c.bin': new Uint8Array([0, 0x6f, 0x6e, 0x65]),
    '/etc/x': 'one\n',
  };

  it('names the path and the line of each match, in text files', async () => {
    expect(await grep({ pattern: 'o?ne|wo$' }, files)).toEqual({
      text: 'src/a.ts:1: one\nsrc/a.ts:2: Two\nsrc/b.md:1: one\nsrc/b.md:2: two',
      details: { pattern: 'o?ne|wo$', path: '/project', matches: 4, files: 2, limited: false },
    });
    expect((await grep({ pattern: 'x' }, files)).text).toBe('[No line in . matches.]');
  });

  it.each([
    [{ pattern: 'TWO', ignoreCase: true }, 'src/a.ts:2: Two\nsrc/b.md:2: two'],
    [{ pattern: '(?i)TWO' }, 'src/a.ts:2: Two\nsrc/b.md:2: two'],
    [{ pattern: 'one', glob: '*.md' }, 'src/b.md:1: one'],
    [{ pattern: 'one', glob: 'src/*.{ts,js}' }, 'src/a.ts:1: one'],
    [{ pattern: 'one', path: '/etc' }, '/etc/x:1: one'],
    [{ pattern: 'one', path: 'src/b.md', glob: '*.ts' }, 'src/b.md:1: one'],
    [{ pattern: 'w', context: '1', glob: '*.ts' }, 'src/a.ts-1- one\nsrc/a.ts:2: Two\nsrc/a.ts-3- three'],
    [
      { pattern: 'one', context: 1 },
      'src/a.ts:1: one\nsrc/a.ts-2- Two\n--\nsrc/b.md:1: one\nsrc/b.md-2- two',
    ],
  ])('understands %j', async (args, text) => {
    expect((await grep(args, files)).text).toBe(text);
  });

  it('shows a line between two matches once', async () => {
    const { text } = await grep({ pattern: 'x', context: 1 }, { f: 'x\na\nx\nb\nc\nd\nx\n' });
    expect(text).toBe('f:1: x\nf-2- a\nf:3: x\nf-4- b\n--\nf-6- d\nf:7: x');
  });

  it('reads lines as read does: without BOM, CR and final line feed', async () => {
    const { text } = await grep({ pattern: '^x?$', context: 1 }, { f: '\ufeffx\r\n\r\nb\rc\r\nx' });
    expect(text).toBe('f:1: x\nf:2: \nf-3- b\rc\nf:4: x');
    expect((await grep({ pattern: '$', context: 5 }, { f: 'a\n\n' })).text).toBe('f:1: a\nf:2: ');
  });

  it('takes a pattern with a dash as it is (V-05)', async () => {
    const dashes = { f: '- [ ] x\n-n y\nz\n' };
    expect((await grep({ pattern: '- [ ]', literal: true }, dashes)).text).toBe('f:1: - [ ] x');
    expect((await grep({ pattern: '-n' }, dashes)).text).toBe('f:2: -n y');
    expect((await grep({ pattern: '-N', literal: 'true', ignoreCase: 'true' }, dashes)).text).toBe(
      'f:2: -n y',
    );
  });

  it('says when there is more', async () => {
    const many = { f: 'x\n'.repeat(150), g: 'y\n' };
    expect(await grep({ pattern: 'x' }, many)).toMatchObject({
      text: expect.stringMatching(
        /\nf:100: x\n\n\[There are more than 100 matching lines. Use limit=200 for more, or a narrower pattern.\]$/,
      ) as string,
      details: { matches: 100, files: 1, limited: true },
    });
    expect((await grep({ pattern: 'x', limit: 150 }, many)).details).toMatchObject({
      matches: 150,
      limited: false,
    });
  });

  it('cuts lines at 500 characters, between characters (R-05)', async () => {
    for (const start of ['', 'a']) {
      const { text } = await grep({ pattern: '😀' }, { f: start + '😀'.repeat(20_000) });
      const [line = '', , notice] = text.split('\n');
      expect([...line]).toHaveLength('f:1: '.length + 500 + 1);
      expect(/\p{Surrogate}/u.test(text)).toBe(false);
      expect(notice).toBe('[Long lines are cut at 500 characters. Use read to see them whole.]');
    }
  });

  it('stays within 50 KB', async () => {
    const { text, details } = await grep(
      { pattern: 'x', limit: 1e9 },
      { f: `${'é'.repeat(400)}x\n`.repeat(1000) },
    );
    expect(size(text)).toBeLessThanOrEqual(51_200);
    expect(text).toMatch(/\[Showing \d+ lines, all that fit. /);
    expect(details).toMatchObject({ limited: true });
  });

  it('says what is wrong with its arguments', async () => {
    await expect(grep({ pattern: '(' }, files)).rejects.toThrow(
      /Invalid regular expression.*Use literal: true to find the pattern as it is/,
    );
    await expect(grep({ pattern: '' }, files)).rejects.toThrow('pattern is empty');
    await expect(grep({ pattern: 'x', path: 'no' }, files)).rejects.toThrow('no does not exist.');
    await expect(grep({ pattern: 'x', limit: 0 }, files)).rejects.toThrow(
      'limit must be a whole number from 1',
    );
  });
});

describe('find', () => {
  const files = {
    'a.ts': '',
    'src/b.ts': '',
    'src/deep/c.ts': '',
    'src/deep/.env': '',
    '/etc/d.ts': '',
    '#x!': '',
  };

  it.each([
    ['*.ts', 'a.ts\nsrc/b.ts\nsrc/deep/c.ts'],
    ['./src/*.ts', 'src/b.ts'],
    ['src/**/*.ts', 'src/b.ts\nsrc/deep/c.ts'],
    ['**/deep/**', 'src/deep/.env\nsrc/deep/c.ts'],
    ['{.env,a.*}', 'a.ts\nsrc/deep/.env'],
    ['d?ep/', 'src/deep/'],
    ['/project/src/*', 'src/b.ts\nsrc/deep/'],
    ['#x!', '#x!'],
    ['*.md', '[Nothing in . matches.]'],
  ])('finds %s', async (pattern, text) => {
    expect((await find({ pattern }, files)).text).toBe(text);
  });

  it('looks in a folder, and counts', async () => {
    expect(await find({ pattern: '*', path: '/etc' }, files)).toEqual({
      text: '/etc/d.ts',
      details: { pattern: '*', path: '/etc', count: 1 },
    });
    expect((await find({ pattern: '*.ts', path: '/', limit: '2' }, files)).text).toBe(
      '/etc/d.ts\na.ts\n\n[Showing 2 of 4. Use limit=4 for more.]',
    );
  });

  it('stays within 50 KB', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 900 }, (_, index) => [`${index}${'é'.repeat(50)}`, '']),
    );
    const { text, details } = await find({ pattern: '*' }, many);
    expect(size(text)).toBeLessThanOrEqual(51_200);
    expect(text).toMatch(/\[Showing \d+ of 900. Use a narrower pattern.\]$/);
    expect(details).toMatchObject({ count: 900 });
  });

  it('says what is wrong with its arguments', async () => {
    await expect(find({ pattern: '' }, files)).rejects.toThrow('pattern is empty');
    await expect(find({ pattern: '*', path: 'no' }, files)).rejects.toThrow('no does not exist.');
    await expect(find({ pattern: '*', path: 'a.ts' }, files)).rejects.toThrow(
      'a.ts is a file, not a folder.',
    );
  });
});

it('a search that is aborted ends', async () => {
  const controller = new AbortController();
  controller.abort();
  const fs = new VirtualFileSystem({ f: 'x' });
  await expect(call(fs, 'grep', { pattern: 'x' }, controller.signal)).rejects.toThrow('Aborted.');
});
