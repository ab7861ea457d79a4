import { describe, expect, it } from 'vitest';
import { callArgument, callTitle, callWords } from './call-title';

describe('a call in one line', () => {
  it('shows the path, command or query, whatever its place', () => {
    expect(callArgument({ limit: 3, path: 'src/a.ts' })).toBe('src/a.ts · limit 3');
    expect(callArgument({ command: 'npm test\necho done' })).toBe('npm test');
  });

  it('shows the first plain value of a call that has none of them', () => {
    expect(callArgument({ edits: [1], count: 7 })).toBe('7');
  });

  it('leaves out what is long, has lines or is no plain value', () => {
    expect(callArgument({ path: 'a.txt', content: 'one\ntwo', edits: [{}] })).toBe('a.txt');
    expect(callArgument({ path: 'a.txt', note: 'x'.repeat(200) })).toBe('a.txt');
  });

  it('says nothing of no arguments', () => {
    expect([callArgument({}), callArgument(undefined), callArgument('text')]).toEqual(['', '', '']);
  });
});

describe('what came of a call', () => {
  const outcome = { text: 'first', last: 'last', lines: 3, images: 0 };
  const line = (tool: string, args: object, details?: object, status: 'ok' | 'error' = 'ok') => {
    const { argument, note, added, removed, isBad } = callTitle({ tool, args, status, outcome, details });
    const change = added === undefined ? '' : ` +${added} −${removed}`;
    return `${tool} ${argument}${change}${note && ` | ${note}`}${isBad ? ' !' : ''}`;
  };

  it('is the lines of a change', () => {
    expect(line('edit', { path: 'app.ts', edits: [] }, { added: 3, removed: 1 })).toBe('edit app.ts +3 −1');
    expect(line('write', { path: '/project/a' }, { bytes: 5, created: true })).toBe('write a | new, 5 B');
    expect(line('write', { path: 'a' }, { bytes: 5, created: false, added: 1, removed: 0 })).toBe(
      'write a +1 −0',
    );
  });

  it('is an exit code that is not zero, or why it was stopped', () => {
    expect(line('bash', { command: 'npm test' }, { exitCode: 1 }, 'error')).toBe('bash npm test | exit 1 !');
    expect(line('bash', { command: 'ls\nls' }, { exitCode: 0 })).toBe('bash ls | 3 lines');
    expect(line('bash', { command: 'x' }, { stopped: 'time' }, 'error')).toBe('bash x | out of time !');
    expect(line('bash', { command: 'seq 5000' }, { exitCode: 0, lines: { shown: 2000, total: 5000 } })).toBe(
      'bash seq 5000 | last 2,000 of 5,000 lines',
    );
    expect(line('js', { code: '\nlet a' }, { calls: 2 })).toBe('js let a | 2 calls');
  });

  it('is the lines that were read of how many', () => {
    const part = { from: 1, to: 2000, totalLines: 8412, truncated: true };
    expect(line('read', { path: 'log.txt', limit: 2000 }, part)).toBe('read log.txt | 1–2000 of 8412');
    expect(line('read', { path: 'a' }, { from: 1, to: 31, totalLines: 31, truncated: false })).toBe(
      'read a | 31 lines',
    );
    expect(line('read', { path: 'a.png' }, { bytes: 900, mimeType: 'image/png' })).toBe(
      'read a.png | PNG 900 B',
    );
  });

  it('is how much was found', () => {
    expect(line('grep', { pattern: 'x', path: '.' }, { matches: 12 })).toBe('grep "x" | 12 matches');
    expect(line('grep', { pattern: 'x', path: 'src' }, { matches: 1 })).toBe('grep "x" · src | 1 match');
    expect(line('find', { pattern: '*.ts' }, { count: 0 })).toBe('find *.ts | 0 found');
    expect(line('ls', {}, { count: 2 })).toBe('ls  | 2 entries');
  });

  it('is the status of an answer, at its host and path', () => {
    const url = 'https://example.com/a/b?c=1';
    expect(line('fetch', { url }, { status: 200 })).toBe('fetch example.com/a/b?c=1 | 200');
    expect(line('fetch', { url: 'https://example.com/' }, { status: 404 })).toBe('fetch example.com | 404 !');
  });

  it('is the first line of an error, and the lines of what has no details', () => {
    expect(line('read', { path: 'a' }, undefined, 'error')).toBe('read a | first !');
    expect(line('dig', { path: 'a' })).toBe('dig a | 3 lines');
  });

  it('is said in numbers alone where there is little room, and as a whole when it is pointed at', () => {
    const details = { exitCode: 0, lines: { shown: 2000, total: 100_000 } };
    const title = callTitle({
      tool: 'bash',
      args: { command: 'seq 100000' },
      status: 'ok',
      outcome,
      details,
    });
    expect(title.short).toBe('2,000 of 100,000');
    expect(callWords('bash', title, 700)).toBe('bash seq 100000 · last 2,000 of 100,000 lines · 0.70 s');
    const change = callTitle({
      tool: 'edit',
      args: { path: 'a' },
      status: 'ok',
      details: { added: 3, removed: 1 },
    });
    expect(callWords('edit', change)).toBe('edit a · +3 −1');
  });

  it('is the last line of what runs', () => {
    const running = { tool: 'bash', args: { command: 'x' }, status: 'running', outcome } as const;
    expect(callTitle(running).note).toBe('last');
  });

  it('is shown whatever a tool puts into its details', () => {
    for (const details of [null, 7, [], { added: '3' }, { exitCode: 'x' }])
      for (const tool of ['edit', 'bash', 'read', 'constructor'])
        expect(callTitle({ tool, args: null, status: 'ok', outcome, details }).note).toBe('3 lines');
  });
});
