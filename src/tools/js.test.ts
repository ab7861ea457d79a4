import { describe, expect, it } from 'vitest';
import type { ToolResult } from '../loop/types';
import { VirtualFileSystem } from './index';
import type { ToolOptions } from './index';
import { call, size, textOf } from './tools.testing';

async function js(code: string, options: ToolOptions = {}, fs = new VirtualFileSystem()) {
  const result = await call(fs, 'js', { code }, undefined, options);
  return { text: textOf(result), details: result.details, isError: result.isError };
}

describe('code', () => {
  it.each([
    ['1 + 1', '2'],
    ['const a = await Promise.resolve(20); a * 2', '40'],
    ['"text"', '"text"'],
    [
      '({ a: [1, "x", null], b: undefined })',
      '{\n  "a": [\n    1,\n    "x",\n    null\n  ],\n  "b": "undefined"\n}',
    ],
    [
      '[10n, () => 1, new Error("e"), /x/g]',
      '[\n  "10n",\n  "[Function anonymous]",\n  "Error: e",\n  "/x/g"\n]',
    ],
    ['new Map([["k", new Set([1])]])', /"Map"[^]*"k"[^]*"Set"[^]*1/],
    ['const o = {}; o.o = o; o', '{\n  "o": "[Circular]"\n}'],
    ['const x = { n: 1 }; [x, x]', /"n": 1[^]*"n": 1/],
    ['Symbol("s")', 'Symbol(s)'],
    ['undefined', '[No output]'],
    ['console.log("a", 1, { b: 2 }); console.error("c")', 'a 1 {\n  "b": 2\n}\nc\n'],
    ['for (const x of [1, 2]) console.log(x); "end"', '1\n2\n"end"'],
    ['return 5', '5'],
    [
      'typeof fetch + typeof setTimeout + typeof process + typeof require',
      '"undefinedundefinedundefinedundefined"',
    ],
  ])('%s', async (code, text) => {
    const result = await js(code);
    if (typeof text === 'string') expect(result.text).toBe(text);
    else expect(result.text).toMatch(text);
    expect(result.isError).toBeUndefined();
  });

  it('that throws is an error, with what it printed before', async () => {
    expect(await js('console.log("before");\nnull.x')).toMatchObject({
      text: expect.stringMatching(/^before\nTypeError: .*null.*\n.*script\.js:2/) as string,
      isError: true,
      details: { failed: true, calls: 0, truncated: false },
    });
    expect((await js('throw "text"')).text).toBe('Thrown: text');
    expect((await js('throw null')).text).toBe('Thrown: null');
    expect((await js('syntax (')).text).toMatch(/^SyntaxError: /);
    expect((await js('function f() { f() } f()')).text).toMatch(/^InternalError: stack overflow/);
    await expect(js('await new Promise(() => {})')).rejects.toThrow(
      'waits for a promise that nothing will settle',
    );
  });

  it('keeps nothing for the next call', async () => {
    const fs = new VirtualFileSystem();
    await js('globalThis.kept = 1', {}, fs);
    expect((await js('typeof kept', {}, fs)).text).toBe('"undefined"');
  });
});

describe('limits', () => {
  const withTimeout = async (code: string, timeoutMs: number) => {
    const { runSandbox } = await import('./jobs/sandbox');
    const { installedEngines } = await import('./jobs/engines');
    return runSandbox({ kind: 'js', code, timeoutMs }, {}, { engines: installedEngines });
  };

  it.each([
    'for (;;) {}',
    'const next = () => Promise.resolve().then(next); await next()',
    '/(a+)+$/.test("a".repeat(50) + "b")',
    'try { for (;;) {} } catch { for (;;) {} }',
    '[1].toString = 0; Array.from({ length: 1e9 }, (_, i) => i)',
  ])('of time end %s', async (code) => {
    await expect(withTimeout(code, 200)).rejects.toMatchObject({
      reason: expect.stringMatching(/time|memory/) as string,
    });
  });

  it('of memory are real ones', async () => {
    const code = 'const all = []; for (;;) all.push("x".repeat(1e6) + all.length)';
    expect(await js(code)).toMatchObject({
      text: '[Stopped: the code needed more than 64MB of memory.]',
      isError: true,
      details: { stopped: 'memory' },
    });
    expect((await js('new ArrayBuffer(100e6)')).isError).toBe(true);
    expect((await js('"still here"')).text).toBe('"still here"');
  });

  it('of output end what prints for ever', async () => {
    const { text, details } = await js('for (;;) console.log("x".repeat(10000))');
    expect(details).toMatchObject({ stopped: 'output', truncated: true, fullOutputPath: '/tmp/js-1.log' });
    expect(text).toMatch(/\[Stopped: the code printed too much.\]$/);
  });

  it('of what the model gets keep the end, cut between characters (R-05)', async () => {
    for (const start of ['', 'a']) {
      const { text } = await js(`console.log('${start}' + '😀'.repeat(20000))`);
      expect(size(text)).toBeLessThanOrEqual(51_200);
      expect(/^😀+\n\n\[Showing the last/u.test(text)).toBe(true);
    }
  });
});

describe('calls of other tools', () => {
  it('give their text, and throw their errors', async () => {
    const fs = new VirtualFileSystem({ 'a.txt': 'A\n' });
    const code = `
      const text = await tools.read({ path: 'a.txt' });
      const [made] = await Promise.all([tools.write({ path: 'b.txt', content: text + 'B' }), tools.ls()]);
      let caught;
      try { await tools.read({ path: 'no' }) } catch (error) { caught = error.message }
      ({ made, caught })`;
    expect(await js(code, {}, fs)).toMatchObject({
      text: '{\n  "made": "Created b.txt: 3 bytes.",\n  "caught": "no does not exist."\n}',
      details: { calls: 4 },
    });
    expect(fs.readText('b.txt')).toBe('A\nB');
    expect((await js('await tools.nosuch()')).text).toMatch(/^Error: There is no tool "nosuch"\./);
  });

  it('may run jobs themselves, which see what was written before', async () => {
    const fs = new VirtualFileSystem();
    const code = `
      await tools.write({ path: 'a', content: '1' });
      const [one, two] = await Promise.all([tools.bash({ command: 'cat a; echo x > b' }), tools.bash({ command: 'cat b' })]);
      one + two + await tools.js({ code: 'await tools.grep({ pattern: "x" })' })`;
    expect((await js(code, {}, fs)).text).toBe('"1x\\n\\"b:1: x\\""');
  });

  it('go to the host with the id of the outer call, and their time does not count', async () => {
    const calls: unknown[] = [];
    const callTool: ToolOptions['callTool'] = async (nested) => {
      calls.push(nested);
      await new Promise((resolve) => setTimeout(resolve, 30));
      const result: ToolResult = {
        content: [
          { type: 'text', text: 'done' },
          { type: 'image', data: '', mimeType: 'image/png' },
        ],
      };
      return { result, isError: false };
    };
    expect((await js('await tools.anything({ a: 1 })', { callTool })).text).toBe(
      '"done\\n[Image: image/png]"',
    );
    expect(calls).toEqual([{ toolCallId: 'call', name: 'anything', args: { a: 1 } }]);
  });

  it('that nobody waits for are finished before the end', async () => {
    const fs = new VirtualFileSystem();
    await js('tools.write({ path: "a", content: "x" }); 1', {}, fs);
    expect(fs.readText('a')).toBe('x');
  });

  it('are aborted with the code', async () => {
    const controller = new AbortController();
    const running = call(
      new VirtualFileSystem(),
      'js',
      { code: 'await tools.wait({ ms: 60000 })' },
      controller.signal,
    );
    setTimeout(() => controller.abort(), 20);
    const result = await running;
    expect(result).toMatchObject({ isError: true, details: { stopped: 'aborted', calls: 1 } });
    expect(textOf(result)).toBe('[Aborted.]');
  });
});
