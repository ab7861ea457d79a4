import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Agent } from '../loop';
import type { AgentOptions } from '../loop';
import type { AgentMessage, AgentTool, ToolResult } from '../loop/types';
import { scriptedModel, scriptedModelInfo } from '../models';
import type { PlayedTurn } from '../models';
import type { TraceRecord } from '../records';
import { parseRecords } from '../records';
import { fold } from '../trace/fold';
import { messageOf, transcriptMessages } from '../trace/messages';
import { BlobWriter } from './blob-writer';
import { bareUrl } from './bodies';
import { RecordWriter } from './record-writer';
import { Recorder } from './recorder';
import { RequestLog } from './request-log';
import { VirtualClock } from './virtual-clock';

/** An Agent that is recorded, with any tool. */
function recorded(turns: PlayedTurn[], tools: AgentTool[] = [], hooks: Partial<AgentOptions> = {}) {
  const clock = new VirtualClock({ speed: Infinity });
  const records: TraceRecord[] = [];
  const blobs = new Map<string, Uint8Array>();
  const failures: unknown[] = [];
  const recorder = new Recorder({
    writer: new RecordWriter({ clock, sink: (record) => records.push(record) }),
    blobs: new BlobWriter((hash, bytes) => blobs.set(hash, bytes)),
    onFailure: (error) => failures.push(error),
  });
  let requests = 0;
  let id = 0;
  const agent = new Agent({
    initialState: { model: scriptedModelInfo, tools },
    streamFn: scriptedModel({ turns, next: () => requests++, sleep: clock.sleep, now: clock.now }),
    onStep: (step) => recorder.step(step),
    onQueueChange: (...change) => recorder.queueChange(...change),
    now: clock.now,
    setTimer: clock.setTimer,
    newId: () => `id${++id}`,
    ...hooks,
  });
  agent.subscribe((event) => recorder.event(event));
  const prompt = async (input: string | AgentMessage = 'go') => {
    await agent.prompt(input);
    return JSON.parse(JSON.stringify(records)) as TraceRecord[];
  };
  return { agent, recorder, records, blobs, failures, prompt };
}
const tool = (name: string, execute: AgentTool['execute']): AgentTool => ({
  name,
  label: name,
  description: name,
  parameters: { type: 'object' },
  execute,
});
const call = (name: string): PlayedTurn => ({ blocks: [{ type: 'toolCall', name, arguments: {} }] });
const body = (records: TraceRecord[], role: string) =>
  records.flatMap((record) =>
    record.type === 'message_end' && record.body.role === role ? [record.body] : [],
  );

describe('a text', () => {
  test('travels once: the end of a message that streamed only says so', async () => {
    const { prompt } = recorded([
      {
        blocks: [
          { type: 'thinking', thinking: 'Hm, hm, hm.' },
          { type: 'text', text: 'Only once.' },
          { type: 'toolCall', name: 'none', rawArguments: '{ "spaced" : [1, 2] }' },
          { type: 'toolCall', name: 'none', rawArguments: '{"repaired": [1]' },
          { type: 'toolCall', name: 'none', rawArguments: '{"cut":' },
        ],
      },
    ]);
    const records = await prompt();
    expect(body(records, 'assistant')[0]).toMatchObject({
      content: [
        { type: 'thinking', streamed: true },
        { type: 'text', streamed: true },
        { type: 'toolCall', streamed: true },
        { type: 'toolCall', streamed: true, argumentsRepaired: true },
        { type: 'toolCall', arguments: {}, argumentsError: expect.any(String) as string },
      ],
    });
    const deltas = records.flatMap((record) =>
      record.type === 'message_update' ? [record.delta ?? ''] : [],
    );
    expect(deltas.join('')).toContain('Only once.');
  });

  test('that came whole is in the end, and what the fold makes of it is the message', async () => {
    const { prompt, agent } = recorded([{ blocks: [{ type: 'text', text: 'Whole.' }], noStart: true }]);
    const records = await prompt();
    expect(body(records, 'assistant')[0]).toMatchObject({ content: [{ type: 'text', text: 'Whole.' }] });
    expect(transcriptMessages(fold(records))).toEqual(agent.state.messages);
  });

  test('of a result is in the end of its call and not again in its message', async () => {
    const { prompt, agent } = recorded(
      [call('t')],
      [tool('t', () => Promise.resolve({ content: [{ type: 'text', text: 'result' }], details: { a: 1 } }))],
    );
    const records = await prompt();
    expect(body(records, 'toolResult')[0]).not.toHaveProperty('content');
    expect(body(records, 'toolResult')[0]).not.toHaveProperty('details');
    // The leading system message is there before anything is recorded here.
    expect(transcriptMessages(fold(records))).toEqual(agent.state.messages.slice(1));
  });

  test('that a tool adds to is told as what was added; any other change is told whole', async () => {
    const partial = (text: string, details?: unknown): ToolResult => ({
      content: [{ type: 'text', text }],
      ...(details === undefined ? {} : { details }),
    });
    const { prompt } = recorded(
      [call('t')],
      [
        tool('t', (_id, _args, _signal, onUpdate) => {
          for (const step of [partial('a'), partial('ab'), partial('ab'), partial('xab'), partial('xabc', 1)])
            onUpdate?.(step);
          return Promise.resolve(partial('end'));
        }),
      ],
    );
    const updates = (await prompt()).flatMap((record) =>
      record.type === 'tool_execution_update' ? ['append' in record ? record.append : record.partial] : [],
    );
    expect(updates).toEqual([partial('a'), 'b', '', partial('xab'), partial('xabc', 1)]);
  });
});

describe('deltas', () => {
  test('of one block are joined in windows of 16 ms, and anything else ends a window', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ wait: fc.nat(20), index: fc.nat(1), other: fc.boolean() }), {
          minLength: 1,
          maxLength: 40,
        }),
        (steps) => {
          const clock = { at: 0, timers: [] as { due: number; callback: () => void }[] };
          const records: TraceRecord[] = [];
          const writer = new RecordWriter({
            clock: {
              now: () => clock.at,
              setTimer: (ms, callback) => {
                const timer = { due: clock.at + ms, callback };
                clock.timers.push(timer);
                return () => clock.timers.splice(clock.timers.indexOf(timer), 1);
              },
              sleep: () => Promise.resolve(),
            },
            sink: (record) => records.push(record),
          });
          for (const [n, { wait, index, other }] of steps.entries()) {
            clock.at += wait;
            for (const timer of clock.timers.filter(({ due }) => due <= clock.at)) timer.callback();
            if (other) writer.write({ type: 'resume' });
            writer.delta({ message: 'm', index, event: 'text_delta', delta: `${n};` });
          }
          writer.flush();
          const deltas = records.filter((record) => record.type === 'message_update');
          expect(deltas.map(({ delta }) => delta).join('')).toBe(steps.map((_, n) => `${n};`).join(''));
          expect(deltas.reduce((sum, { joined }) => sum + (joined ?? 1), 0)).toBe(steps.length);
          expect(records.map(({ seq }) => seq)).toEqual(records.map((_, n) => n + 1));
          for (const [n, { at }] of records.entries())
            expect(at).toBeGreaterThanOrEqual(records[n - 1]?.at ?? 0);
        },
      ),
    );
  });
});

describe('what cannot be cloned', () => {
  test('costs neither the event nor the run (W-05, D-09)', async () => {
    const details = { f() {}, err: new Error('x'), sig: new AbortController().signal, kept: 1 };
    const { prompt, failures } = recorded(
      [call('t')],
      [tool('t', () => Promise.resolve({ content: [{ type: 'text', text: 'ok' }], details }))],
    );
    const records = await prompt();
    structuredClone(records);
    expect(records.find(({ type }) => type === 'tool_execution_end')).toMatchObject({
      result: { details: { err: { name: 'Error', message: 'x' }, sig: '[AbortSignal]', kept: 1 } },
    });
    expect(records.at(-1)?.type).toBe('agent_end');
    expect(failures).toEqual([]);
  });

  test('and what throws when it is read is told as a failure, while the loop goes on', async () => {
    const { prompt, failures, recorder } = recorded([{ blocks: [{ type: 'text', text: 'Hello.' }] }]);
    const break_ = () => {
      throw new Error('broken');
    };
    recorder.ids.of = break_;
    const records = await prompt();
    expect(failures).toHaveLength(2);
    expect(records.filter(({ type }) => type === 'turn_end' || type === 'agent_end')).toEqual([]);
  });
});

describe('images', () => {
  const image = (bytes: number) => ({
    type: 'image' as const,
    mimeType: 'image/png',
    data: Buffer.from(new Uint8Array(bytes).fill(7)).toString('base64'),
  });

  test('of over 4 KB are blobs, stored once', async () => {
    const { prompt, blobs } = recorded([]);
    const records = await prompt({
      role: 'user',
      content: [{ type: 'text', text: 'Look' }, image(10), image(6000), image(6000)],
      timestamp: 0,
    });
    const [user] = body(records, 'user');
    expect(user).toMatchObject({
      content: [
        { type: 'text' },
        image(10),
        { blob: expect.any(String) as string },
        { mimeType: 'image/png' },
      ],
    });
    expect([...blobs.values()].map((bytes) => bytes.length)).toEqual([6000]);
    parseRecords(records);
  });

  test('whose base64 would not come back as it was stay in the record', () => {
    const kept = new BlobWriter(() => expect.unreachable());
    const odd = { ...image(0), data: `${'A'.repeat(5000)}\n` };
    expect(kept.content([odd])).toEqual([odd]);
  });
});

describe('a request', () => {
  test('is told as a change of the one before that gives exactly its messages', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    fc.assert(
      fc.property(fc.array(fc.array(id, { maxLength: 8 }), { maxLength: 6 }), (requests) => {
        const log = new RequestLog();
        let before: unknown[] = [];
        for (const messages of requests) {
          const { skip, keep, add } = log.next(messages);
          before = [...before.slice(skip, skip + keep), ...add];
          expect(before).toEqual(messages);
        }
      }),
    );
  });

  test('repeats nothing of a list that grows, or that loses its beginning', () => {
    const log = new RequestLog();
    const made = { role: 'user' as const, content: 'made', timestamp: 0 };
    expect(log.next(['a', made])).toEqual({ skip: 0, keep: 0, add: ['a', made] });
    expect(log.next(['a', { ...made }, 'b'])).toEqual({ skip: 0, keep: 2, add: ['b'] });
    expect(log.next([{ ...made }, 'b', 'c'])).toEqual({ skip: 1, keep: 2, add: ['c'] });
  });

  test('names no credentials of its address', () => {
    expect(bareUrl('https://user:secret@host/v1?key=secret#secret')).toBe('https://host/v1');
    expect(bareUrl('http://localhost:11434/v1')).toBe('http://localhost:11434/v1');
    expect(bareUrl('no address')).toBe('');
  });
});

test('arguments that run are told where a hook changed them', async () => {
  const { prompt, agent } = recorded([call('t')], [tool('t', () => Promise.resolve({ content: [] }))]);
  expect(agent.state.tools).toHaveLength(1);
  const records = await prompt();
  const executed = records.find((record) => record.type === 'step' && record.step.type === 'execute');
  expect(executed).toMatchObject({ step: { type: 'execute', toolName: 't' } });
  expect(executed && 'step' in executed && 'args' in executed.step).toBe(false);
  expect(messageOf(fold(records), 'none')).toBeUndefined();
});

test('a failure between two turns is nested in a turn of its own, which ends', async () => {
  const echo = tool('echo', () => Promise.resolve({ content: [{ type: 'text', text: 'echo' }] }));
  const { prompt } = recorded([call('echo')], [echo], {
    prepareNextTurn: () => Promise.reject(new Error('no next turn')),
  });
  const trace = fold(await prompt());
  const turns = [...trace.turns.values()];
  expect(turns.map(({ n, endAt }) => [n, endAt !== undefined])).toEqual([
    [1, true],
    [2, true],
  ]);
  const failure = [...trace.messages.values()].at(-1);
  expect(failure).toMatchObject({ origin: 'failure', turn: turns[1]?.id, status: 'error' });
});
