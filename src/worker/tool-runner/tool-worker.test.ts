/** The tools with their jobs in real threads, which can be terminated. */
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ToolResult } from '../../loop/types';
import { createTools, JobRunner, VirtualFileSystem } from '../../tools';
import type { JobRunnerOptions } from '../../tools';
import { buildToolWorker, threadWorker } from './tool-worker.testing';
import type { TestWorker } from './tool-worker.testing';
import { WorkerHost } from './worker-host';

beforeAll(buildToolWorker, 60_000);

const open: JobRunner[] = [];
afterEach(() => open.splice(0).forEach((runner) => runner.dispose()));

function session(files: Record<string, string> = {}, options: Partial<JobRunnerOptions> = {}) {
  const fs = new VirtualFileSystem(files);
  const workers: TestWorker[] = [];
  const openHost = () => {
    const worker = threadWorker();
    workers.push(worker);
    return new WorkerHost(worker);
  };
  const runner = new JobRunner({ files: fs, openHost, ...options });
  open.push(runner);
  const tools = createTools(fs, { runner });
  const call = (
    name: string,
    args: Record<string, unknown>,
    signal?: AbortSignal,
    onUpdate?: (partial: ToolResult) => void,
  ): Promise<ToolResult> => {
    const tool = tools.find((each) => each.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    return tool.execute(`call of ${name}`, args, signal, onUpdate);
  };
  const bash = async (command: string) => textOf(await call('bash', { command }));
  return { fs, runner, workers, call, bash };
}

const textOf = ({ content }: ToolResult) =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');

describe('a tool worker', () => {
  it('works on the files as they are when a job starts, and hands its changes back', async () => {
    const { fs, workers, bash } = session({ a: '1\n', b: '2\n' });
    expect(workers).toEqual([]);
    expect(await bash('cat a b; echo 3 > c; rm b')).toBe('1\n2\n');
    expect(fs.list()).toEqual(['/project/a', '/project/c']);
    fs.writeText('a', 'changed\n');
    expect(await bash('cat a c')).toBe('changed\n3\n');
    expect(workers).toHaveLength(1);
  });

  it('is sent only what it does not know', async () => {
    const { fs, workers, bash } = session({ a: '1\n', b: '2\n' });
    await bash('echo 3 > c');
    fs.writeText('a', 'new');
    fs.remove('b');
    await bash('true');
    const sent = workers[0]?.sent.map((message) =>
      message.type === 'run' ? message.request.updates : message,
    );
    expect(sent).toEqual([
      [
        { path: '/project/a', content: '1\n' },
        { path: '/project/b', content: '2\n' },
      ],
      [{ path: '/project/a', content: 'new' }, { path: '/project/b' }],
    ]);
  });

  it('keeps what others wrote meanwhile, and says what it replaced', async () => {
    const { fs, call } = session({ mine: '', both: '' });
    const command = 'echo x > mine; echo x > both; echo ready; sleep 0.2; cat other 2> /dev/null; true';
    const running = call('bash', { command }, undefined, () => {
      fs.writeText('other', 'theirs');
      fs.writeText('both', 'theirs');
    });
    expect(textOf(await running)).toBe(
      'ready\n\n[both was changed by something else meanwhile; what was written here replaced that.]',
    );
    expect(['mine', 'other', 'both'].map((path) => fs.readText(path))).toEqual(['x\n', 'theirs', 'x\n']);
  });

  it('shows output while the command runs, also when it never lets go', async () => {
    const { call } = session();
    const controller = new AbortController();
    const command = 'echo shown; while true; do :; done';
    const result = await call('bash', { command }, controller.signal, () => controller.abort());
    expect(textOf(result)).toMatch(/^shown\n\n\[Aborted/);
  });

  it('lets code call tools that need a worker themselves', async () => {
    const { fs, workers, call } = session({ a: 'x\n' });
    const code = `
      await tools.write({ path: 'b', content: 'y\\n' });
      const texts = await Promise.all([tools.bash({ command: 'cat a b; echo z > c' }), tools.grep({ pattern: 'z' })]);
      texts.join('|')`;
    expect(textOf(await call('js', { code }))).toBe('"x\\ny\\n|c:1: z"');
    expect(fs.list()).toHaveLength(3);
    expect(workers).toHaveLength(2);
  });

  it('has the clock and the chance that it is given', async () => {
    const { bash } = session({}, { now: () => Date.UTC(2031, 4, 6, 7, 8, 9) });
    const command = 'date -u +%FT%T; sleep 20; date -u +%T; echo $RANDOM';
    const first = await bash(command);
    expect(first).toMatch(/^2031-05-06T07:08:09\n07:08:29\n\d+\n$/);
    expect(await bash(command)).toBe(first);
  });
});

describe('what does not stop is terminated on abort, within a second', () => {
  const slow = { f: `${'a'.repeat(60)}b\n` };

  it.each([
    ['a loop in the shell', 'bash', { command: 'echo x > made; while true; do :; done', timeout: 100 }],
    ['a loop in the sandbox', 'js', { code: 'for (;;) {}' }],
    ['an expression that backtracks', 'grep', { pattern: '^(a+)+$' }],
    ['a loop in awk', 'bash', { command: "while true; do awk '{ while (1) i++ }' f; done > /dev/null" }],
  ])('%s', async (_name, tool, args) => {
    const { fs, workers, call, bash } = session(slow);
    expect(await bash('cat f')).toBe(slow.f);
    const controller = new AbortController();
    const running = call(tool, args, controller.signal).catch((error: unknown) => String(error));
    await vi.waitFor(
      () => expect(workers[0]?.received.filter(({ type }) => type === 'started')).toHaveLength(2),
      20_000,
    );
    const abortedAt = performance.now();
    controller.abort();
    const result = await running;
    expect(performance.now() - abortedAt).toBeLessThan(1000);
    if (typeof result === 'string') expect(result).toBe('Error: Aborted.');
    else {
      const dropped = ' What it had changed in files was dropped.';
      expect(result).toMatchObject({ isError: true, details: { stopped: 'aborted' } });
      expect(textOf(result)).toBe(tool === 'bash' ? `[Aborted.${dropped}]` : '[Aborted.]');
    }
    expect(workers[0]?.terminated).toBe(true);
    expect(fs.list()).toEqual(['/project/f']);
    expect(await bash('cat f; echo on')).toBe(`${slow.f}on\n`);
    expect(workers).toHaveLength(2);
  });
});

describe('what runs too long', () => {
  it('stops by itself when it can', async () => {
    const { call } = session();
    const result = await call('bash', { command: 'while true; do :; done', timeout: 0.3 });
    expect(textOf(result)).toBe(
      '[Stopped: the command ran longer than 0.3 seconds. What it had changed in files was dropped.]',
    );
  });

  it('is terminated when it cannot', async () => {
    const { fs, runner, workers } = session({ f: `${'a'.repeat(60)}b\n` });
    const search = { kind: 'grep', path: '/project', ignoreCase: false, literal: false, context: 0 } as const;
    const job = { ...search, limit: 10, timeoutMs: 200 };
    const slow = runner.run({ ...job, pattern: '^(a+)+$' }, fs, {});
    await expect(slow).rejects.toMatchObject({ name: 'JobStopped', reason: 'time' });
    expect(workers[0]?.terminated).toBe(true);
    expect((await runner.run({ ...job, pattern: '^a+b$' }, fs, {})).result).toMatchObject({ matches: 1 });
  });
});
