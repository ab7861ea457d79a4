import { describe, expect, test } from 'vitest';
import { waitingRequest } from '../trace/waiting-request';
import type { Page } from './page.testing';
import { call, consecutive, create, hour, page, playing, text, texts } from './wire.testing';

/** The step that the loop is held at, in a word. */
function heldAt(one: Page): string | undefined {
  const [step, pause] = one.records.slice(-2);
  if (pause?.type !== 'pause' || !pause.stepped) return undefined;
  return step?.type === 'step' ? step.step.type : step?.type;
}
const holds = (one: Page) => one.records.filter(({ type }) => type === 'pause').length;
/** Presses Step until the loop is held at such a step. */
async function stepTo(one: Page, wanted: string): Promise<void> {
  do {
    const before = holds(one);
    await one.send({ type: 'step', session: one.session });
    await one.until(() => holds(one) > before && heldAt(one) !== undefined);
  } while (heldAt(one) !== wanted);
}
/** A session that is held at its first request. */
async function atRequest(...given: Parameters<typeof create>): Promise<Page> {
  const one = page();
  await one.show(create(...given));
  await one.send({ type: 'speed', session: one.session, speed: Infinity });
  await stepTo(one, 'request');
  return one;
}
const statuses = (one: Page) => one.trace.runs.map(({ status }) => status);

describe('the command step', () => {
  test('begins a scenario and holds it at its first step; Play goes on from there', async () => {
    const one = page();
    await one.show(create());
    const { session } = one;
    await one.send({ type: 'speed', session, speed: Infinity });
    await one.send({ type: 'step', session });
    await one.until(() => heldAt(one) === 'inject');
    expect(one.clock).toMatchObject({ playing: false, ready: false });
    expect(one.trace).toMatchObject({ state: 'running', paused: true });
    await one.send({ type: 'play', session });
    await one.settled();
    expect(holds(one)).toBe(1);
    consecutive(one);
  });

  test('holds a run that plays', async () => {
    const one = page();
    await one.show(create({ tools: [{ name: 'dig', durationMs: hour }] }, [call('dig'), text('Done.')]));
    const { session } = one;
    await one.send({ type: 'play', session });
    await one.until(() => one.trace.calls.size === 1);
    await one.send({ type: 'step', session });
    expect(one.clock?.playing).toBe(true);
    // The tool takes an hour: pressed again, the rest of it comes at once.
    await one.send({ type: 'step', session });
    await one.until(() => heldAt(one) !== undefined);
    expect([...one.trace.calls.values()]).toMatchObject([{ status: 'ok' }]);
    expect(one.clock?.speed).toBe(1);
  });

  test('once more while an answer streams brings the rest of it, and no step is left out', async () => {
    const one = await atRequest({}, [{ blocks: [{ type: 'text', text: 'x'.repeat(60) }], gapMs: hour }]);
    const { session } = one;
    await one.send({ type: 'speed', session, speed: 1 });
    await one.send({ type: 'step', session });
    await one.send({ type: 'step', session });
    await one.until(() => heldAt(one) === 'poll');
    expect([...one.trace.messages.values()].at(-1)?.status).toBe('done');
    expect(one.records.at(-1)?.at).toBeGreaterThan(9 * hour);
  });

  test('holds where a run of a scenario ended, and goes on to the next over a moment that takes no time of the person', async () => {
    const one = page();
    await one.show(create({ prompts: ['one', 'two'] }));
    const { session } = one;
    await stepTo(one, 'settled');
    expect(one.trace).toMatchObject({ state: 'idle', paused: true });
    expect(one.clock).toMatchObject({ playing: false });
    expect(one.trace.runs).toHaveLength(1);
    await stepTo(one, 'inject');
    const [first, second] = one.trace.runs;
    expect((second?.at ?? 0) - (first?.endAt ?? 0)).toBe(2500);
    await one.send({ type: 'play', session });
    await one.send({ type: 'speed', session, speed: Infinity });
    await one.settled(2);
    consecutive(one);
  }, 20_000);

  test('held where a run ended it lets a person say something, and the scenario goes on behind it', async () => {
    const one = page();
    await one.show(create({ prompts: ['one', 'two'] }));
    const { session } = one;
    await stepTo(one, 'settled');
    await one.send({ type: 'speed', session, speed: Infinity });
    await one.send({ type: 'prompt', session, text: 'More.' });
    await one.send({ type: 'play', session });
    await one.settled(2);
    expect(one.trace.runs.length).toBeGreaterThan(1);
  }, 20_000);

  test('where nothing is to come does nothing, and holds no run that is typed later', async () => {
    const one = page();
    await playing(one);
    await one.settled();
    const { session } = one;
    await one.send({ type: 'step', session });
    await one.send({ type: 'prompt', session, text: 'More.' });
    await one.settled(2);
    expect(holds(one)).toBe(0);
  });

  test('is refused in real time', async () => {
    const one = page();
    const endpoint = { baseUrl: 'http://model.test/v1', model: 'm', api: 'openai-chat' as const };
    await one.show({ type: 'create', setup: { kind: 'live', endpoint, tools: [] } });
    await expect(one.send({ type: 'step', session: one.session })).rejects.toEqual({ code: 'clock.real' });
  });

  test('leaves no note in the trace, and the pause of a person stays one', async () => {
    const one = await atRequest();
    const { session } = one;
    const pauses = () => one.trace.notes.filter(({ note }) => note.type === 'pause');
    expect(pauses()).toEqual([]);
    const before = holds(one);
    await one.send({ type: 'speed', session, speed: 0.01 });
    await one.send({ type: 'play', session });
    await one.send({ type: 'pause', session });
    await one.until(() => holds(one) > before);
    expect(heldAt(one)).toBeUndefined();
    await one.send({ type: 'speed', session, speed: Infinity });
    await stepTo(one, 'decide');
    expect(pauses()).toMatchObject([{ note: { endSeq: expect.any(Number) as number } }]);
  });
});

describe('while the loop is held at a step', () => {
  test('what is steered lands at the next poll, and queues can be changed', async () => {
    const one = await atRequest({}, [text('One.'), text('Two.')]);
    const { session } = one;
    await one.send({ type: 'steer', session, text: 'Look here.' });
    await one.send({ type: 'followUp', session, text: 'And then?' });
    await one.send({ type: 'configure', session, followUpMode: 'all' });
    await one.until(() => one.trace.queues.followUp.length === 1);
    const [item] = one.trace.queues.followUp;
    await one.send({ type: 'removeQueued', session, item: item?.id ?? '' });
    expect(one.trace.paused).toBe(true);
    await stepTo(one, 'decide');
    expect(one.records.at(-2)).toMatchObject({ step: { loop: 'inner', go: true, values: { pending: 1 } } });
    await one.send({ type: 'play', session });
    await one.settled();
    expect(texts(one).map(([role]) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  });

  test('an abort ends the run, and what comes later is held no more', async () => {
    const one = await atRequest();
    const { session } = one;
    await one.send({ type: 'abort', session, run: one.trace.runs[0]?.id ?? '' });
    await one.settled();
    expect(statuses(one)).toEqual(['aborted']);
    await one.send({ type: 'prompt', session, text: 'Again.' });
    await one.settled(2);
    expect(statuses(one)).toEqual(['aborted', 'done']);
  });

  test('the session can be closed, and goes on when it is opened again', async () => {
    const one = await atRequest();
    const { session } = one;
    await one.close();
    const two = page();
    await two.show({ type: 'open', session });
    expect(two.trace).toMatchObject({ state: 'idle', paused: false });
    await two.send({ type: 'retry', session });
    await two.settled(2);
  });

  test('calls that run together are held at one step at a time, and begin together', async () => {
    const blocks = ['dig', 'look'].map((name) => ({ type: 'toolCall' as const, name, arguments: {} }));
    const tools = ['dig', 'look'].map((name) => ({ name, durationMs: 0, result: name }));
    const one = await atRequest({ tools }, [{ blocks }, text('Done.')]);
    const executed = () =>
      one.records.flatMap((record) =>
        record.type === 'step' && record.step.type === 'execute' ? [record.step.toolName] : [],
      );
    await stepTo(one, 'execute');
    expect(executed()).toEqual(['dig']);
    await stepTo(one, 'execute');
    expect(executed()).toEqual(['dig', 'look']);
    expect([...one.trace.calls.values()].every(({ status }) => status === 'running')).toBe(true);
    await stepTo(one, 'decide');
    expect([...one.trace.calls.values()].every(({ status }) => status === 'ok')).toBe(true);
  });
});

describe('a session whose model is the person', () => {
  test('is held at the request, takes the answer there, and is held at the step behind it', async () => {
    const one = page();
    await one.show({ type: 'create', setup: { kind: 'live', endpoint: 'manual', tools: [] } });
    const { session } = one;
    const answer = (said: string) =>
      one.send({
        type: 'answerAsModel',
        session,
        message: waitingRequest(one.trace)?.message ?? '',
        answer: { blocks: [{ type: 'text', text: said }] },
      });
    await one.send({ type: 'prompt', session, text: 'Hello' });
    await one.until(() => waitingRequest(one.trace) !== undefined);
    await one.send({ type: 'followUp', session, text: 'And now?' });
    await one.send({ type: 'step', session });
    await answer('One.');
    await one.until(() => heldAt(one) === 'poll');
    await stepTo(one, 'request');
    await answer('Two.');
    await expect(answer('Twice.')).rejects.toEqual({ code: 'ask.over' });
    await one.until(() => heldAt(one) === 'poll');
    await one.send({ type: 'play', session });
    await one.settled();
    expect(texts(one).map(([role]) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  });
});
