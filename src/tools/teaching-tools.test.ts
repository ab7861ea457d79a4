import { describe, expect, it } from 'vitest';
import { createTools, VirtualFileSystem } from './index';
import { call, textOf } from './tools.testing';

const fs = new VirtualFileSystem();

describe('wait', () => {
  it('reports progress in at most ten steps', async () => {
    const slept: number[] = [];
    const updates: string[] = [];
    const sleep = (ms: number) => Promise.resolve(void slept.push(ms));
    const wait = (ms: unknown) =>
      call(fs, 'wait', { ms }, undefined, { sleep }, (partial) => updates.push(textOf(partial)));
    expect(await wait('250')).toMatchObject({ content: [{ text: 'Waited 250 ms.' }], details: { ms: 250 } });
    expect(slept).toEqual([100, 100, 50]);
    expect(updates).toEqual(['Waited 100 of 250 ms.', 'Waited 200 of 250 ms.']);
    slept.length = 0;
    await wait(5001);
    expect(slept).toHaveLength(10);
    expect(await wait(0)).toMatchObject({ content: [{ text: 'Waited 0 ms.' }] });
  });

  it('ends at once on abort, in real time', async () => {
    const controller = new AbortController();
    const waiting = call(fs, 'wait', { ms: 60_000 }, controller.signal);
    controller.abort();
    await expect(waiting).rejects.toThrow('aborted');
  });

  it('takes no other numbers', async () => {
    await expect(call(fs, 'wait', {})).rejects.toThrow('ms is missing');
    await expect(call(fs, 'wait', { ms: -1 })).rejects.toThrow('ms must be a whole number from 0');
    await expect(call(fs, 'wait', { ms: 1e9 })).rejects.toThrow('ms must be at most 600000');
  });
});

describe('finish', () => {
  it('terminates with its summary', async () => {
    expect(await call(fs, 'finish', { summary: 'All done.' })).toEqual({
      content: [{ type: 'text', text: 'All done.' }],
      details: { summary: 'All done.' },
      terminate: true,
    });
    await expect(call(fs, 'finish', {})).rejects.toThrow('summary is missing');
  });
});

describe('ask', () => {
  it('gives the answer, and makes its batch sequential', async () => {
    const ask = (question: string) => Promise.resolve(question === 'Which?' ? 'This one.' : '');
    expect(await call(fs, 'ask', { question: 'Which?' }, undefined, { ask })).toEqual({
      content: [{ type: 'text', text: 'This one.' }],
      details: { question: 'Which?', answer: 'This one.' },
    });
    expect(textOf(await call(fs, 'ask', { question: 'Why?' }, undefined, { ask }))).toBe(
      '[The answer is empty.]',
    );
    expect(createTools(fs, { only: ['ask'] })[0]?.executionMode).toBe('sequential');
  });

  it('says that there is nobody to ask', async () => {
    await expect(call(fs, 'ask', { question: 'Which?' })).rejects.toThrow('There is nobody to ask here');
  });
});
