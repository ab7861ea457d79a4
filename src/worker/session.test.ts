import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TraceRecord } from '../records';
import { parseRecords } from '../records';
import { fold } from '../trace/fold';
import { transcriptMessages } from '../trace/messages';
import { planOfScenario, planOfStored } from './plan';
import { Positions } from './positions';
import { randomScenario } from './random-scenario.testing';
import { restore } from './restore';
import { Session } from './session';
import type { SessionOptions } from './session';

interface Made {
  session: Session;
  records: TraceRecord[];
  blobs: Map<string, Uint8Array>;
}

function make(options: Pick<SessionOptions, 'plan'> & Partial<SessionOptions>): Made {
  const records: TraceRecord[] = [];
  const blobs = new Map<string, Uint8Array>();
  const session = new Session({
    createdAt: 0,
    keys: new Map(),
    sink: { record: (record) => records.push(record), blob: (hash, bytes) => blobs.set(hash, bytes) },
    onFailure: (error) => {
      throw error;
    },
    speed: Infinity,
    ...options,
  });
  const clock = session.parts.virtual;
  if (clock)
    clock.onStall = () => {
      session.asks.refuseAll();
      return !session.isIdle;
    };
  return { session, records, blobs };
}
const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

test("the transcript of the records is the Agent's, and positions can be counted again from the records", async () => {
  await fc.assert(
    fc.asyncProperty(randomScenario, async (scenario) => {
      const { session, records } = make({ plan: planOfScenario(scenario), files: { 'a.txt': 'hello' } });
      session.play();
      await session.whenIdle();
      await session.close();
      const trace = fold(records);
      expect(plain(transcriptMessages(trace))).toEqual(plain(session.parts.agent.state.messages));
      const again = Positions.after(records);
      expect(again.last).toEqual(session.positions.last);
      for (const [queue, items] of Object.entries(trace.queues))
        expect(items.map(({ id }) => id)).toEqual(
          session.parts.agent.queued(queue as 'steering' | 'followUp').map(({ id }) => id),
        );
    }),
    { numRuns: 100 },
  );
});

test('a session can be taken up wherever its records end, and what is recorded then follows them', async () => {
  await fc.assert(
    fc.asyncProperty(randomScenario, fc.double({ min: 0, max: 1, noNaN: true }), async (scenario, cut) => {
      const first = make({ plan: planOfScenario(scenario), files: { 'a.txt': 'x'.repeat(6000) } });
      const begun = first.records.length;
      first.session.play();
      await first.session.whenIdle();
      await first.session.close();
      const kept = first.records.slice(0, begun + Math.floor(cut * (first.records.length - begun)));
      const restored = await restore(kept, (hash) => Promise.resolve(first.blobs.get(hash)));
      const info = {
        id: 's',
        title: '',
        createdAt: 0,
        updatedAt: 0,
        seq: 0,
        at: 0,
        state: 'idle' as const,
        scenario,
      };
      const second = make({ plan: planOfStored(info, restored.trace.config, kept), restored });
      const agree = () => {
        const trace = fold([...kept, ...second.records]);
        expect(plain(transcriptMessages(trace))).toEqual(plain(second.session.parts.agent.state.messages));
        expect(trace.state).toBe('idle');
      };
      agree();
      if (typeof second.session.parts.agent.continueKind() === 'string') second.session.continue();
      else second.session.play();
      await second.session.whenIdle();
      await second.session.close();
      agree();
      const all = plain([...kept, ...second.records]) as TraceRecord[];
      expect(parseRecords(all)).toHaveLength(all.length);
      const started = all.flatMap((record) => (record.type === 'message_start' ? [record.message] : []));
      expect(new Set(started).size).toBe(started.length);
    }),
    { numRuns: 150 },
  );
});

test('closing aborts what runs, and nothing is recorded after it', async () => {
  const plan = planOfScenario({
    version: 1,
    title: 'Test',
    start: 'prompt',
    prompts: ['go', 'more'],
    tools: [{ name: 'stubborn', durationMs: 1e6, honourAbort: false }],
    model: { kind: 'scripted', turns: [{ blocks: [{ type: 'toolCall', name: 'stubborn', arguments: {} }] }] },
  });
  const { session, records } = make({ plan, speed: 1000 });
  session.play();
  while (session.trace.calls.size === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  await session.close();
  expect(fold(records).runs).toMatchObject([{ status: 'aborted', settled: true }]);
  const { length } = records;
  session.parts.agent.steer({ role: 'user', content: 'late', timestamp: 0 });
  expect(records).toHaveLength(length);
});

test('a typed run that is paused and resumed brings no prompt of the scenario with it; Play afterwards does', async () => {
  const plan = planOfScenario({
    version: 1,
    title: 'Test',
    start: 'prompt',
    prompts: ['of the scenario'],
    tools: [{ name: 'dig', durationMs: 1000 }],
    model: {
      kind: 'scripted',
      turns: [
        { blocks: [{ type: 'toolCall', name: 'dig', arguments: {} }] },
        { blocks: [{ type: 'text', text: 'One.' }] },
        { blocks: [{ type: 'text', text: 'Two.' }] },
      ],
    },
  });
  const { session, records } = make({ plan });
  session.prompt('typed');
  session.pause();
  session.play();
  await session.whenIdle();
  expect(fold(records).runs).toHaveLength(1);
  expect(session.clock.ready).toBe(true);
  session.play();
  await session.whenIdle();
  expect(fold(records).runs).toHaveLength(2);
  await session.close();
});
