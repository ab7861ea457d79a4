import { describe, expect, it } from 'vitest';
import type { ToolResult } from '../loop/types';
import { VirtualFileSystem } from './index';
import { call, size, textOf } from './tools.testing';

async function bash(command: string, files: Record<string, string | Uint8Array> = {}) {
  const fs = new VirtualFileSystem(files);
  const result = await call(fs, 'bash', { command });
  return { fs, text: textOf(result), details: result.details, isError: result.isError };
}

describe('a command', () => {
  it('gives its output, and says when there is none', async () => {
    expect(await bash('echo hi')).toMatchObject({
      text: 'hi\n',
      details: { command: 'echo hi', exitCode: 0, truncated: false },
    });
    expect((await bash('true')).text).toBe('[No output]');
    expect((await bash('')).text).toBe('[No output]');
  });

  it('shows an exit code that is not zero, as an error', async () => {
    expect(await bash('echo a; exit 3')).toMatchObject({
      text: 'a\n\n[Exit code 3]',
      isError: true,
      details: { exitCode: 3 },
    });
    expect((await bash('nosuch')).text).toBe('bash: nosuch: command not found\n\n[Exit code 127]');
    expect((await bash('if')).text).toMatch(/syntax error[^]*\[Exit code 2\]$/);
  });

  it('shows output and errors in their order', async () => {
    const { text } = await bash(
      'echo a; ls no1; f() { echo in; echo err >&2; }; f; for i in 1 2; do echo $i; ls no$i; done; cat no2 | cat; echo $(echo sub) end',
    );
    const missing = (command: string, name: string) => `${command}: ${name}: No such file or directory\n`;
    expect(text.replaceAll('ls: cannot access', 'ls:').replace(/'/g, '')).toBe(
      `a\n${missing('ls', 'no1')}in\nerr\n1\n${missing('ls', 'no1')}2\n${missing('ls', 'no2')}${missing('cat', 'no2')}sub end\n`,
    );
  });

  it('starts in /project each time', async () => {
    expect((await bash('pwd; cd /; pwd')).text).toBe('/project\n/\n');
    expect((await bash('cd src && pwd; echo ~', { 'src/a': '' })).text).toBe('/project/src\n/project\n');
  });

  it('has no network', async () => {
    expect((await bash('curl https://example.org')).text).toContain('curl: command not found');
  });

  it('needs a text', async () => {
    await expect(call(new VirtualFileSystem(), 'bash', {})).rejects.toThrow('command is missing');
  });
});

describe('redirections, pipes and globs', () => {
  it('send errors into a pipe (V-01)', async () => {
    expect(await bash('echo test 2>&1 | cat')).toMatchObject({ text: 'test\n', details: { exitCode: 0 } });
  });

  it('write a heredoc into a file (V-03)', async () => {
    const { fs, text } = await bash(
      "P=8080\ncat <<EOF > /a/b.yaml\nport: $P\nEOF\ncat <<'EOF' > c\nport: $P\nEOF",
      {
        '/a/x': '',
      },
    );
    expect(text).toBe('[No output]');
    expect(fs.readText('/a/b.yaml')).toBe('port: 8080\n');
    expect(fs.readText('c')).toBe('port: $P\n');
  });

  it('expand a glob in a pipe (V-13)', async () => {
    const files = { 'a.md': '', 'b.md': '', 'c.txt': '', 'd/e': '', 'f/g': '' };
    expect((await bash('ls *.md | wc -l', files)).text.trim()).toBe('2');
    expect((await bash('ls -1 c.txt a.md d no', files)).text).toMatch(
      /^c.txt\na.md\n\nd:\ne\nls: .*no.*: No such file or directory\n\n\[Exit code 2\]$/,
    );
    expect((await bash('ls -d *; ls d f; ls; ls d', files)).text).toBe(
      'a.md\nb.md\nc.txt\nd\nf\nd:\ne\n\nf:\ng\na.md\nb.md\nc.txt\nd\nf\ne\n',
    );
  });

  it.each([
    ['echo o > f; cat f', 'o\n'],
    ['ls nope 2> f; cat f', 'ls: nope: No such file or directory\n'],
    ['{ echo o; echo e >&2; } > f 2>&1; cat f', 'o\ne\n'],
    ['x=$(ls nope 2>/dev/null; echo y); echo "[$x]"', '[y]\n'],
    ['bash -c "echo in" | tr a-z A-Z', 'IN\n'],
    ['echo "echo $1" > s.sh; bash s.sh | wc -l; x=$(bash s.sh); echo "[$x]"', '1\n[]\n'],
    ['printf "a\\nb\\n" | while read l; do echo "<$l>"; done', '<a>\n<b>\n'],
    ['echo é中😀 > f; cat f; cat f | wc -c', 'é中😀\n10\n'],
    ['exec > f; echo hidden', '[No output]'],
    ['echo a >> f; echo b >> f; cat f', 'a\nb\n'],
    ['case x in x) echo is;; esac; if true; then echo if; else echo no; fi', 'is\nif\n'],
    ['false || echo or; ! true && echo no; (echo sub; echo e >&2)', 'or\nsub\ne\n'],
    ['echo to terminal > /dev/tty', 'to terminal\n'],
  ])('%s', async (command, output) => {
    expect((await bash(command)).text).toBe(output);
  });
});

describe('files', () => {
  it('are the same everywhere, in every folder, as text or bytes', async () => {
    const { fs, text } = await bash(
      'cat in; echo x > out; mkdir /new; echo y > /new/f; cp b.bin c.bin; cat /etc/x',
      {
        in: 'A\n',
        'b.bin': new Uint8Array([0, 255, 1]),
        '/etc/x': 'X\n',
      },
    );
    expect(text).toBe('A\nX\n');
    expect(fs.readText('out')).toBe('x\n');
    expect(fs.readText('/new/f')).toBe('y\n');
    expect(fs.readBytes('c.bin')).toEqual(new Uint8Array([0, 255, 1]));
  });

  it('of the shell itself are not among them', async () => {
    const { fs } = await bash('ls /bin > /dev/null; echo x > /dev/null; ls /proc > /dev/null');
    expect(fs.list()).toEqual([]);
  });

  it('have one path, whatever dots are in it (V-15)', async () => {
    const { fs, text } = await bash('echo x > ../../etc/x; cat /home/../etc/x //etc/./x; ls -d /..', {
      '/etc/y': '',
    });
    expect(fs.list()).toEqual(['/etc/x', '/etc/y']);
    expect(text).toBe('x\nx\n/..\n');
  });

  it('move with their folder (V-17)', async () => {
    const { fs, text } = await bash('mv /a/b /a/e; cat /a/e/c.txt; ls /a', { '/a/b/c.txt': 'c\n' });
    expect(text).toBe('c\ne\n');
    expect(fs.list()).toEqual(['/a/e/c.txt']);
  });

  it('may have names of Object.prototype, as variables may (V-19)', async () => {
    const names = ['__proto__', 'constructor', 'toString'];
    const { fs, text } = await bash(
      `export __proto__=1; echo "[$constructor]"; ${names.map((name) => `echo ${name} > ${name}`).join('; ')}; cat *`,
    );
    expect(text).toBe('[]\n__proto__\nconstructor\ntoString\n');
    expect(fs.list()).toEqual(names.map((name) => `/project/${name}`));
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it('that are removed leave their folder; a folder may be empty', async () => {
    const { fs, text } = await bash(
      'rm src/a; ls -d src; mkdir -p x/y; touch x/y/f; rm -r x; ls; rmdir src; ls',
      {
        'src/a': '',
      },
    );
    expect(text).toBe('src\nsrc\n');
    expect(fs.list()).toEqual([]);
  });

  it('empty folders and modes last from one command to the next', async () => {
    const fs = new VirtualFileSystem();
    const { createTools } = await import('./index');
    const [tool] = createTools(fs, { only: ['bash'] });
    const run = async (command: string) => textOf((await tool?.execute('c', { command })) as ToolResult);
    await run('mkdir made; echo "echo ran" > s.sh; chmod +x s.sh');
    expect(await run('cd made && pwd; cd ..; ./s.sh')).toBe('/project/made\nran\n');
    await run('rmdir made');
    expect(await run('ls')).toBe('s.sh\n');
  });

  it('that are too large or at wrong places are errors as a shell knows them', async () => {
    const { text } = await bash(
      'mkdir a/b/c; echo x > .; cat nope; mkdir f; cp -r d d/e; cat d; echo x > f/g',
      {
        f: '',
        'd/x': '',
      },
    );
    expect(text.split('\n').slice(0, -2)).toEqual([
      "mkdir: cannot create directory 'a/b/c': No such file or directory",
      'bash: .: Is a directory',
      'cat: nope: No such file or directory',
      "mkdir: cannot create directory 'f': File exists",
      "cp: cannot copy 'd' into itself, '/project/d/e'",
      'cat: d: No such file or directory',
      'bash: f is a file, not a folder.',
    ]);
    const big = await bash('x=$(seq 1 900000); echo "$x" > a; cat a > b; cat a >> b; echo on');
    expect(big.text).toContain('b would have 11.8MB: a file may have 10MB at most.');
    expect(big.text).not.toContain('on\n');
    expect(big.fs.size('b')).toBe(big.fs.size('a'));
  });
});

describe('limits', () => {
  it('end an endless loop, and zero means the default (V-07)', async () => {
    const fs = new VirtualFileSystem();
    const result = await call(fs, 'bash', { command: 'echo x > f; while true; do :; done', timeout: 0.3 });
    expect(result).toMatchObject({ isError: true, details: { stopped: 'time' } });
    expect(textOf(result)).toBe(
      '[Stopped: the command ran longer than 0.3 seconds. What it had changed in files was dropped.]',
    );
    expect(fs.list()).toEqual([]);
    expect(textOf(await call(fs, 'bash', { command: 'echo x', timeout: 0 }))).toBe('x\n');
    await expect(call(fs, 'bash', { command: 'x', timeout: -1 })).rejects.toThrow('timeout must be a number');
    await expect(call(fs, 'bash', { command: 'x', timeout: 'soon' })).rejects.toThrow('timeout must be');
  });

  it('end strings that double (V-09)', async () => {
    const { text, isError } = await bash('x=aaaaaaaaaa; for i in {1..30}; do x="$x$x"; done; echo done');
    expect(isError).toBe(true);
    expect(text).toContain('limit exceeded');
    expect(text).not.toContain('done\n');
  });

  it.each([["awk 'BEGIN{while(1){}}'"], ["echo x | sed ':a;ba'"], ["jq -n 'def f: f; f'"]])(
    'end loops inside of a command: %s (V-11)',
    async (command) => {
      const { text, isError } = await bash(command);
      expect(isError).toBe(true);
      expect(text).toMatch(/exceeded|limit|recursion|depth/i);
    },
    20_000,
  );

  it('end output without end', async () => {
    const fs = new VirtualFileSystem();
    const command = 'x=$(seq 1 100000); while true; do echo "$x"; done';
    const result = await call(fs, 'bash', { command });
    expect(result).toMatchObject({ isError: true, details: { stopped: 'output', truncated: true } });
  });

  it('are heeded when the command is aborted while it sleeps', async () => {
    const controller = new AbortController();
    const fs = new VirtualFileSystem();
    const running = call(fs, 'bash', { command: 'echo x > f; echo a; sleep 20' }, controller.signal, {}, () =>
      controller.abort(),
    );
    const result = await running;
    expect(result).toMatchObject({ isError: true, details: { stopped: 'aborted' } });
    expect(textOf(result)).toBe('a\n\n[Aborted. What it had changed in files was dropped.]');
    expect(fs.list()).toEqual([]);
  });
});

describe('long output', () => {
  it('keeps its end, and all of it in a file', async () => {
    const { fs, text, details } = await bash('seq 1 5000');
    expect(text).toMatch(/^3001\n3002\n/);
    expect(text).toMatch(
      /\n5000\n\n\[Showing lines 3001-5000 of 5000. All of the output is in \/tmp\/bash-1.log.\]$/,
    );
    expect(details).toMatchObject({
      truncated: true,
      lines: { shown: 2000, total: 5000 },
      fullOutputPath: '/tmp/bash-1.log',
    });
    expect(fs.readText('/tmp/bash-1.log')).toMatch(/^1\n2\n[^]*\n5000\n$/);
    await call(fs, 'bash', { command: 'seq 1 5000' });
    expect(fs.list('/tmp')).toEqual(['/tmp/bash-1.log', '/tmp/bash-2.log']);
  });

  it('is cut between characters, with its notices within the limit (R-05)', async () => {
    for (const start of ['', 'a']) {
      const { text, isError } = await bash('printf %s "$(cat f)"; exit 1', {
        f: start + '😀'.repeat(20_000),
      });
      expect(isError).toBe(true);
      expect(size(text)).toBeLessThanOrEqual(51_200);
      const [shown = '', notices] = text.split('\n\n', 2);
      expect(/^😀+$/u.test(shown)).toBe(true);
      expect(notices).toBe(
        '[Showing the last 48.8KB of line 1. All of the output is in /tmp/bash-1.log.]\n[Exit code 1]',
      );
    }
  });

  it('is text, whatever the bytes are', async () => {
    const { text } = await bash('cat f', { f: new Uint8Array([0, 0xff, 0x61]) });
    expect(text).not.toContain('\0');
    expect(/\p{Surrogate}/u.test(text)).toBe(false);
  });
});

it('output shows while it comes', async () => {
  const updates: string[] = [];
  const fs = new VirtualFileSystem();
  const result = await call(
    fs,
    'bash',
    { command: 'for i in 1 2 3; do echo $i; sleep 0.1; done' },
    undefined,
    {},
    (partial) => updates.push(textOf(partial)),
  );
  expect(updates).toEqual(['1\n', '1\n2\n', '1\n2\n3\n']);
  expect(textOf(result)).toBe('1\n2\n3\n');
});
