import { describe, expect, it } from 'vitest';
import type { AgentTool, ToolResult } from '../loop/types';
import type { ScriptedTool } from '../scenario/types';
import { scriptedTool, takingTime, type ScriptedToolSpec } from './scripted';

/** Runs a scripted tool in virtual time; `abortAt` aborts when that time has come. */
async function run(spec: Partial<ScriptedToolSpec>, args: Record<string, unknown> = {}, abortAt = Infinity) {
  let at = 0;
  const controller = new AbortController();
  if (abortAt <= 0) controller.abort();
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> => {
    const until = at + ms;
    if (until >= abortAt) controller.abort();
    at = signal?.aborted ? abortAt : until;
    return signal?.aborted ? Promise.reject(new Error('woken')) : Promise.resolve();
  };
  const updates: { at: number; text: string }[] = [];
  const textOf = (result: ToolResult): string =>
    result.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const result = await scriptedTool({ name: 'price', durationMs: 100, ...spec }, { sleep })
    .execute('id', args, controller.signal, (partial) => updates.push({ at, text: textOf(partial) }))
    .catch((error: unknown) => error as Error);
  return { at, updates, result };
}

describe('scriptedTool', () => {
  it('takes the tools of the scenario format as they are', () => {
    const tool: ScriptedTool = { name: 'a', durationMs: 0 };
    const spec: ScriptedToolSpec = tool;
    expect(scriptedTool(spec, { sleep: () => Promise.resolve() })).toMatchObject({
      name: 'a',
      label: 'a',
      description: 'a',
      parameters: { type: 'object' },
    });
  });

  it('settles after its virtual duration with its result', async () => {
    expect(await run({ result: 'done', durationMs: 250 })).toEqual({
      at: 250,
      updates: [],
      result: { content: [{ type: 'text', text: 'done' }] },
    });
  });

  it('reports progress at even times, each line below the ones before', async () => {
    const { updates, at } = await run({ progress: ['one', 'two', 'three'], durationMs: 400 });
    expect(updates).toEqual([
      { at: 100, text: 'one' },
      { at: 200, text: 'one\ntwo' },
      { at: 300, text: 'one\ntwo\nthree' },
    ]);
    expect(at).toBe(400);
  });

  it('puts arguments into its texts, and leaves a placeholder that names none', async () => {
    const args = { shop: 'A$&', items: [1, 2] };
    const { result, updates } = await run(
      { progress: ['{{shop}}…'], result: '{{shop}} {{items}} {{toString}} {{missing}}' },
      args,
    );
    expect(updates[0]?.text).toBe('A$&…');
    expect(result).toEqual({ content: [{ type: 'text', text: 'A$& [1,2] {{toString}} {{missing}}' }] });
  });

  it('throws its error, and marks its result as an error or as the last', async () => {
    expect((await run({ error: 'no {{x}}' }, { x: 'luck' })).result).toEqual(new Error('no luck'));
    expect((await run({ isError: true, terminate: true })).result).toMatchObject({
      isError: true,
      terminate: true,
    });
  });

  it('stops at an abort, between two reports too', async () => {
    const aborted = await run({ progress: ['a', 'b'], durationMs: 300 }, {}, 150);
    expect(aborted).toEqual({
      at: 150,
      updates: [{ at: 100, text: 'a' }],
      result: new Error('Operation aborted'),
    });
    expect((await run({}, {}, 0)).at).toBe(0);
  });

  it('runs to its end through an abort when it does not honour it', async () => {
    const { at, result } = await run({ honourAbort: false, result: 'done', durationMs: 300 }, {}, 150);
    expect(at).toBe(300);
    expect(result).toMatchObject({ content: [{ text: 'done' }] });
  });

  it('gives the nth call what is written for it, word for word, and later calls its usual result', async () => {
    const sleep = (): Promise<void> => Promise.resolve();
    const results = [
      { durationMs: 1, result: '{{x}}', details: { n: 1 }, terminate: true },
      {
        durationMs: 1,
        content: [{ type: 'image' as const, data: 'AA==', mimeType: 'image/png' }],
        isError: true,
      },
      { durationMs: 1, error: 'no {{x}}' },
    ];
    const tool = scriptedTool({ name: 'a', durationMs: 0, result: 'usual {{x}}', results }, { sleep });
    const call = () => tool.execute('id', { x: 1 }).catch((error: unknown) => (error as Error).message);
    expect([await call(), await call(), await call(), await call()]).toEqual([
      { content: [{ type: 'text', text: '{{x}}' }], details: { n: 1 }, terminate: true },
      { content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }], isError: true },
      'no {{x}}',
      { content: [{ type: 'text', text: 'usual 1' }] },
    ]);
  });

  it('gives partial results at their times, as more text or anew', async () => {
    const updates = [
      { atMs: 10, content: [{ type: 'text' as const, text: 'a' }] },
      { atMs: 30, append: 'b' },
      { atMs: 90, content: [{ type: 'text' as const, text: 'c' }] },
    ];
    const told = await run({ results: [{ durationMs: 120, updates, result: 'done' }] });
    expect(told.updates).toEqual([
      { at: 10, text: 'a' },
      { at: 30, text: 'ab' },
      { at: 90, text: 'c' },
    ]);
    expect(told.at).toBe(120);
  });

  it('lets an abort end a written result too, unless it does not honour it', async () => {
    const aborted = await run({ results: [{ durationMs: 300, result: 'done' }] }, {}, 150);
    expect(aborted).toMatchObject({ at: 150, result: new Error('Operation aborted') });
    const stubborn = { durationMs: 300, result: 'done', honourAbort: false };
    expect(await run({ results: [stubborn] }, {}, 150)).toMatchObject({
      at: 300,
      result: { content: [{ text: 'done' }] },
    });
  });

  it('hands on the execution mode', () => {
    const sleep = (): Promise<void> => Promise.resolve();
    const tool = scriptedTool({ name: 'a', durationMs: 0, mode: 'sequential' }, { sleep });
    expect(tool.executionMode).toBe('sequential');
  });
});

describe('takingTime', () => {
  const tool: AgentTool = {
    name: 'ls',
    label: 'List',
    description: 'ls',
    parameters: {},
    execute: () => Promise.resolve({ content: [{ type: 'text', text: 'a.txt' }] }),
  };

  it('lets virtual time pass before the tool works', async () => {
    const waits: number[] = [];
    const slow = takingTime(tool, 80, {
      sleep: (ms) => {
        waits.push(ms);
        return Promise.resolve();
      },
    });
    expect(await slow.execute('id', {})).toEqual({ content: [{ type: 'text', text: 'a.txt' }] });
    expect(waits).toEqual([80]);
    expect(slow).toMatchObject({ name: 'ls', label: 'List' });
  });

  it('takes the nth time of a list for the nth call, and none after it', async () => {
    const waits: number[] = [];
    const sleep = (ms: number): Promise<void> => {
      waits.push(ms);
      return Promise.resolve();
    };
    const slow = takingTime(tool, [5, 0, 7], { sleep });
    for (let call = 0; call < 4; call++) await slow.execute('id', {});
    expect(waits).toEqual([5, 7]);
  });

  it('does not begin the work after an abort', async () => {
    const slow = takingTime(tool, 80, { sleep: () => Promise.resolve() });
    await expect(slow.execute('id', {}, AbortSignal.abort())).rejects.toThrow('Operation aborted');
  });
});
