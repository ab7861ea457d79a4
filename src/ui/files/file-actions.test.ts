import { beforeEach, describe, expect, it } from 'vitest';
import type { RecordBody, TraceRecord } from '../../records/types';
import { VirtualFileSystem } from '../../tools/file-system';
import { filesAt } from '../../trace';
import { deleteFile, renameFile, writeFile, writeFiles } from '../../worker/person-files';
import type { Notices } from '../notices.svelte';
import type { SessionCommand } from '../session.svelte';
import { ContentReader } from './contents';
import { FileActions } from './file-actions';

/** A session as far as files go: what is done to them becomes records. */
class Files {
  readonly log: TraceRecord[] = [];
  readonly fs = new VirtualFileSystem();
  readonly told: { id: number; kind: string; text: string; action?: { run: () => void } }[] = [];
  by: 'start' | 'person' | 'tool' = 'start';
  readonly actions: FileActions;

  constructor(files: Record<string, string>) {
    this.fs.onChange(({ path, after }) => {
      if (typeof after === 'object') throw new Error('These tests have texts only.');
      const body: RecordBody = { type: 'file_change', path, by: this.by };
      this.log.push({
        seq: this.log.length + 1,
        at: 0,
        ...body,
        ...(after === undefined ? {} : { after: { text: after } }),
      });
    });
    for (const [path, text] of Object.entries(files)) this.fs.writeText(path, text);
    this.by = 'person';
    const notices = {
      add: (notice: Omit<(typeof this.told)[number], 'id'>) =>
        this.told.push({ ...notice, id: this.told.length + 1 }),
      close: (id: number) => this.told.splice(0, Infinity, ...this.told.filter((notice) => notice.id !== id)),
    } as unknown as Notices;
    this.actions = new FileActions({
      send: (command) => Promise.resolve().then(() => this.#do(command)),
      latest: () => filesAt(this.log),
      seq: () => this.log.length,
      contents: new ContentReader(() => Promise.resolve(undefined)),
      notices,
    });
  }

  get texts(): Record<string, string> {
    return Object.fromEntries(this.fs.list().map((path) => [path, this.fs.readText(path)]));
  }

  tool(work: () => void): void {
    this.by = 'tool';
    work();
    this.by = 'person';
  }

  /** Presses the button of the last notice. */
  async undo(): Promise<void> {
    this.told.at(-1)?.action?.run();
    await new Promise((resolve) => setImmediate(resolve));
  }

  #do(command: SessionCommand): unknown {
    switch (command.type) {
      case 'writeFile':
        return writeFile(this.fs, command, command.replace ?? false);
      case 'writeFiles':
        return writeFiles(this.fs, command.files, command.replace ?? false);
      case 'renameFile':
        return renameFile(this.fs, command.from, command.to);
      case 'deleteFile':
        return deleteFile(this.fs, command.path);
      default:
        throw new Error(command.type);
    }
  }
}

let files: Files;
let before: Record<string, string>;
beforeEach(() => {
  files = new Files({ 'a.txt': 'a', 'src/b.txt': 'b', 'src/deep/c.txt': 'c' });
  before = files.texts;
});

describe('what a person does with files can be taken back', () => {
  it('a deletion, of a folder too', async () => {
    await files.actions.remove('/project/src');
    expect(files.texts).toEqual({ '/project/a.txt': 'a' });
    await files.undo();
    expect(files.texts).toEqual(before);
  });

  it('a new name', async () => {
    expect(await files.actions.rename('/project/src', '/project/lib')).toBeUndefined();
    expect(Object.keys(files.texts)).toEqual([
      '/project/a.txt',
      '/project/lib/b.txt',
      '/project/lib/deep/c.txt',
    ]);
    await files.undo();
    expect(files.texts).toEqual(before);
  });

  it('an upload, with what it replaced', async () => {
    const upload = [
      { path: '/project/a.txt', content: 'new' },
      { path: '/project/d.txt', content: 'd' },
    ];
    expect(await files.actions.upload(upload, false)).toMatchObject([{ path: '/project/a.txt' }]);
    expect(files.texts).toEqual(before);
    expect(await files.actions.upload(upload, true)).toEqual([]);
    await files.undo();
    expect(files.texts).toEqual(before);
  });

  it('an edit', async () => {
    expect(await files.actions.save('/project/a.txt', 'edited')).toBe(true);
    await files.undo();
    expect(files.texts).toEqual(before);
  });

  it('but not over what a tool did since, which is told', async () => {
    await files.actions.upload(
      [
        { path: '/project/a.txt', content: 'mine' },
        { path: '/project/d.txt', content: 'mine' },
      ],
      true,
    );
    files.tool(() => files.fs.writeText('a.txt', 'of a tool'));
    await files.undo();
    expect(files.texts).toEqual({ ...before, '/project/a.txt': 'of a tool' });
    expect(files.told.at(-1)).toMatchObject({ kind: 'error' });
  });

  it('only as long as nothing was done after it', async () => {
    await files.actions.remove('/project/a.txt');
    await files.actions.remove('/project/src/b.txt');
    expect(files.told).toHaveLength(1);
    await files.undo();
    expect(Object.keys(files.texts)).toEqual(['/project/src/b.txt', '/project/src/deep/c.txt']);
  });
});

it('what is refused is returned, or told', async () => {
  expect(await files.actions.create('/project/a.txt')).toMatchObject({ code: 'files.exists' });
  expect(await files.actions.rename('/project/none', '/project/x')).toMatchObject({ code: 'files.missing' });
  expect(files.told).toEqual([]);
  expect(await files.actions.save('/project/src', 'x')).toBe(false);
  expect(files.told).toMatchObject([{ kind: 'error' }]);
});
