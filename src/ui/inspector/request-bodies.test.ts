import { describe, expect, it, vi } from 'vitest';
import type { RequestBody } from '../../protocol';
import { emptyTrace } from '../../trace';
import { RequestBodies } from './request-bodies';

function fake() {
  const read = vi.fn((message: string): Promise<RequestBody> => {
    return Promise.resolve({ method: 'POST', url: '', headers: {}, body: { message }, repairs: [] });
  });
  return { read, bodies: new RequestBodies(read), trace: emptyTrace() };
}

describe('the bodies of requests', () => {
  it('are asked for once', async () => {
    const { read, bodies, trace } = fake();
    const first = await bodies.read(trace, 'a');
    expect(await bodies.read(trace, 'a')).toBe(first);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('of another session are others', async () => {
    const { read, bodies, trace } = fake();
    await bodies.read(trace, 'a');
    await bodies.read(emptyTrace(), 'a');
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('are asked for again after a failure', async () => {
    const { read, bodies, trace } = fake();
    read.mockRejectedValueOnce(new Error('gone'));
    await expect(bodies.read(trace, 'a')).rejects.toThrow('gone');
    expect((await bodies.read(trace, 'a')).body).toEqual({ message: 'a' });
  });

  it('are forgotten when many others were read since', async () => {
    const { read, bodies, trace } = fake();
    await bodies.read(trace, 'a');
    for (let n = 0; n < 20; n++) {
      await bodies.read(trace, `other ${n}`);
      await bodies.read(trace, 'used');
    }
    await bodies.read(trace, 'a');
    expect(read.mock.calls.filter(([message]) => message === 'a')).toHaveLength(2);
    expect(read.mock.calls.filter(([message]) => message === 'used')).toHaveLength(1);
  });
});
