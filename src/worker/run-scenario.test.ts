import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRecords } from '../records';
import type { TraceRecord } from '../records';
import { loadShipped, shippedIds } from '../scenario/shipped';
import type { Scenario } from '../scenario/types';
import { fold } from '../trace/fold';
import { transcriptMessages } from '../trace/messages';
import { randomScenario } from './random-scenario.testing';
import { runScenario } from './run-scenario';

const samples = new URL('../../public/samples/', import.meta.url);
const loadSample = async (path: string) => new Uint8Array(await readFile(new URL(path, samples)));
const scenario = (more: Partial<Scenario>): Scenario => ({
  version: 1,
  title: 'Test',
  start: 'prompt',
  prompts: ['go'],
  model: { kind: 'scripted', turns: [] },
  ...more,
});
const lines = (records: TraceRecord[]) => records.map((record) => JSON.stringify(record));

describe('a scenario', () => {
  test.each(shippedIds)('%s plays to its end, and its records are valid', async (id) => {
    const records = await runScenario(await loadShipped(id), { loadSample });
    expect(parseRecords(JSON.parse(JSON.stringify(records)) as unknown[])).toEqual(records);
    const trace = fold(records);
    expect(trace.state).toBe('idle');
    expect(trace.runs.every(({ settled }) => settled)).toBe(true);
    expect(trace.runs.at(-1)?.status).toBe('done');
  });

  test.each(['bug-hunt', 'csv-question'])(
    '%s works with real tools, and gives the same records all the same',
    async (id) => {
      const scenario = await loadShipped(id);
      const first = await runScenario(scenario, { loadSample });
      expect(lines(await runScenario(scenario, { loadSample, speed: 20_000 }))).toEqual(lines(first));
      const { calls } = fold(first);
      const nested = [...calls.values()].filter(({ parent }) => parent !== undefined);
      expect(nested.map(({ toolName }) => toolName)).toEqual(id === 'csv-question' ? ['read'] : []);
    },
  );

  describe('with a shell and code that look at the clock and draw random numbers', () => {
    const command = 'date -u +%FT%T; sleep 20; date -u +%T; echo $RANDOM; echo x > a.txt; ls -l a.txt';
    const code = `
      const at = () => [new Date().toISOString(), Math.random()].join();
      const first = at();
      const nested = await tools.bash({ command: 'date -u +%T' });
      [first, nested.trim(), at().slice(0, 24)].join(' ')`;
    const looks = (waitMs = 0) =>
      scenario({
        tools: ['bash', 'js', 'wait'],
        model: {
          kind: 'scripted',
          turns: [
            { blocks: [{ type: 'toolCall', name: 'wait', arguments: { ms: waitMs } }] },
            { blocks: [{ type: 'toolCall', name: 'bash', arguments: { command } }] },
            { blocks: [{ type: 'toolCall', name: 'js', arguments: { code } }] },
          ],
        },
      });
    const results = (records: TraceRecord[]) => {
      const trace = fold(records);
      return transcriptMessages(trace).flatMap((message) =>
        'toolName' in message && message.toolName !== 'wait'
          ? message.content.map((block) => (block.type === 'text' ? block.text : ''))
          : [],
      );
    };

    test('gives the same records, which tell virtual time', async () => {
      const before = Date.now();
      const first = await runScenario(looks());
      const [shell = '', js = ''] = results(first);
      expect(shell).toMatch(/^2026-01-01T00:00:0\d\n00:00:2\d\n\d+\n.* Jan +1 .*00:00 a\.txt\n/);
      expect(js).toMatch(/^"(2026-01-01T00:00:0\d\.\d{3}Z),[.\d]+ 00:00:0\d \1"/);
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(lines(await runScenario(looks()))).toEqual(lines(first));
      expect(Date.now()).toBeGreaterThan(before);
    });

    test('gives the same records also while another plays, and each tells its own time', async () => {
      const first = await runScenario(looks());
      const [same, later] = await Promise.all([runScenario(looks()), runScenario(looks(60_000))]);
      expect(lines(same)).toEqual(lines(first));
      expect(results(later)[0]).toMatch(/^2026-01-01T00:01:0/);
    });

    test('ends a shell that never ends all the same', async () => {
      const forever = { command: 'while true; do :; done', timeout: 0.2 };
      const records = await runScenario(
        scenario({
          tools: ['bash'],
          model: {
            kind: 'scripted',
            turns: [{ blocks: [{ type: 'toolCall', name: 'bash', arguments: forever }] }],
          },
        }),
      );
      expect(results(records)).toEqual([
        '[Stopped: the command ran longer than 0.2 seconds. What it had changed in files was dropped.]',
      ]);
    });
  });

  test('gives the same records byte for byte, at any speed', async () => {
    await fc.assert(
      fc.asyncProperty(randomScenario, fc.constantFrom(20_000, 100_000, Infinity), async (random, speed) => {
        const first = await runScenario(random);
        const again = await runScenario(structuredClone(random), { speed });
        expect(lines(again)).toEqual(lines(first));
        parseRecords(JSON.parse(JSON.stringify(first)) as unknown[]);
      }),
      { numRuns: 150 },
    );
  });

  test('begins a Continue with what is queued, also when the prompt was changed meanwhile', async () => {
    const records = await runScenario(
      scenario({
        systemPrompt: 'Old.',
        actions: [
          { on: { event: 'agent_end', nth: 1 }, do: 'followUp', text: 'and now?' },
          { on: { event: 'agent_end', nth: 1 }, do: 'set', systemPrompt: 'New.' },
          { on: { event: 'agent_end', nth: 1 }, do: 'continue' },
        ],
      }),
    );
    const trace = fold(records);
    expect(trace.runs.map(({ how }) => how)).toEqual(['prompt', 'followUp']);
    expect(trace.runs[1]?.messages.map((id) => trace.messages.get(id)?.origin)).toEqual([
      'tools',
      'followUp',
      'model',
    ]);
    expect(JSON.stringify(records)).toContain('New.');
  });

  test('every run of it has one end, is settled, and answers each call of a finished batch once, in order', async () => {
    await fc.assert(
      fc.asyncProperty(randomScenario, async (random) => {
        const trace = fold(await runScenario(random));
        expect(trace.state).toBe('idle');
        for (const run of trace.runs) expect([run.settled, run.endAt !== undefined]).toEqual([true, true]);
        for (const message of trace.messages.values()) {
          if (message.dropped) continue;
          const results = message.calls.map((call) => trace.calls.get(call)?.resultMessage);
          const order = results.map((id) => trace.transcript.indexOf(id ?? ''));
          expect(order).toEqual([...order].sort((a, b) => a - b));
          expect(order).not.toContain(-1);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('acts at its places in the order of the loop, and says in the records where that was', async () => {
    const records = await runScenario(
      scenario({
        tools: [{ name: 'slow', durationMs: 100 }],
        model: {
          kind: 'scripted',
          turns: [
            { blocks: [{ type: 'toolCall', name: 'slow', arguments: {} }] },
            { blocks: [{ type: 'text', text: 'Done.' }] },
          ],
        },
        actions: [
          { on: { event: 'tool_execution_end', nth: 1, tool: 'slow' }, do: 'steer', text: 'hurry' },
          {
            on: { event: 'tool_execution_end', nth: 1, tool: 'slow' },
            do: 'move',
            queue: 'steering',
            item: 1,
            to: 'followUp',
          },
        ],
      }),
    );
    const ended = records.findIndex(({ type }) => type === 'tool_execution_end');
    expect(records.slice(ended + 1, ended + 4)).toMatchObject([
      { type: 'queue', why: 'enqueue', on: { event: 'tool_execution_end', nth: 1 } },
      { type: 'queue', queue: 'steering', why: 'move' },
      { type: 'queue', queue: 'followUp', why: 'move' },
    ]);
    expect(records.at(-2)).toMatchObject({ type: 'agent_end' });
    expect(fold(records).queues).toEqual({ steering: [], followUp: [] });
  });

  test('whose question nobody answers is refused, so that it ends', async () => {
    const records = await runScenario(
      scenario({
        tools: [{ name: 'slow', durationMs: 100 }],
        rules: [{ id: 'r', rule: 'ask', text: 'Really?' }],
        model: { kind: 'scripted', turns: [{ blocks: [{ type: 'toolCall', name: 'slow', arguments: {} }] }] },
      }),
    );
    expect(records.filter(({ type }) => type === 'permission')).toMatchObject([
      { state: 'asked', subject: { toolName: 'slow', text: 'Really?' }, call: expect.any(String) as string },
      { state: 'denied', by: 'scenario' },
    ]);
  });

  test('answers a question that comes after its action', async () => {
    const records = await runScenario(
      scenario({
        tools: [{ name: 'slow', durationMs: 100, result: 'ran' }],
        rules: [{ id: 'r', rule: 'ask' }],
        model: { kind: 'scripted', turns: [{ blocks: [{ type: 'toolCall', name: 'slow', arguments: {} }] }] },
        actions: [{ on: { event: 'tool_execution_start', nth: 1 }, do: 'permission', allow: true }],
      }),
    );
    expect(records.find(({ type }) => type === 'tool_execution_end')).toMatchObject({ isError: false });
  });

  test('of real tools takes the time that it says, and tells whose the file changes are', async () => {
    const records = await runScenario(
      scenario({
        tools: ['write', 'read'],
        toolDurations: { write: 70 },
        model: {
          kind: 'scripted',
          turns: [
            {
              blocks: [
                { type: 'toolCall', name: 'write', arguments: { path: 'a.txt', content: 'one' } },
                { type: 'toolCall', name: 'write', arguments: { path: 'b.txt', content: 'y'.repeat(5000) } },
              ],
            },
          ],
        },
      }),
    );
    const calls = records.flatMap((record) => (record.type === 'tool_execution_start' ? [record.call] : []));
    const changes = records.filter(({ type }) => type === 'file_change');
    expect(changes).toMatchObject([
      { by: 'tool', call: calls[0], after: { text: 'one' } },
      { by: 'tool', call: calls[1], after: { bytes: 5000, binary: false } },
    ]);
    const [start, end] = ['tool_execution_start', 'tool_execution_end'].map((type) =>
      records.find((record) => record.type === type),
    );
    expect((end?.at ?? 0) - (start?.at ?? 0)).toBe(70);
  });

  test('with a model of the person is refused without an endpoint', async () => {
    await expect(runScenario(scenario({ model: { kind: 'live' } }))).rejects.toMatchObject({
      problem: { code: 'scenario.needsEndpoint' },
    });
  });
});
