import { describe, expect, test, vi } from 'vitest';
import { parseRecords } from '../records';
import { memoryStore, problem } from '../store';
import type { Store } from '../store';
import { call, consecutive, create, page, playing, stored, text } from './wire.testing';

describe('what a session records', () => {
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

  test('is stored when the command is answered, if no run goes on: a reload loses no setting', async () => {
    const one = page();
    await one.show(create());
    const { session } = one;
    await one.send({ type: 'configure', session, thinkingLevel: 'high' });
    const records = await stored(one);
    expect(records.at(-1)).toMatchObject({ type: 'config', set: { thinkingLevel: 'high' } });
    await one.send({ type: 'writeFile', session, path: 'a.txt', content: 'A' });
    expect((await stored(one)).at(-1)).toMatchObject({ type: 'file_change', path: '/project/a.txt' });
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
    await vi.waitFor(() => expect(one.all('storage')).toHaveLength(2), 20_000);
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
});

describe('what is posted', () => {
  test.each([
    { pace: 'all at once', gapMs: 0 },
    { pace: '4,000 characters a second', gapMs: 1 },
  ])('for a long answer that comes $pace stays under twice its length (W-07)', async ({ gapMs }) => {
    const answer = 'It was a dark and stormy night. '.repeat(3125);
    const one = page();
    await playing(one, {}, [{ ...text(answer), chunk: 4, gapMs }]);
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
    const [half, whole] = [await sizes(250), await sizes(500)];
    for (const [index, size] of half.entries()) expect(whole[index]).toBeLessThan(2.1 * size);
  });
});
