import { describe, expect, test, vi } from 'vitest';
import { memoryStore } from '../store';
import { fold } from '../trace/fold';
import { FakeLocks } from './page.testing';
import { consecutive, create, page } from './wire.testing';

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
    expect(await models).toEqual({ baseUrl: 'http://localhost:1/v1', models: ['m'] });
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

  test('a session that one has claimed is read-only for the other until it is released, and gone once it is deleted', async () => {
    const locks = new FakeLocks();
    const [one, two] = [page({ locks }), page({ locks })];
    await one.show(create());
    const { session } = one;
    await one.send({ type: 'claimSession', session });
    // It is kept also when the one that claimed it leaves it.
    await one.show(create({ title: 'Other' }));
    expect((await two.show({ type: 'open', session })).readOnly).toBe(true);
    await expect(two.send({ type: 'claimSession', session })).rejects.toEqual({ code: 'session.inUse' });
    await one.send({ type: 'releaseSession', session });
    await two.until(() => two.all('opened').length === 1);
    await expect(one.send({ type: 'claimSession', session })).rejects.toEqual({ code: 'session.inUse' });
    await two.show(create({ title: 'A third' }));
    await one.send({ type: 'claimSession', session });
    await one.send({ type: 'deleteSession', session });
    await expect(two.send({ type: 'open', session })).rejects.toEqual({ code: 'session.missing' });
  });

  test('a session that one has claimed can be opened by that one again', async () => {
    const locks = new FakeLocks();
    const [one, two] = [page({ locks }), page({ locks })];
    await one.show(create());
    const { session } = one;
    await one.send({ type: 'claimSession', session });
    await one.show(create());
    expect((await one.show({ type: 'open', session })).readOnly).toBe(false);
    await one.send({ type: 'releaseSession', session });
    expect((await two.show({ type: 'open', session })).readOnly).toBe(true);
  });

  test('a deletion that is refused leaves what is shown as it is', async () => {
    const locks = new FakeLocks();
    const [one, two] = [page({ locks }), page({ locks })];
    await one.show(create());
    const { session } = one;
    await two.show({ type: 'open', session });
    await expect(two.send({ type: 'deleteSession', session })).rejects.toEqual({ code: 'session.inUse' });
    expect(await two.send({ type: 'records', session })).toEqual(one.records);
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
