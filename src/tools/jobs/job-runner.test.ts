import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualFileSystem } from '../file-system';
import type { BashJob, JobContext, JobHost, JobRequest } from './job';
import { JobRunner } from './job-runner';
import { WorkingCopy } from './working-copy';

const job: BashJob = { kind: 'bash', command: '', timeoutMs: 1000 };

type Work = (files: VirtualFileSystem, context: JobContext) => void | Promise<void>;

/** A runner whose jobs do what the test says, on working copies. */
function runnerFor(fs: VirtualFileSystem) {
  const copies: WorkingCopy[] = [];
  let work: Work = () => undefined;
  const openHost = (): JobHost => {
    const copy = new WorkingCopy();
    copies.push(copy);
    return {
      run: async ({ updates, shell }: JobRequest, context) => {
        copy.update(updates);
        await work(copy.files, context);
        return { result: { exitCode: 0 }, changes: copy.changes(), shell };
      },
      close: () => void copies.splice(copies.indexOf(copy), 1),
    };
  };
  const runner = new JobRunner({ files: fs, openHost });
  const run = async (next: Work, context: JobContext = {}) => {
    work = next;
    return (await runner.run(job, fs, context)).notes;
  };
  return { run, copies, runner };
}

const contentOf = (fs: VirtualFileSystem) => new Map(fs.list().map((path) => [path, fs.readContent(path)]));

describe('a job', () => {
  it('may replace a file by a folder, and a folder by a file', async () => {
    const fs = new VirtualFileSystem({ a: '1', 'b/c': '2' });
    const { run } = runnerFor(fs);
    const notes = await run((files) => {
      files.remove('a');
      files.writeText('a/x', '3');
      files.remove('b');
      files.writeText('b', '4');
    });
    expect(notes).toEqual([]);
    expect([...contentOf(fs)]).toEqual([
      ['/project/a/x', '3'],
      ['/project/b', '4'],
    ]);
  });

  it('hands over only what is different at its end', async () => {
    const fs = new VirtualFileSystem({ a: '1', b: '2' });
    const changed: string[] = [];
    fs.onChange(({ path }) => changed.push(path));
    await runnerFor(fs).run((files) => {
      files.writeText('a', 'other');
      files.writeText('a', '1');
      files.writeText('new', 'x');
      files.remove('new');
      files.writeText('b', 'two');
    });
    expect(changed).toEqual(['/project/b']);
  });

  it('that fails changes nothing, and its host is not used again', async () => {
    const fs = new VirtualFileSystem({ a: '1' });
    const { run, copies } = runnerFor(fs);
    const failing = run((files) => {
      files.writeText('a', 'half done');
      throw new Error('broken');
    });
    await expect(failing).rejects.toThrow('broken');
    expect(copies).toEqual([]);
    expect(fs.readText('a')).toBe('1');
    await run((files) => expect(files.readText('a')).toBe('1'));
  });

  it('that was aborted changes nothing, even when it came to its end', async () => {
    const fs = new VirtualFileSystem();
    const controller = new AbortController();
    const { run } = runnerFor(fs);
    const running = run(
      (files) => {
        files.writeText('a', '1');
        controller.abort();
      },
      { signal: controller.signal },
    );
    await expect(running).rejects.toMatchObject({ name: 'JobStopped', reason: 'aborted' });
    expect(fs.list()).toEqual([]);
  });

  it('says what it could not write, and goes on with the rest', async () => {
    const fs = new VirtualFileSystem();
    const { run, copies } = runnerFor(fs);
    const notes = await run((files) => {
      files.writeText('a', '1');
      files.writeText('b/c', '2');
      fs.writeText('b', 'a file meanwhile');
    });
    expect(notes).toEqual(['b/c was not changed: b is a file, not a folder.']);
    expect(fs.list()).toEqual(['/project/a', '/project/b']);
    await run(() => undefined);
    expect(copies[0] && contentOf(copies[0].files)).toEqual(contentOf(fs));
  });

  it('waits for the queue of each path that it changed', async () => {
    const fs = new VirtualFileSystem({ a: '1' });
    let finish = () => {};
    const mayEnd = new Promise<void>((resolve) => (finish = resolve));
    const writing = fs.runExclusive('a', async () => {
      const text = fs.readText('a');
      await mayEnd;
      fs.writeText('a', `${text}+`);
    });
    const running = runnerFor(fs).run((files) => files.writeText('a', '2'));
    finish();
    await Promise.all([writing, running]);
    expect(fs.readText('a')).toBe('2');
  });
});

it('copies stay the same as the files, whoever changes what and whenever', async () => {
  const path = fc.constantFrom('a', 'b', 'c/d', 'c/e', 'c');
  const change = fc.record({ path, content: fc.option(fc.constantFrom('', 'x', 'y', 'long text')) });
  const step = fc.record({
    before: fc.array(change, { maxLength: 3 }),
    inside: fc.array(change, { maxLength: 3 }),
    meanwhile: fc.array(change, { maxLength: 3 }),
  });
  const apply = (fs: VirtualFileSystem, changes: { path: string; content: string | null }[]) => {
    for (const { path: at, content } of changes) {
      try {
        if (content === null) fs.remove(at);
        else fs.writeText(at, content);
      } catch {
        // what a file system refuses changes nothing
      }
    }
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
      const fs = new VirtualFileSystem({ a: 'start' });
      const { run, copies } = runnerFor(fs);
      for (const { before, inside, meanwhile } of steps) {
        apply(fs, before);
        await run((files) => {
          expect(contentOf(files)).toEqual(contentOf(fs));
          apply(files, inside);
          apply(fs, meanwhile);
        });
      }
      await run(() => undefined);
      expect(copies).toHaveLength(1);
      expect(copies[0] && contentOf(copies[0].files)).toEqual(contentOf(fs));
    }),
    { numRuns: 300 },
  );
});
