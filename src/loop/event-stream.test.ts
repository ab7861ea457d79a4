import { describe, expect, test } from 'vitest';
import { EventStream } from './index';

const numbersUntil = (last: number) =>
  new EventStream<number, string>(
    (event) => event === last,
    (event) => `ended with ${event}`,
  );

async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const events: T[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

describe('EventStream', () => {
  test('delivers what was pushed before anyone listened, in order', async () => {
    const stream = numbersUntil(3);
    for (const event of [1, 2, 3]) stream.push(event);
    expect(await all(stream)).toEqual([1, 2, 3]);
  });

  test('delivers to a consumer that waits', async () => {
    const stream = numbersUntil(2);
    const consumed = all(stream);
    stream.push(1);
    await Promise.resolve();
    stream.push(2);
    expect(await consumed).toEqual([1, 2]);
  });

  test('delivers the completing event, settles the result and ignores what comes later', async () => {
    const stream = numbersUntil(1);
    stream.push(1);
    stream.push(2);
    stream.end('too late');
    expect(await all(stream)).toEqual([1]);
    expect(await stream.result()).toBe('ended with 1');
  });

  test('settles the result without a consumer', async () => {
    const stream = numbersUntil(1);
    stream.push(1);
    expect(await stream.result()).toBe('ended with 1');
  });

  test('ends without a completing event when it is told to, after what was pushed', async () => {
    const stream = numbersUntil(9);
    stream.push(1);
    stream.end('given');
    stream.push(2);
    expect(await all(stream)).toEqual([1]);
    expect(await stream.result()).toBe('given');
  });

  test('rejects the result when it ends without one, so that nobody waits for ever', async () => {
    const stream = numbersUntil(9);
    stream.end();
    expect(await all(stream)).toEqual([]);
    await expect(stream.result()).rejects.toThrow('without a result');
  });

  test('rejects the result when it cannot be extracted', async () => {
    const stream = new EventStream<number, string>(
      () => true,
      () => {
        throw new Error('no result in it');
      },
    );
    stream.push(1);
    expect(await all(stream)).toEqual([1]);
    await expect(stream.result()).rejects.toThrow('no result in it');
  });

  test('keeps for the next consumer what a consumer that stopped did not take', async () => {
    const stream = numbersUntil(4);
    for (const event of [1, 2, 3, 4]) stream.push(event);
    for await (const event of stream) if (event === 2) break;
    expect(await all(stream)).toEqual([3, 4]);
  });

  test('takes many events in linear time', async () => {
    const stream = numbersUntil(200_000);
    for (let event = 1; event <= 200_000; event++) stream.push(event);
    expect(await all(stream)).toHaveLength(200_000);
  });
});
