import { describe, expect, test, vi } from 'vitest';
import { call, consecutive, create, hour, page, playing, text, texts } from './wire.testing';

describe('a session', () => {
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
    await vi.waitFor(
      async () => expect(await (await one.store).readSession(session)).toMatchObject({ title: 'Mine' }),
      20_000,
    );
    await one.send({ type: 'deleteSession', session });
    expect(await one.send({ type: 'listSessions' })).toEqual([]);
    expect((await (await one.store).readRecords(session)).records).toEqual([]);
    await expect(one.send({ type: 'play', session })).rejects.toEqual({ code: 'session.notOpen' });
  });
});
