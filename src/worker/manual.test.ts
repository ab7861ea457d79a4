import { describe, expect, test } from 'vitest';
import type { ManualAnswer } from '../protocol';
import type { TraceRecord } from '../records/types';
import { scenarioFromRecords } from '../scenario/from-records';
import { transcriptMessages } from '../trace/messages';
import { waitingRequest } from '../trace/waiting-request';
import type { Page } from './page.testing';
import { runScenario } from './run-scenario';
import { call, create, page } from './wire.testing';

const says = (text: string): ManualAnswer => ({ blocks: [{ type: 'text', text }] });
const contents = (one: Page) =>
  transcriptMessages(one.trace).map((message) => [message.role, 'content' in message ? message.content : '']);
const waiting = (one: Page) => waitingRequest(one.trace);

async function manual(one: Page, tools: string[] = []): Promise<string> {
  await one.show({
    type: 'create',
    setup: { kind: 'live', endpoint: 'manual', systemPrompt: 'Be kind.', tools },
  });
  return one.session;
}
/** The message that the nth request asks for, once it waits. */
async function asked(one: Page, nth: number): Promise<string> {
  await one.until(() => one.trace.requests.length === nth && waiting(one) !== undefined);
  return waiting(one)?.message ?? '';
}
async function answer(one: Page, nth: number, given: ManualAnswer): Promise<void> {
  await one.send({
    type: 'answerAsModel',
    session: one.session,
    message: await asked(one, nth),
    answer: given,
  });
}

describe('a session whose model is the person', () => {
  test('waits for each answer, in time that stands still', async () => {
    const one = page();
    const session = await manual(one);
    expect(one.clock).toMatchObject({ virtual: true, ready: false });
    await one.send({ type: 'prompt', session, text: 'Who are you?' });
    const message = await asked(one, 1);
    const { at } = waiting(one) ?? {};
    await one.until(() => one.clock?.still === true);
    expect(one.clock).toMatchObject({ playing: true, at });
    await new Promise((resolve) => setTimeout(resolve, 30));
    await one.send({ type: 'followUp', session, text: 'And now?' });
    await one.send({ type: 'answerAsModel', session, message, answer: says('A person.') });
    await answer(one, 2, says('Still one.'));
    await one.settled();
    expect(one.clock?.still).toBe(false);
    expect(contents(one)).toMatchObject([
      ['system', 'Be kind.'],
      ['user', 'Who are you?'],
      ['assistant', [{ text: 'A person.' }]],
      ['user', 'And now?'],
      ['assistant', [{ text: 'Still one.' }]],
    ]);
    expect(one.trace.messages.get(message)).toMatchObject({ at, model: { api: 'manual', id: 'manual' } });
    expect(waiting(one)).toBeUndefined();
  });

  test('refuses an answer that is none, that comes twice, or to a request that waits no more', async () => {
    const one = page();
    const session = await manual(one);
    const send = (message: string, given: unknown) =>
      one.send({ type: 'answerAsModel', session, message, answer: given as ManualAnswer });
    await one.send({ type: 'prompt', session, text: 'Hello' });
    const message = await asked(one, 1);
    await expect(send(message, { blocks: [{ type: 'text' }] })).rejects.toEqual({
      code: 'scenario.missing',
      params: { path: 'blocks[0].text', key: 'text' },
    });
    await expect(send(message, 'Hello')).rejects.toMatchObject({ code: 'scenario.notAnObject' });
    await expect(send('nothing', says('Hello'))).rejects.toEqual({ code: 'ask.over' });
    expect(waiting(one)?.message).toBe(message);
    await send(message, says('Hello'));
    await one.settled();
    await expect(send(message, says('Hello'))).rejects.toEqual({ code: 'ask.over' });
  });

  test('goes on with an answer though it was paused while it waited', async () => {
    const one = page();
    const session = await manual(one);
    await one.send({ type: 'prompt', session, text: 'Hello' });
    await asked(one, 1);
    await one.send({ type: 'pause', session });
    await answer(one, 1, says('Hi.'));
    await one.settled();
    expect(one.records.filter(({ type }) => type === 'pause' || type === 'resume')).toHaveLength(2);
  });

  test('is aborted while it waits, and waits anew when it is continued', async () => {
    const one = page();
    const session = await manual(one);
    await one.send({ type: 'prompt', session, text: 'Hello' });
    await asked(one, 1);
    await one.send({ type: 'abort', session, run: one.trace.runs[0]?.id ?? '' });
    await one.settled();
    expect(one.trace.runs[0]?.status).toBe('aborted');
    expect(waiting(one)).toBeUndefined();
    await one.send({ type: 'retry', session });
    await answer(one, 2, says('Hi.'));
    await one.settled(2);
    expect(contents(one).at(-1)).toMatchObject(['assistant', [{ text: 'Hi.' }]]);
  });

  test('closed while it waits is over, and opened again it is still the person who answers', async () => {
    const one = page();
    const session = await manual(one, ['write']);
    await one.send({ type: 'prompt', session, text: 'Hello' });
    await asked(one, 1);
    await one.close();
    const two = page();
    const opened = await two.show({ type: 'open', session });
    expect(opened.clock).toMatchObject({ virtual: true, playing: false });
    expect(two.trace).toMatchObject({
      state: 'idle',
      config: { model: { api: 'manual' }, tools: ['write'] },
    });
    expect(waiting(two)).toBeUndefined();
    await two.send({ type: 'retry', session });
    await answer(two, 2, call('write', { path: 'a.txt', content: 'hi' }));
    await answer(two, 3, says('Written.'));
    await two.settled(2);
    expect(two.trace.files.get('/project/a.txt')?.content).toEqual({ text: 'hi' });
  });

  test('answers from the next run on when the person takes over from a script, also after a reload', async () => {
    const one = page();
    await one.show(create({ prompts: ['go', 'more'] }));
    const { session } = one;
    await one.send({ type: 'speed', session, speed: Infinity });
    await one.send({ type: 'configure', session, endpoint: 'manual' });
    await one.send({ type: 'play', session });
    await answer(one, 1, says('It is me.'));
    await answer(one, 2, says('Me again.'));
    await one.settled(2);
    await one.close();
    const two = page();
    await two.show({ type: 'open', session });
    await two.send({ type: 'prompt', session, text: 'Hello' });
    await answer(two, 3, says('Always me.'));
    await two.settled(3);
    expect(two.trace.requests.map(({ model }) => model.api)).toEqual(['manual', 'manual', 'manual']);
  });

  test('keeps the time of a server when the person takes over from one', async () => {
    const one = page();
    const endpoint = { baseUrl: 'http://model.test/v1', model: 'm', api: 'openai-chat' as const };
    await one.show({ type: 'create', setup: { kind: 'live', endpoint, tools: [] } });
    const { session } = one;
    await one.send({ type: 'configure', session, endpoint: 'manual' });
    await one.send({ type: 'prompt', session, text: 'Hello' });
    await answer(one, 1, says('Hi.'));
    await one.settled();
    await one.close();
    const two = page();
    expect((await two.show({ type: 'open', session })).clock.virtual).toBe(false);
    await two.send({ type: 'configure', session, endpoint });
    await two.until(() => two.trace.config.model?.id === 'm');
  });

  test('has no server as its model', async () => {
    const one = page();
    const session = await manual(one);
    const endpoint = { baseUrl: 'http://model.test/v1', model: 'm', api: 'openai-chat' as const };
    await expect(one.send({ type: 'configure', session, endpoint })).rejects.toEqual({
      code: 'config.scripted',
    });
  });
});

test('what a person played as the model and the scenario that is saved of it give the same trace', async () => {
  const one = page();
  const session = await manual(one, ['write', 'read', 'ls']);
  await one.send({ type: 'speed', session, speed: Infinity });
  await one.send({ type: 'prompt', session, text: 'Work' });
  await answer(one, 1, {
    blocks: [
      { type: 'thinking', thinking: 'Two files at once.' },
      { type: 'toolCall', name: 'write', arguments: { path: 'a.txt', content: 'x'.repeat(5000) } },
      { type: 'toolCall', name: 'write', arguments: { path: 'b.txt', content: 'b' } },
      { type: 'toolCall', id: 'mine', name: 'read', rawArguments: '{"path": "missing.txt"}' },
    ],
    chunk: 5,
    gapMs: 10,
  });
  await asked(one, 2);
  await one.send({ type: 'followUp', session, text: 'Then tell me.' });
  await one.send({ type: 'steer', session, text: 'Look first.' });
  await answer(one, 2, call('ls', {}));
  await answer(one, 3, { ...says('I looked, and all is there.'), chunk: 3 });
  await answer(one, 4, says('Told.'));
  await one.settled();
  await one.until(() => one.records.at(-1)?.type === 'settled');

  const scenario = scenarioFromRecords(one.records);
  const again = await runScenario(scenario);
  // Everything: ids, order, times and content. All that differs is whose model it was.
  expect(again.map(comparable)).toEqual(one.records.map(comparable));
});

/** Without what says which model answered, and how long the machine took for a tool or a hook. */
function comparable(record: TraceRecord): unknown {
  return JSON.parse(
    JSON.stringify(record, (name, value: unknown) =>
      ['model', 'api', 'provider', 'durationMs'].includes(name) ? undefined : value,
    ),
  ) as unknown;
}
