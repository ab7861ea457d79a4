import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Scenario, ScriptedTurn } from '../scenario/types';
import { parseRecords } from '../records';
import { memoryStore, problem } from '../store';
import type { Store } from '../store';
import { fold } from '../trace/fold';
import { FakeLocks, Page } from './page.testing';
import type { CommandBody } from './page.testing';

let pages: Page[] = [];
const page = (options?: ConstructorParameters<typeof Page>[0]) => {
  const made = new Page(options);
  pages.push(made);
  return made;
};
beforeEach(() => vi.stubGlobal('indexedDB', new IDBFactory()));
afterEach(async () => {
  await Promise.all(pages.map((one) => one.close()));
  pages = [];
  vi.unstubAllGlobals();
});

/** Long enough that no test sees its end by accident. */
const hour = 3_600_000;
const text = (value: string): ScriptedTurn => ({ blocks: [{ type: 'text', text: value }] });
const call = (name: string, args: Record<string, unknown> = {}): ScriptedTurn => ({
  blocks: [{ type: 'toolCall', name, arguments: args }],
});
const create = (more: Partial<Scenario> = {}, turns: ScriptedTurn[] = [text('Hello.')]): CommandBody => ({
  type: 'create',
  setup: {
    kind: 'scenario',
    scenario: {
      version: 1,
      title: 'Test',
      start: 'prompt',
      prompts: ['go'],
      model: { kind: 'scripted', turns },
      ...more,
    },
  },
});
/** Created, at full speed, and playing. */
async function playing(one: Page, more?: Partial<Scenario>, turns?: ScriptedTurn[]): Promise<void> {
  await one.show(create(more, turns));
  await one.send({ type: 'speed', session: one.session, speed: Infinity });
  await one.send({ type: 'play', session: one.session });
}
const consecutive = (one: Page) =>
  expect(one.records.map(({ seq }) => seq)).toEqual(one.records.map((_, index) => index + 1));
const stored = async (one: Page) => (await (await one.store).readRecords(one.session)).records;
const texts = (one: Page) =>
  one.trace.transcript.map((id) => {
    const body = one.trace.messages.get(id)?.body;
    return body && 'content' in body ? [body.role, body.content] : [];
  });

describe('the wire', () => {
  test('says that it is ready, and answers every command once', async () => {
    const one = page();
    await one.until(() => one.messages.length > 0);
    expect(one.messages[0]).toEqual({ type: 'ready' });
    await expect(one.send({ type: 'play', session: 'none' })).rejects.toEqual({ code: 'session.notOpen' });
    await expect(one.send({ type: 'open', session: 'none' })).rejects.toEqual({ code: 'session.missing' });
    await expect(one.send({ type: 'fly' } as never)).rejects.toMatchObject({
      code: expect.any(String) as string,
    });
  });

  test('answers with a problem when the work itself breaks', async () => {
    const broken = { ...memoryStore(), listSessions: () => Promise.reject(new RangeError('broken')) };
    const one = page({ openStore: () => Promise.resolve(broken) });
    await expect(one.send({ type: 'listSessions' })).rejects.toEqual({
      code: 'internal',
      params: { detail: 'broken' },
    });
  });

  test('matches replies that come in another order by their ids (W-11)', async () => {
    vi.stubGlobal('fetch', async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return new Response('{"data":[{"id":"m"}]}');
    });
    const one = page();
    const models = one.send({ type: 'listModels', baseUrl: 'http://localhost:1/v1' });
    const sessions = one.send({ type: 'listSessions' });
    expect(await sessions).toEqual([]);
    expect(one.all('reply').map(({ id }) => id)).toEqual([2]);
    expect(await models).toEqual(['m']);
  });

  test('names the first fault of a scenario, and leaves the open session as it is', async () => {
    const one = page();
    await one.show(create());
    await expect(one.send(create({ prompts: [] }))).rejects.toMatchObject({ code: 'scenario.noPrompt' });
    await expect(one.send(create({ files: { 'a.txt': { sample: 'none.txt' } } }))).rejects.toMatchObject({
      code: 'scenario.sampleMissing',
      params: { name: 'none.txt' },
    });
    await expect(one.send(create({ model: { kind: 'live' } }))).rejects.toEqual({
      code: 'scenario.needsEndpoint',
    });
    await one.send({ type: 'steer', session: one.session, text: 'still here' });
  });
});

describe('a session', () => {
  test('is told to the page without a gap, stored as told, and idle at the end', async () => {
    const one = page();
    await playing(one, { tools: ['write'] }, [
      call('write', { path: 'a.txt', content: 'x'.repeat(5000) }),
      text('Done.'),
    ]);
    await one.settled();
    consecutive(one);
    expect(await stored(one)).toEqual(one.records);
    parseRecords(JSON.parse(JSON.stringify(one.records)) as unknown[]);
    const [info] = (await one.send({ type: 'listSessions' })) as unknown[];
    expect(info).toMatchObject({ title: 'Test', state: 'idle', seq: one.records.length });
    const content = one.trace.files.get('/project/a.txt')?.content;
    const hash = content && 'blob' in content ? content.blob : '';
    expect(await one.send({ type: 'blob', session: one.session, hash })).toEqual(
      new TextEncoder().encode('x'.repeat(5000)),
    );
  });

  test('shows what has ended only when it is stored', async () => {
    const held: { let: () => void }[] = [];
    const store = memoryStore();
    const slow: Store = {
      ...store,
      commit: async (commit) => {
        if (commit.records.some(({ type }) => type === 'turn_end'))
          await new Promise<void>((resolve) => held.push({ let: resolve }));
        await store.commit(commit);
      },
    };
    const one = page({ openStore: () => Promise.resolve(slow) });
    await playing(one);
    await one.until(() => held.length === 1 && one.records.at(-1)?.type === 'message_end');
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(one.records.at(-1)?.type).toBe('message_end');
    held[0]?.let();
    await one.settled();
    consecutive(one);
  });

  test('goes on in memory when saving fails, says so, and saves all when it works again', async () => {
    const store = memoryStore();
    let full = false;
    const failing: Store = {
      ...store,
      commit: (commit) => (full ? Promise.reject(problem('storage.full')) : store.commit(commit)),
    };
    const one = page({ openStore: () => Promise.resolve(failing) });
    await one.show(create());
    full = true;
    await one.send({ type: 'speed', session: one.session, speed: Infinity });
    await one.send({ type: 'play', session: one.session });
    await one.settled();
    expect(one.all('storage')).toMatchObject([{ session: one.session, problem: { code: 'storage.full' } }]);
    expect(await one.send({ type: 'records', session: one.session })).toEqual(one.records);
    full = false;
    await vi.waitFor(() => expect(one.all('storage')).toHaveLength(2), { timeout: 5000 });
    expect(one.all('storage')[1]).toEqual({ type: 'storage', session: one.session });
    expect((await store.readRecords(one.session)).records).toEqual(one.records);
  });

  test('that could not be saved is not lost when another is opened', async () => {
    const store = memoryStore();
    let full = false;
    const failing: Store = {
      ...store,
      commit: (commit) => (full ? Promise.reject(problem('storage.full')) : store.commit(commit)),
    };
    const one = page({ openStore: () => Promise.resolve(failing) });
    await one.show(create());
    const { session } = one;
    full = true;
    await one.send({ type: 'steer', session, text: 'last words' });
    await one.show(create());
    await expect(one.send({ type: 'open', session })).rejects.toEqual({ code: 'storage.full' });
    full = false;
    await one.show({ type: 'open', session });
    expect(one.trace.queues.steering).toHaveLength(1);
  });

  test('works without a database, and says that nothing is saved (D-15)', async () => {
    vi.stubGlobal('indexedDB', undefined);
    const one = page();
    await playing(one);
    await one.settled();
    expect(one.opened?.stored).toBe(false);
    expect(one.all('database')).toMatchObject([{ problem: { code: 'storage.none' } }]);
    const { session } = one;
    await one.show(create());
    await one.show({ type: 'open', session });
    expect(one.trace.runs).toHaveLength(1);
  });

  test('is steered, followed up and aborted, each in its place', async () => {
    const one = page();
    const slow = { name: 'slow', durationMs: hour };
    await one.show(create({ tools: [slow] }, [call('slow'), text('A.'), text('B.')]));
    const { session } = one;
    await one.send({ type: 'speed', session, speed: 2000 });
    await one.send({ type: 'play', session });
    await one.until(() => one.records.some(({ type }) => type === 'tool_execution_start'));
    await one.send({ type: 'pause', session });
    expect(one.clock).toMatchObject({ playing: false, ready: false });
    await one.send({ type: 'followUp', session, text: 'then' });
    await one.send({ type: 'steer', session, text: 'first' });
    await one.send({ type: 'steer', session, text: 'second' });
    await one.until(() => one.trace.queues.steering.length === 2);
    const [first] = one.trace.queues.steering;
    await one.send({ type: 'moveQueued', session, item: first?.id ?? '', queue: 'steering' });
    await one.send({ type: 'editQueued', session, item: first?.id ?? '', text: 'first, edited' });
    await expect(one.send({ type: 'removeQueued', session, item: 'gone' })).rejects.toEqual({
      code: 'queue.gone',
    });
    await expect(one.send({ type: 'prompt', session, text: 'no' })).rejects.toEqual({ code: 'run.active' });
    await expect(one.send({ type: 'continue', session })).rejects.toEqual({ code: 'continue.running' });
    await one.send({ type: 'speed', session, speed: Infinity });
    await one.send({ type: 'play', session });
    await one.settled();
    expect(
      texts(one)
        .filter(([role]) => role === 'user')
        .map(([, content]) => content),
    ).toEqual(['go', 'second', 'first, edited', 'then']);
    expect(one.records.filter(({ type }) => type === 'pause' || type === 'resume')).toHaveLength(2);
    consecutive(one);
  });

  test('aborts the run that was meant and no later one, retries, and continues (W-09)', async () => {
    const one = page();
    await one.show(
      create({ tools: [{ name: 'slow', durationMs: hour }] }, [call('slow'), text('A.'), text('B.')]),
    );
    const { session } = one;
    await one.send({ type: 'speed', session, speed: 1000 });
    await one.send({ type: 'play', session });
    await one.until(() => one.trace.runs.length === 1);
    const run = one.trace.runs[0]?.id ?? '';
    await one.until(() => one.records.some(({ type }) => type === 'tool_execution_start'));
    expect(await one.send({ type: 'abort', session, run: 'other' })).toBe(false);
    expect(await one.send({ type: 'abort', session, run })).toBe(true);
    await one.settled();
    expect(one.trace.runs[0]?.status).toBe('aborted');
    expect(await one.send({ type: 'abort', session, run })).toBe(false);
    const dropped = one.trace.transcript.at(-1) ?? '';
    await one.send({ type: 'retry', session });
    await one.settled(2);
    expect(one.records.find(({ type }) => type === 'rewind')).toMatchObject({ drop: [dropped] });
    expect(one.trace.messages.get(dropped)?.dropped).toBe(true);
    expect(one.trace.runs[1]).toMatchObject({ status: 'done', how: 'request' });
    await expect(one.send({ type: 'retry', session })).rejects.toEqual({ code: 'retry.nothing' });
    await expect(one.send({ type: 'continue', session })).rejects.toEqual({ code: 'continue.nothingQueued' });
    await one.send({ type: 'steer', session, text: 'more' });
    await one.send({ type: 'continue', session });
    await one.settled(3);
    expect(one.trace.runs[2]?.how).toBe('steering');
  });

  test('asks the person, and goes on with the answer', async () => {
    const one = page();
    await playing(
      one,
      { tools: [{ name: 'quick', durationMs: 0, result: 'ran' }], rules: [{ id: 'r', rule: 'ask' }] },
      [call('quick'), text('Done.')],
    );
    await one.until(() => one.trace.asks.size === 1);
    const ask = [...one.trace.asks.keys()][0] ?? '';
    const { session } = one;
    await expect(one.send({ type: 'answer', session, ask, text: 'x' })).rejects.toEqual({ code: 'ask.over' });
    await one.send({ type: 'permission', session, ask, allow: true });
    await expect(one.send({ type: 'permission', session, ask, allow: true })).rejects.toEqual({
      code: 'ask.over',
    });
    await one.settled();
    expect(one.trace.asks.get(ask)).toMatchObject({ state: 'allowed', by: 'person' });
  });

  test('takes settings, and refuses what it cannot do without changing anything', async () => {
    const one = page();
    await one.show(create({ systemPrompt: 'Old.', tools: ['read'] }));
    const { session } = one;
    await one.send({
      type: 'configure',
      session,
      systemPrompt: 'New.',
      thinkingLevel: 'high',
      steeringMode: 'all',
    });
    await expect(
      one.send({ type: 'configure', session, tools: ['read', 'fly'], thinkingLevel: 'low' }),
    ).rejects.toEqual({
      code: 'tool.unknown',
      params: { name: 'fly' },
    });
    await one.until(() => one.trace.config.steeringMode === 'all');
    expect(one.trace.config).toMatchObject({ systemPrompt: 'New.', thinkingLevel: 'high', tools: ['read'] });
    expect(texts(one)).toEqual([['system', 'New.']]);
    await one.send({ type: 'speed', session, speed: Infinity });
    await one.send({ type: 'play', session });
    await one.settled();
    await expect(one.send({ type: 'configure', session, systemPrompt: 'Newer.' })).rejects.toEqual({
      code: 'config.promptFixed',
    });
  });

  test('goes on with the person when its script has ended', async () => {
    const one = page();
    await playing(one);
    await one.settled();
    await one.send({ type: 'prompt', session: one.session, text: 'and now?' });
    await one.settled(2);
    expect(one.trace.runs.map(({ how }) => how)).toEqual(['prompt', 'prompt']);
    await expect(one.send({ type: 'prompt', session: one.session, text: '  ' })).rejects.toEqual({
      code: 'prompt.empty',
    });
  });

  test('is renamed and deleted with all that is stored of it', async () => {
    const one = page();
    await one.show(create());
    const { session } = one;
    await one.send({ type: 'renameSession', session, title: 'Mine' });
    await vi.waitFor(async () =>
      expect(await (await one.store).readSession(session)).toMatchObject({ title: 'Mine' }),
    );
    await one.send({ type: 'deleteSession', session });
    expect(await one.send({ type: 'listSessions' })).toEqual([]);
    expect((await (await one.store).readRecords(session)).records).toEqual([]);
    await expect(one.send({ type: 'play', session })).rejects.toEqual({ code: 'session.notOpen' });
  });
});

describe('a session that is opened again', () => {
  test('has the same records, and goes on where it was', async () => {
    const one = page();
    await playing(one, { tools: ['write', 'read'], prompts: ['go', 'more'] }, [
      call('write', { path: 'a.txt', content: 'x'.repeat(5000) }),
      text('One.'),
      call('read', { path: 'a.txt' }),
      text('Two.'),
    ]);
    await one.settled(2);
    const before = JSON.stringify(one.records);
    const { session } = one;
    await one.close();
    const two = page();
    const opened = await two.show({ type: 'open', session });
    expect(JSON.stringify(two.records)).toBe(before);
    expect(opened).toMatchObject({
      readOnly: false,
      stored: true,
      seq: two.records.length,
      clock: { ready: false, playing: false },
    });
    await two.send({ type: 'speed', session, speed: Infinity });
    await two.send({ type: 'prompt', session, text: 'read a.txt' });
    await two.settled(3);
    consecutive(two);
    const ids = [...two.trace.messages.keys()];
    expect(new Set(ids).size).toBe(ids.length);
    const call3 = [...two.trace.calls.values()].at(-1);
    expect(call3).toMatchObject({ toolName: 'read', isError: false });
    expect(two.records.filter(({ type }) => type === 'request').at(-1)).toMatchObject({ skip: 0 });
  });

  test('in the middle of a run is shown as interrupted, its call answered, its queue kept, and continues (D-13)', async () => {
    const locks = new FakeLocks();
    const one = page({ locks });
    await one.show(
      create(
        {
          tools: [
            { name: 'slow', durationMs: hour },
            { name: 'quick', durationMs: 0, result: 'quick' },
          ],
        },
        [{ blocks: [...call('quick').blocks, ...call('slow').blocks] }, text('After.')],
      ),
    );
    const { session } = one;
    await one.send({ type: 'play', session });
    await one.send({ type: 'speed', session, speed: 2000 });
    await one.until(() => one.records.some(({ type }) => type === 'tool_execution_end'));
    await one.send({ type: 'pause', session });
    await one.send({ type: 'steer', session, text: 'keep me' });
    await vi.waitFor(async () => expect((await stored(one)).at(-1)?.type).toBe('queue'));
    // The tab is gone without a word: another browser's locks are free.
    const two = page({ locks: new FakeLocks() });
    const opened = await two.show({ type: 'open', session });
    expect(opened.readOnly).toBe(false);
    const { trace } = two;
    expect(trace.runs[0]?.status).toBe('interrupted');
    const added = two.records.slice(two.records.findIndex(({ type }) => type === 'interrupted'));
    expect(added.map((record) => (record.type === 'message_end' ? record.body : record.type))).toMatchObject([
      'interrupted',
      'message_start',
      { role: 'toolResult', toolName: 'quick', isError: false },
      'message_start',
      {
        role: 'toolResult',
        toolName: 'slow',
        isError: true,
        content: [{ text: 'The run was interrupted before this call finished.' }],
      },
    ]);
    expect(trace.queues.steering).toHaveLength(1);
    await two.send({ type: 'speed', session, speed: Infinity });
    await two.send({ type: 'continue', session });
    await two.settled();
    expect(texts(two).slice(-2)).toEqual([
      ['user', 'keep me'],
      ['assistant', [{ type: 'text', streamed: true }]],
    ]);
    consecutive(two);
  });

  test('damaged goes on from before the damage, and says so', async () => {
    const one = page();
    await playing(one);
    await one.settled();
    const { session } = one;
    await one.close();
    const store = await one.store;
    const records = one.records.slice(0, 9);
    await store.setAside(session, 10);
    await store.commit({
      info: (await store.readSession(session))!,
      records: [{ seq: 10, at: 0, type: 'fly' } as never],
    });
    const two = page();
    const opened = await two.show({ type: 'open', session });
    expect(opened.problem).toMatchObject({ code: 'session.damaged', params: { seq: 10 } });
    expect(two.records.slice(0, 9)).toEqual(records);
    await two.send({ type: 'speed', session, speed: Infinity });
    await two.send({ type: 'prompt', session, text: 'on' });
    await two.settled();
    await two.close();
    const three = page();
    expect(await three.show({ type: 'open', session })).not.toHaveProperty('problem');
    consecutive(three);
  });
});

describe('two tabs', () => {
  test('one writes, the other shows it live, and takes over when it may', async () => {
    const locks = new FakeLocks();
    const [one, two] = [page({ locks }), page({ locks })];
    await one.show(create({ prompts: ['go'] }));
    const { session } = one;
    const opened = await two.show({ type: 'open', session });
    expect(opened.readOnly).toBe(true);
    await expect(two.send({ type: 'prompt', session, text: 'no' })).rejects.toEqual({
      code: 'session.readOnly',
    });
    await expect(two.send({ type: 'deleteSession', session })).rejects.toEqual({ code: 'session.inUse' });
    await two.show({ type: 'open', session });
    await one.send({ type: 'speed', session, speed: Infinity });
    await one.send({ type: 'play', session });
    await one.settled();
    await two.settled();
    expect(two.records).toEqual(one.records);
    expect(two.clock).toMatchObject({ playing: true });
    await one.close();
    await two.until(() => two.all('opened').length === 1);
    const [taken] = two.all('opened');
    if (taken) await two.take(taken.opened);
    expect(taken?.opened.readOnly).toBe(false);
    await two.send({ type: 'speed', session, speed: Infinity });
    await two.send({ type: 'prompt', session, text: 'mine now' });
    await two.settled(2);
    consecutive(two);
  });

  test('what was recorded before a session is left is stored under that session (D-11)', async () => {
    const one = page();
    await one.show(create());
    const { session } = one;
    await one.send({ type: 'steer', session, text: 'last words' });
    await one.show(create({ title: 'Other' }));
    const { records } = await (await one.store).readRecords(session);
    expect(fold(records).queues.steering).toHaveLength(1);
    expect(one.trace.queues.steering).toHaveLength(0);
  });
});

describe('what is posted', () => {
  test('for a long answer stays under twice its length (W-07)', async () => {
    const answer = 'It was a dark and stormy night. '.repeat(3125);
    const one = page();
    await playing(one, {}, [{ ...text(answer), chunk: 4, gapMs: 0 }]);
    await one.settled();
    expect(one.posted).toBeLessThan(2 * answer.length);
    expect(JSON.stringify(await stored(one)).length).toBeLessThan(2 * answer.length);
  });

  test('and stored grows linearly with the turns', async () => {
    const sizes = async (turns: number) => {
      const one = page();
      await playing(
        one,
        { tools: [{ name: 'quick', durationMs: 0, result: 'ran' }] },
        Array.from({ length: turns }, (_, index) => (index < turns - 1 ? call('quick') : text('Done.'))),
      );
      await one.until(() => one.records.at(-1)?.type === 'settled');
      return [one.posted, JSON.stringify(await stored(one)).length];
    };
    const [half, whole] = [await sizes(500), await sizes(1000)];
    for (const [index, size] of half.entries()) expect(whole[index]).toBeLessThan(2.1 * size);
  }, 60_000);
});
