import { describe, expect, test, vi } from 'vitest';
import { FakeLocks } from './page.testing';
import { call, consecutive, create, hour, page, playing, stored, text, texts } from './wire.testing';

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
    await vi.waitFor(async () => expect((await stored(one)).at(-1)?.type).toBe('queue'), 20_000);
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
