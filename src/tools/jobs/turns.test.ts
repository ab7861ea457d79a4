import { describe, expect, it } from 'vitest';
import { Turns } from './turns';

/** A job that says when it has its turn, and ends when it is told to. */
function job(turns: Turns, name: string, log: string[], signal?: AbortSignal) {
  let end = () => {};
  const mayEnd = new Promise<void>((resolve) => (end = resolve));
  const done = turns.take(signal).then(async (turn) => {
    log.push(name);
    await mayEnd;
    turn.release();
  });
  return { end, done };
}

describe('turns', () => {
  it('come one at a time, in the order of the jobs', async () => {
    const turns = new Turns();
    const log: string[] = [];
    const jobs = ['a', 'b', 'c'].map((name) => job(turns, name, log));
    await Promise.resolve();
    expect(log).toEqual(['a']);
    for (const { end, done } of jobs) {
      end();
      await done;
    }
    expect(log).toEqual(['a', 'b', 'c']);
  });

  it('of jobs that a job waits for come before those that were there', async () => {
    const turns = new Turns();
    const log: string[] = [];
    const outer = await turns.take();
    const waiting = job(turns, 'waiting', log);
    await outer.lend(async () => {
      const nested = ['one', 'two'].map((name) => job(turns, name, log));
      for (const { end, done } of nested) {
        end();
        await done;
      }
      const inner = await turns.take();
      await inner.lend(async () => {
        const deep = job(turns, 'deep', log);
        deep.end();
        await deep.done;
      });
      inner.release();
    });
    expect(log).toEqual(['one', 'two', 'deep']);
    outer.release();
    waiting.end();
    await waiting.done;
    const last = job(turns, 'last', log);
    last.end();
    await last.done;
    expect(log).toEqual(['one', 'two', 'deep', 'waiting', 'last']);
  });

  it('pass over a job that was aborted while it waited', async () => {
    const turns = new Turns();
    const log: string[] = [];
    const controller = new AbortController();
    const first = job(turns, 'first', log);
    const aborted = job(turns, 'aborted', log, controller.signal);
    const last = job(turns, 'last', log);
    controller.abort();
    await expect(aborted.done).rejects.toThrow('aborted');
    await expect(turns.take(controller.signal)).rejects.toThrow('aborted');
    first.end();
    last.end();
    await last.done;
    expect(log).toEqual(['first', 'last']);
  });
});
