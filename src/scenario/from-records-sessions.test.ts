import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SessionSetup } from '../protocol';
import type { TraceRecord } from '../records/types';
import { fold } from '../trace/fold';
import { messageOf } from '../trace/messages';
import type { Trace } from '../trace/types';
import { Page } from '../worker/page.testing';
import { planOfScenario, type SessionPlan } from '../worker/plan';
import { randomScenario } from '../worker/random-scenario.testing';
import { restore } from '../worker/restore';
import { runScenario } from '../worker/run-scenario';
import { Session } from '../worker/session';
import { scenarioEpoch } from '../worker/session-parts';
import { scenarioFromRecords } from './from-records';
import type { Scenario, ScriptedTurn } from './types';

/** What each run added, without ids and times. */
function runTexts(trace: Trace, from = 0): unknown[] {
  return trace.runs.slice(from).map((run) =>
    run.messages.flatMap((id) => {
      const message = messageOf(trace, id);
      return message && 'content' in message ? [[message.role, message.content]] : [];
    }),
  );
}

describe('a session that was interrupted and went on', () => {
  /** Opens what is stored of a scenario's session after its tab went away, and plays the rest. */
  async function wentOn(scenario: Scenario, kept: TraceRecord[], blobs: Map<string, Uint8Array>) {
    const records = [...kept];
    const restored = await restore(kept, (hash) => Promise.resolve(blobs.get(hash)));
    const session = new Session({
      plan: { ...planOfScenario(scenario), ...(restored.trace.config as Pick<SessionPlan, 'tools'>) },
      createdAt: scenarioEpoch,
      keys: new Map(),
      sink: {
        record: (record) => void records.push(record),
        blob: (hash, bytes) => void blobs.set(hash, bytes),
      },
      onFailure: (error) => expect.unreachable(String(error)),
      restored,
      speed: Infinity,
    });
    session.play();
    await session.whenIdle();
    await session.close();
    return records;
  }

  it('plays its later runs with the same messages, steered at the same places', async () => {
    await fc.assert(
      fc.asyncProperty(
        randomScenario,
        fc.double({ min: 0, max: 1, noNaN: true }),
        async ({ rules: _, ...given }, share) => {
          // Rules count anew when a session is opened.
          const random = {
            ...given,
            actions: given.actions?.filter((action) => action.do !== 'rules') ?? [],
          };
          const blobs = new Map<string, Uint8Array>();
          const all = await runScenario(random, { onBlob: (hash, bytes) => void blobs.set(hash, bytes) });
          // Tabs go away while something is waited for.
          const waits = all.flatMap(({ at }, index) => (at > (all[index - 1]?.at ?? at) ? [index] : []));
          fc.pre(waits.length > 0);
          const kept = all.slice(0, waits[Math.floor(share * (waits.length - 1))]);
          // An abort in the middle of a batch takes up what waits, where an interruption leaves it.
          const {
            queues,
            runs: { length: before },
          } = fold(kept);
          fc.pre(queues.steering.length === 0);
          const records = await wentOn(random, kept, blobs);
          const again = await runScenario(scenarioFromRecords(records, { blobs: (hash) => blobs.get(hash) }));
          expect(runTexts(fold(again), before)).toEqual(runTexts(fold(records), before));
        },
      ),
      { numRuns: 200 },
    );
  }, 120_000);

  it('plays its later runs to their ends when it was aborted, and then its tab went away', async () => {
    const stubborn: Scenario = {
      version: 1,
      title: 'Test',
      start: 'prompt',
      prompts: ['go', 'more'],
      tools: [{ name: 'stubborn', durationMs: 5000, honourAbort: false }],
      model: {
        kind: 'scripted',
        turns: [{ blocks: [{ type: 'toolCall', name: 'stubborn', arguments: {} }] }],
      },
      actions: [{ on: { event: 'tool_execution_start', nth: 1 }, afterMs: 1, do: 'abort' }],
    };
    const all = await runScenario(stubborn);
    const kept = all.slice(0, all.findIndex(({ type }) => type === 'abort') + 1);
    const records = await wentOn(stubborn, kept, new Map());
    const again = await runScenario(scenarioFromRecords(records));
    expect(runTexts(fold(again), 1)).toEqual(runTexts(fold(records), 1));
    expect(again.filter(({ type }) => type === 'abort')).toHaveLength(1);
  });
});

describe('a session of a person', () => {
  let page: Page;
  beforeEach(() => {
    vi.stubGlobal('indexedDB', new IDBFactory());
    page = new Page();
  });
  afterEach(async () => {
    await page.close();
    vi.unstubAllGlobals();
  });

  const hour = 3_600_000;
  const call = (name: string, args: Record<string, unknown>): ScriptedTurn => ({
    blocks: [{ type: 'toolCall', name, arguments: args }],
  });
  /** Creates a session of these turns, and lets it begin. */
  async function play(turns: ScriptedTurn[], more: Partial<Scenario> = {}): Promise<void> {
    const model = { kind: 'scripted' as const, turns };
    const scenario: Scenario = {
      version: 1,
      title: 'Test',
      start: 'prompt',
      prompts: ['go'],
      model,
      ...more,
    };
    await page.show({ type: 'create', setup: { kind: 'scenario', scenario } });
    await page.send({ type: 'play', session: page.session });
  }
  const run = () => page.trace.runs.at(-1)?.id ?? '';
  const until = (type: TraceRecord['type']) =>
    page.until(() => page.records.some((record) => record.type === type));
  async function again(): Promise<Trace> {
    const scenario = scenarioFromRecords(page.records);
    return fold(await runScenario(scenario));
  }

  it('that was aborted while a tool ran is aborted while it runs', async () => {
    await play([call('slow', {})], { tools: [{ name: 'slow', durationMs: hour }] });
    await until('tool_execution_start');
    await new Promise((resolve) => setTimeout(resolve, 20));
    await page.send({ type: 'abort', session: page.session, run: run() });
    await page.settled();
    const trace = await again();
    expect(runTexts(trace)).toEqual(runTexts(page.trace));
    expect([...trace.calls.values()].map(({ executeAt }) => executeAt)).toEqual([expect.any(Number)]);
  });

  it('that was aborted before the first token is aborted there', async () => {
    await play([{ blocks: [{ type: 'text', text: 'never' }], firstTokenMs: hour }]);
    await until('request');
    await page.send({ type: 'abort', session: page.session, run: run() });
    await page.settled();
    const trace = await again();
    expect(runTexts(trace)).toEqual(runTexts(page.trace));
    expect(trace.messages.get(trace.transcript.at(-1) ?? '')?.status).toBe('aborted');
  });

  it('keeps the files that the person changed on the way', async () => {
    await play([call('read', { path: 'a.txt' })], { tools: ['read'], files: { 'a.txt': 'one', b: 'two' } });
    await page.settled();
    const { session } = page;
    await page.send({ type: 'writeFile', session, path: 'a.txt', content: 'changed', replace: true });
    await page.send({ type: 'deleteFile', session, path: 'b' });
    await page.send({ type: 'prompt', session, text: 'read a.txt' });
    await page.settled(2);
    const trace = await again();
    expect(JSON.stringify(runTexts(trace, 1))).toContain('changed');
    expect(runTexts(trace)).toEqual(runTexts(page.trace));
    expect([...trace.files.keys()]).toEqual(['/project/a.txt']);
  });

  it('gives what came from outside again, and what the person refused to fetch', async () => {
    let fetched = 0;
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(`answer ${++fetched}`)));
    const [one, two] = ['http://localhost:1/a', 'http://localhost:1/b'];
    await play([call('fetch', { url: one }), call('fetch', { url: two }), call('fetch', { url: one })], {
      tools: ['fetch'],
    });
    for (const [index, allow] of [true, false, true].entries()) {
      await page.until(() => page.trace.asks.size > index);
      const ask = [...page.trace.asks.keys()][index] ?? '';
      await page.send({ type: 'permission', session: page.session, ask, allow });
    }
    await page.settled();
    expect(fetched).toBe(2);
    expect(runTexts(await again())).toEqual(runTexts(page.trace));
    expect(fetched).toBe(2);
  });

  it('with a real model plays the same messages, with steering where it came', async () => {
    const sse = (pieces: object[], last: object) => {
      const chunks = [...pieces.map((delta) => ({ choices: [{ index: 0, delta }] })), { choices: [last] }];
      const lines = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).values();
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          await new Promise((resolve) => setTimeout(resolve, 8));
          const { done, value } = lines.next();
          if (done) controller.close();
          else controller.enqueue(new TextEncoder().encode(value));
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    };
    const args = JSON.stringify({ path: 'a.txt', content: 'hello' });
    const words = ['I write', ' it', ' now', ', as you', ' asked', ' me', ' to do', ', at', ' once', '.'];
    const answers = [
      () =>
        sse(
          [
            { reasoning_content: 'Let me think.' },
            ...words.map((content) => ({ content })),
            {
              tool_calls: [{ index: 0, id: 'abc', function: { name: 'write', arguments: args.slice(0, 9) } }],
            },
            { tool_calls: [{ index: 0, function: { arguments: args.slice(9) } }] },
          ],
          { index: 0, delta: {}, finish_reason: 'tool_calls' },
        ),
      () => sse([{ content: 'Done' }, { content: '.' }], { index: 0, delta: {}, finish_reason: 'stop' }),
    ];
    vi.stubGlobal('fetch', () => Promise.resolve(answers.shift()?.()));
    const endpoint = { baseUrl: 'http://localhost:1/v1', model: 'm', api: 'openai-chat' as const };
    const setup: SessionSetup = { kind: 'live', endpoint, systemPrompt: 'Be kind.', thinkingLevel: 'low' };
    await page.show({ type: 'create', setup });
    await page.send({ type: 'prompt', session: page.session, text: 'Write a.txt' });
    await page.until(() => JSON.stringify(page.records).includes(', as you'));
    await page.send({ type: 'steer', session: page.session, text: 'Hurry.' });
    await page.settled();
    const scenario = scenarioFromRecords(page.records);
    const trace = fold(await runScenario(scenario));
    const withoutReplay = (texts: unknown) =>
      JSON.parse(
        JSON.stringify(texts, (key, value: unknown) => (key === 'replay' ? undefined : value)),
      ) as unknown;
    expect(runTexts(trace)).toEqual(withoutReplay(runTexts(page.trace)));
    expect(scenario.actions).toMatchObject([
      { on: { event: 'message_update' }, do: 'steer', text: 'Hurry.' },
    ]);
    const [turn] = scenario.model.kind === 'scripted' ? scenario.model.turns : [];
    expect(turn?.gapMs).toBeGreaterThan(1);
    expect(turn?.gapMs).toBeLessThan(1_000);
  });
});
