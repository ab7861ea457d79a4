import { describe, expect, it } from 'vitest';
import type { ToolResult } from '../loop/types';
import { VirtualFileSystem } from './file-system';
import { createReadTool } from './read';

function call(fs: VirtualFileSystem, args: unknown): Promise<ToolResult> {
  const { prepareArguments, execute } = createReadTool(fs, ['read']);
  return execute('call', prepareArguments?.(args) ?? {});
}

const textOf = (result: ToolResult) =>
  result.content.map((part) => (part.type === 'text' ? part.text : `<${part.mimeType}>`)).join('\n');
const size = (text: string) => new TextEncoder().encode(text).length;
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `L${index + 1}\n`).join('');

describe('read', () => {
  const read = (content: string | Uint8Array, args: object = {}) =>
    call(new VirtualFileSystem({ 'f.txt': content }), { path: 'f.txt', ...args });

  it('gives a whole file as it is, without a notice', async () => {
    const result = await read('a\r\nb\n');
    expect(textOf(result)).toBe('a\r\nb\n');
    expect(result.details).toEqual({
      path: '/project/f.txt',
      from: 1,
      to: 2,
      totalLines: 2,
      truncated: false,
    });
  });

  it('counts lines without the final line feed, and says how to go on (R-01)', async () => {
    const result = await read(numbered(10), { limit: 5 });
    expect(textOf(result)).toBe(
      'L1\nL2\nL3\nL4\nL5\n\n[Showing lines 1-5 of 10: 5 more lines. Use offset=6 to continue.]',
    );
    expect(result.details).toEqual({
      path: '/project/f.txt',
      from: 1,
      to: 5,
      totalLines: 10,
      truncated: true,
    });
  });

  it('goes on at an offset and ends without a notice', async () => {
    expect(textOf(await read(numbered(10), { offset: 9 }))).toBe('L9\nL10\n');
    expect(textOf(await read(numbered(10), { offset: 8, limit: 2 }))).toContain(
      '[Showing lines 8-9 of 10: 1 more line. Use offset=10',
    );
    expect((await read(numbered(10), { offset: 10, limit: 1 })).details).toMatchObject({
      from: 10,
      to: 10,
      truncated: false,
    });
  });

  it('shows 2,000 lines, and no more (R-03)', async () => {
    expect(textOf(await read('x\n'.repeat(2000)))).toBe('x\n'.repeat(2000));
    expect(textOf(await read('x\n'.repeat(2001)))).toContain(
      '[Showing lines 1-2000 of 2001: 1 more line. Use offset=2001 to continue.]',
    );
  });

  it('is within 50 KB with its one notice, whose offset is right (R-09)', async () => {
    const file = `${'é'.repeat(100)}\n`.repeat(2500);
    const text = textOf(await read(file));
    expect(size(text)).toBeLessThanOrEqual(51_200);
    expect(text.match(/\[Showing/g)).toHaveLength(1);
    const shown = text.split('\n\n[Showing')[0]?.split('\n').length ?? 0;
    expect(text).toContain(`Showing lines 1-${shown} of 2500`);
    expect(text).toContain(`offset=${shown + 1} `);
    const exactly = 'x'.repeat(51_199) + '\n';
    expect(textOf(await read(exactly))).toBe(exactly);
  });

  it('says that a line is over the limit, shows its start, and goes on after it (R-07)', async () => {
    const file = 'a'.repeat(60_000) + '\n' + numbered(5);
    const result = await read(file);
    expect(textOf(result)).toBe(
      'a'.repeat(2048) +
        '\n\n[Line 1 is 58.6KB, over the limit of 50KB: read shows its first 2KB only. Use offset=2 to continue.]',
    );
    expect(result.details).toEqual({
      path: '/project/f.txt',
      from: 1,
      to: 1,
      totalLines: 6,
      truncated: true,
    });
    expect(textOf(await read(file, { offset: 2 }))).toBe(numbered(5));
    const emoji = await read('a' + '😀'.repeat(20_000));
    expect(textOf(emoji)).toMatch(/^a(😀){511}\n\n\[Line 1 is 78.1KB/u);
    expect(emoji.details).toMatchObject({ to: 1, totalLines: 1, truncated: true });
  });

  it('names bash for other parts of a long line when there is bash', async () => {
    const fs = new VirtualFileSystem({ "it's.txt": `one\n${'a'.repeat(60_000)}\n` });
    const { execute } = createReadTool(fs, ['read', 'bash']);
    const text = textOf(await execute('call', { path: "it's.txt", offset: 2 }));
    expect(text).toContain("with bash: sed -n 2p 'it'\\''s.txt' | tail -c +2049 | head -c 20000]");
  });

  it('takes an offset past the end for an error that gives the number of lines', async () => {
    await expect(read(numbered(10), { offset: 11 })).rejects.toThrow(
      'offset 11 is past the end: f.txt has 10 lines.',
    );
    await expect(read('one', { offset: 2 })).rejects.toThrow('f.txt has 1 line.');
  });

  it('understands digits, refuses what is no count, and caps what is too much (R-13)', async () => {
    expect((await read(numbered(20), { limit: '10' })).details).toMatchObject({ to: 10 });
    expect((await read(numbered(20), { limit: null, offset: 0 })).details).toMatchObject({ from: 1, to: 20 });
    expect((await read('x\n'.repeat(3000), { limit: 1e9 })).details).toMatchObject({ to: 2000 });
    for (const limit of [0, -1, 2.5, 'ten', {}]) {
      await expect(read('x', { limit })).rejects.toThrow('limit must be a whole number from 1');
    }
    await expect(read('x', { offset: -1 })).rejects.toThrow(
      'offset must be a whole number from 0, and is -1.',
    );
  });

  it('says that a file is empty, and leaves a BOM out', async () => {
    expect(textOf(await read(''))).toBe('[f.txt is empty.]');
    expect(textOf(await read('\ufeffa\n'))).toBe('a\n');
  });

  it('describes a binary file (R-11)', async () => {
    const result = await read(new Uint8Array([0, 0xff, 0xd8, 0]));
    expect(textOf(result)).toBe('[f.txt is a binary file of 4 bytes: not shown.]');
    expect(result.details).toEqual({ path: '/project/f.txt', bytes: 4 });
  });

  it.each([
    ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]],
    ['image/jpeg', [0xff, 0xd8, 0xff, 0xe0]],
    ['image/gif', [0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 0]],
    ['image/webp', [0x52, 0x49, 0x46, 0x46, 0, 0, 0, 0, 0x57, 0x45, 0x42, 0x50]],
  ])('gives an image block for %s, whatever the name of the file', async (mimeType, values) => {
    const { content, details } = await read(new Uint8Array(values));
    expect(content[1]).toEqual({ type: 'image', mimeType, data: btoa(String.fromCharCode(...values)) });
    expect(details).toEqual({ path: '/project/f.txt', bytes: values.length, mimeType });
  });

  it('says what is not there or is a folder', async () => {
    const fs = new VirtualFileSystem({ 'src/a': '' });
    await expect(call(fs, { path: 'b' })).rejects.toThrow('b does not exist.');
    await expect(call(fs, { path: 'src' })).rejects.toThrow('src is a folder, not a file.');
    await expect(call(fs, {})).rejects.toThrow('path is missing');
    await expect(call(fs, { path: '' })).rejects.toThrow('path is empty');
  });
});
