import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecordBody, TraceRecord } from '../records/types';
import { fold } from '../trace/fold';
import { randomScenario } from '../worker/random-scenario.testing';
import { runScenario } from '../worker/run-scenario';
import { blobsOf, scenarioFromRecords } from './from-records';
import { parseScenario } from './schema';
import { loadShipped, shippedIds } from './shipped';
import type { Scenario, ScriptedTurn } from './types';

const samples = new URL('../../public/samples/', import.meta.url);
const loadSample = async (path: string) => new Uint8Array(await readFile(new URL(path, samples)));

async function played(scenario: Scenario) {
  const blobs = new Map<string, Uint8Array>();
  const onBlob = (hash: string, bytes: Uint8Array) => void blobs.set(hash, bytes);
  return { records: await runScenario(scenario, { onBlob, loadSample }), blobs };
}

function saved(records: TraceRecord[], blobs: Map<string, Uint8Array>): Scenario {
  expect(blobsOf(records).filter((hash) => !blobs.has(hash))).toEqual([]);
  return scenarioFromRecords(records, { blobs: (hash) => blobs.get(hash) });
}

/** Plays a scenario, and again what is saved of it. */
async function playedTwice(scenario: Scenario) {
  const { records, blobs } = await played(scenario);
  const again = saved(records, blobs);
  return { first: records, saved: again, again: await runScenario(again) };
}

/** Deltas of one block that follow each other come in one piece; `without` these fields. */
function seen(records: readonly TraceRecord[], ...without: string[]): Record<string, unknown>[] {
  const left = new Set(['seq', ...without]);
  const bare = JSON.stringify(records, (key, value: unknown) => (left.has(key) ? undefined : value));
  const rows: Record<string, unknown>[] = [];
  for (const record of JSON.parse(bare) as TraceRecord[]) {
    const last = rows.at(-1);
    const joins =
      record.type === 'message_update' &&
      record.delta !== undefined &&
      last?.['event'] === record.event &&
      last['message'] === record.message &&
      last['index'] === record.index;
    if (joins) {
      last['delta'] = `${String(last['delta'])}${record.delta}`;
      last['joined'] = Number(last['joined'] ?? 1) + (record.joined ?? 1);
    } else rows.push({ ...record });
  }
  return rows;
}

const isEvent = ({ type }: { type?: unknown }) => /^(agent|turn|message|tool_execution)_/.test(String(type));
const scenario = (turns: ScriptedTurn[], more: Partial<Scenario> = {}): Scenario => ({
  version: 1,
  title: 'Test',
  start: 'prompt',
  prompts: ['go'],
  model: { kind: 'scripted', turns },
  ...more,
});
const text = (value: string): ScriptedTurn => ({ blocks: [{ type: 'text', text: value }] });
const call = (name: string, args: Record<string, unknown> = {}): ScriptedTurn => ({
  blocks: [{ type: 'toolCall', name, arguments: args }],
});
const failing: ScriptedTurn = { blocks: [], stopReason: 'error', errorMessage: 'overloaded' };
const end = (nth: number) => ({ event: 'agent_end' as const, nth });

describe('a scenario that is saved from a session', () => {
  it('plays the same records again, with their times and ids, but for how deltas were joined', async () => {
    await fc.assert(
      fc.asyncProperty(randomScenario, async (random) => {
        const actions = random.actions?.map(({ afterMs: _, ...action }) => action) ?? [];
        const { first, again } = await playedTwice({ ...random, actions });
        expect(seen(again)).toEqual(seen(first));
      }),
      { numRuns: 300 },
    );
  }, 120_000);

  it('plays the same records, but for their times, when something was done while the loop waited', async () => {
    await fc.assert(
      fc.asyncProperty(randomScenario, async (random) => {
        const { first, again } = await playedTwice(random);
        const times = ['at', 'timestamp', 'durationMs'];
        expect(seen(again, ...times)).toEqual(seen(first, ...times));
      }),
      { numRuns: 300 },
    );
  }, 120_000);

  it.each(shippedIds)('plays the shipped %s the same way', async (id) => {
    const { first, saved: again } = await playedTwice(await loadShipped(id));
    const { records, blobs } = await played(again);
    expect(seen(records)).toEqual(seen(first));
    expect(saved(records, blobs)).toEqual(again);
  });

  it.each([
    ['an argument that names a prototype', { content: '__proto__' }],
    ['arguments too deep for a scenario', JSON.parse('{"a":'.repeat(45) + '1' + '}'.repeat(45)) as object],
  ])('keeps %s, of a call that came whole', async (_what, args) => {
    const rawArguments = JSON.stringify(args);
    const turn: ScriptedTurn = {
      blocks: [{ type: 'toolCall', name: 'quick', rawArguments }],
      noStart: true,
    };
    const { first, again } = await playedTwice(scenario([turn, text('Done.')]));
    expect(seen(again)).toEqual(seen(first));
    expect(JSON.stringify(again)).toContain(rawArguments);
  });

  it('plays an interrupted session to where it broke off, aborts there, and ends', async () => {
    await fc.assert(
      fc.asyncProperty(randomScenario, fc.double({ min: 0, max: 1, noNaN: true }), async (random, share) => {
        const { records, blobs } = await played(random);
        const from = records.findIndex(({ type }) => type === 'agent_start') + 1;
        const kept = records.slice(0, from + Math.floor((records.length - from) * share));
        const { seq, at } = kept.at(-1) ?? { seq: 0, at: 0 };
        const interrupted = [...kept, { seq: seq + 1, at, type: 'interrupted' as const }];
        const again = await runScenario(saved(interrupted, blobs));
        const happened = seen(kept, 'at', 'timestamp').filter(isEvent);
        const events = seen(again, 'at', 'timestamp').filter(isEvent);
        // What streamed last may have got more of its piece.
        expect(events.slice(0, happened.length - 1)).toEqual(happened.slice(0, -1));
        expect(fold(again).state).toBe('idle');
      }),
      { numRuns: 200 },
    );
  }, 120_000);

  it('is named after its first prompt, or as it is told', async () => {
    const { records } = await played(scenario([text('Hi.')], { prompts: ['  Look at this\nand that'] }));
    expect(scenarioFromRecords(records).title).toBe('Look at this');
    expect(scenarioFromRecords(records, { title: 'Mine' }).title).toBe('Mine');
  });

  it('says no more than it needs to', async () => {
    const plain = scenario([call('ls'), text('Done.')], {
      title: 'go',
      tools: ['ls', { name: 'price', durationMs: 0 }],
      toolDurations: { ls: 40 },
      files: { '/project/a.txt': 'a' },
    });
    expect((await playedTwice(plain)).saved).toEqual(plain);
  });

  it('writes a tool whose calls all gave the same as a plain one, and each result of any other', async () => {
    const tools = [
      { name: 'same', durationMs: 30, result: 'ok' },
      { name: 'other', durationMs: 10, result: 'got {{x}}' },
    ];
    const turns = [call('same'), call('same'), call('other', { x: 1 }), call('other', { x: 2 })];
    const again = (await playedTwice(scenario(turns, { tools }))).saved;
    expect(again.tools).toEqual([
      tools[0],
      {
        name: 'other',
        durationMs: 10,
        results: [
          { durationMs: 10, result: 'got 1' },
          { durationMs: 10, result: 'got 2' },
        ],
      },
    ]);
  });

  it('takes files and images from their blobs, and does without those that are gone', async () => {
    const long = 'x'.repeat(5000);
    const image = { type: 'image' as const, mimeType: 'image/png', data: btoa(long) };
    const turns = [call('see'), text('Nice.')];
    const tool = { name: 'see', durationMs: 0, results: [{ durationMs: 0, content: [image] }] };
    const { records, blobs } = await played(
      scenario(turns, {
        files: { '/a.txt': `\uFEFF${long}`, '/b': { base64: btoa(`\0${long}==`) } },
        tools: [tool],
      }),
    );
    const again = scenarioFromRecords(records, { blobs: (hash) => blobs.get(hash) });
    expect(again.files).toEqual({ '/a.txt': `\uFEFF${long}`, '/b': { base64: btoa(`\0${long}==`) } });
    expect(again.tools).toEqual([tool]);
    const bare = scenarioFromRecords(records);
    expect(bare.files).toBeUndefined();
    expect(JSON.stringify(bare.tools)).toContain('[missing image/png]');
  });

  it('keeps the history, and what was declared in it', async () => {
    const history = [
      { role: 'user', content: 'before', timestamp: 3 },
      { role: 'note', timestamp: 4, about: 'this' },
      {
        role: 'assistant',
        content: [{ type: 'thinking', thinking: 'hm', replay: { field: 'reasoning' } }],
        errorCode: 'model.cut',
        errorParams: { n: 1 },
      },
      { role: 'user', content: [{ type: 'text', text: 'after' }], timestamp: 5 },
    ];
    const whole = parseScenario({
      ...scenario([text('Yes.')], { systemPrompt: 'Be kind.', tools: ['ls'], start: 'continue' }),
      prompts: undefined,
      history,
    });
    const { first, saved: again, again: second } = await playedTwice(whole);
    expect(again).toMatchObject({ start: 'continue', history: whole.history, systemPrompt: 'Be kind.' });
    expect(seen(second)).toEqual(seen(first));
  });

  it('goes on where the person went on, and retries where the person retried', async () => {
    const {
      first,
      saved: again,
      again: second,
    } = await playedTwice(
      scenario([failing, text('Now.'), text('More.')], {
        actions: [
          { on: end(1), do: 'retry' },
          { on: end(2), do: 'steer', text: 'and?' },
          { on: end(2), do: 'continue' },
        ],
      }),
    );
    expect(first.flatMap((record) => (record.type === 'agent_start' ? record.how : []))).toEqual([
      'prompt',
      'request',
      'steering',
    ]);
    expect(again.actions?.map((action) => action.do)).toEqual(['retry', 'steer', 'continue']);
    expect(seen(second)).toEqual(seen(first));
  });

  it('does again in the same ms what was done behind a question, or before a tool reported', async () => {
    const asked = scenario([call('quick')], {
      tools: [{ name: 'quick', durationMs: 0 }],
      rules: [{ id: 'r', rule: 'ask' }],
      actions: [{ on: { event: 'tool_execution_start', nth: 1 }, afterMs: 0, do: 'abort' }],
    });
    const calls: ScriptedTurn = {
      blocks: ['quick', 'slow'].map((name) => ({ type: 'toolCall', name, arguments: {} })),
      firstTokenMs: 0,
      noStart: true,
    };
    const reported = scenario([calls], {
      tools: [
        { name: 'quick', durationMs: 0 },
        { name: 'slow', durationMs: 120, progress: ['one', 'two'] },
      ],
      actions: [{ on: { event: 'agent_start', nth: 1 }, afterMs: 40, do: 'steer', text: 'and?' }],
    });
    for (const one of [asked, reported]) {
      const { first, again } = await playedTwice(one);
      expect(seen(again)).toEqual(seen(first));
    }
  });

  it('is refused with a sentence when nothing was ever asked', () => {
    const config: RecordBody = { type: 'config', set: { tools: [] } };
    expect(() => parseScenario(scenarioFromRecords([{ seq: 1, at: 0, ...config }]))).toThrow(
      'scenario.noPrompt',
    );
  });
});
