import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { realClock } from './clock';
import { macrotask } from './macrotask';
import { VirtualClock } from './virtual-clock';

const fast = () => new VirtualClock({ speed: Infinity });
const nextTask = () => new Promise<void>((resolve) => macrotask(resolve));
const stalled = (clock: VirtualClock) =>
  new Promise<void>(
    (resolve) =>
      (clock.onStall = () => {
        resolve();
        return false;
      }),
  );

describe('virtual time', () => {
  test('fires timers in the order of their due times, then of their making', async () => {
    const due = fc.array(fc.record({ ms: fc.nat(20), cancel: fc.boolean() }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(due, async (timers) => {
        const clock = fast();
        const fired: { index: number; at: number }[] = [];
        const cancels = timers.map(({ ms }, index) =>
          clock.setTimer(ms, () => fired.push({ index, at: clock.now() })),
        );
        timers.forEach(({ cancel }, index) => cancel && cancels[index]?.());
        if (timers.length > 0) await stalled(clock);
        const expected = timers
          .map(({ ms, cancel }, index) => ({ index, at: ms, cancel }))
          .filter(({ cancel }) => !cancel)
          .sort((a, b) => a.at - b.at || a.index - b.index)
          .map(({ index, at }) => ({ index, at }));
        expect(fired).toEqual(expected);
      }),
    );
  });

  test('lets what a person does come before all else of its ms', async () => {
    const clock = fast();
    const order: string[] = [];
    clock.setTimer(10, () => order.push('work'));
    clock.setTimer(9, () => order.push('work before'));
    clock.setEarlyTimer(10, () => order.push('person'));
    clock.setEarlyTimer(10, () => order.push('person again'));
    await stalled(clock);
    expect(order).toEqual(['work before', 'person', 'person again', 'work']);
  });

  test('lets everything come to rest that a timer set going before the next one fires', async () => {
    const clock = fast();
    const order: string[] = [];
    const work = async (name: string) => {
      await clock.sleep(10);
      for (let step = 0; step < 50; step++) await Promise.resolve();
      order.push(`${name} at ${clock.now()}`);
    };
    await Promise.all([work('a'), work('b'), clock.sleep(11)]);
    expect(order).toEqual(['a at 10', 'b at 10']);
  });

  test('stands still while it is paused and while something real holds it', async () => {
    const clock = fast();
    let fired = 0;
    clock.setTimer(5, () => fired++);
    clock.pause();
    await nextTask();
    await nextTask();
    expect([fired, clock.now()]).toEqual([0, 0]);
    const [one, other] = [clock.hold(), clock.hold()];
    clock.play();
    one();
    one();
    await nextTask();
    await nextTask();
    expect([fired, clock.now()]).toEqual([0, 0]);
    const rest = stalled(clock);
    other();
    await rest;
    expect([fired, clock.now()]).toEqual([1, 5]);
  });

  test('a sleep that is aborted rejects at once and leaves nothing behind', async () => {
    const clock = fast();
    clock.pause();
    const controller = new AbortController();
    const sleep = clock.sleep(1000, controller.signal);
    controller.abort(new Error('stop'));
    await expect(sleep).rejects.toThrow('stop');
    await expect(clock.sleep(1, controller.signal)).rejects.toThrow('stop');
    const rest = stalled(clock);
    clock.play();
    await rest;
    expect(clock.now()).toBe(0);
  });

  test('is paced by its speed', async () => {
    const clock = new VirtualClock({ speed: 50 });
    const startedAt = performance.now();
    for (let step = 0; step < 10; step++) await clock.sleep(100);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(18);
    expect(clock.now()).toBe(1000);
  });

  test('a person acts between two timers, and never past the next one', () => {
    let real = 0;
    const clock = new VirtualClock({ speed: 2, realNow: () => real });
    clock.setTimer(100, () => undefined);
    real = 20;
    clock.sync();
    expect(clock.now()).toBe(40);
    real = 500;
    clock.sync();
    expect(clock.now()).toBe(100);
  });

  test('time in which nothing waited is not made up for', async () => {
    let real = 0;
    const clock = new VirtualClock({ speed: 1, realNow: () => real });
    clock.setTimer(0, () => undefined);
    await stalled(clock);
    real = 60_000;
    clock.setTimer(5, () => undefined);
    real = 60_002;
    clock.sync();
    expect(clock.now()).toBe(2);
  });

  test.each([0.25, 5, Infinity])(
    'passes as real time does while nothing is due, at speed %s too',
    (speed) => {
      let real = 0;
      const clock = new VirtualClock({ speed, realNow: () => real });
      real = 3000;
      clock.sync();
      expect(clock.now()).toBe(3000);
      clock.setTimer(10, () => undefined);
      real = 9000;
      clock.sync();
      expect(clock.now()).toBe(speed === Infinity ? 3000 : 3010);
    },
  );

  test('says when nothing is due', async () => {
    const clock = new VirtualClock({ speed: Infinity });
    const told: boolean[] = [];
    clock.onChange = () => told.push(clock.resting);
    clock.setTimer(10, () => undefined);
    await stalled(clock);
    expect(told).toEqual([false, true]);
  });

  test('never goes back, whatever is done to it', async () => {
    const deed = fc.record({
      what: fc.constantFrom(
        'timer',
        'sync',
        'speed',
        'pauseOrPlay',
        'hold',
        'hurry',
        'atEase',
        'task' as const,
      ),
      ms: fc.nat(400),
      speed: fc.constantFrom(0.25, 1, 5, 20, Infinity),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { maxLength: 30 }), async (deeds) => {
        let real = 0;
        const clock = new VirtualClock({ speed: 5, realNow: () => real });
        const times: number[] = [];
        const look = () => times.push(clock.now());
        for (const { what, ms, speed } of deeds) {
          real += ms;
          const release = what === 'hold' ? clock.hold() : undefined;
          if (what === 'timer') clock.setTimer(ms, look);
          if (what === 'sync') clock.sync();
          if (what === 'speed') clock.setSpeed(speed);
          if (what === 'pauseOrPlay') clock[clock.playing ? 'pause' : 'play']();
          if (what === 'hurry' || what === 'atEase') clock[what]();
          look();
          await nextTask();
          release?.();
          look();
        }
        clock.pause();
        expect(times).toEqual(times.toSorted((one, other) => one - other));
      }),
    );
  });
});

test('real time goes on from where the session was', async () => {
  const clock = realClock(5000);
  await clock.sleep(3);
  expect(clock.now()).toBeGreaterThanOrEqual(5002);
  expect(Number.isInteger(clock.now())).toBe(true);
});
