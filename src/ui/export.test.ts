import { describe, expect, it } from 'vitest';
import type { TraceRecord } from '../records/types';
import { blobsOf, fileName } from './export';

describe('the blobs of a session file', () => {
  it('are those that the records name, once each, wherever they are named', async () => {
    const content = { blob: 'aa', bytes: 5000, binary: false };
    const records = [
      { seq: 1, at: 0, type: 'file_change', path: 'a', by: 'start', after: content },
      { seq: 2, at: 0, type: 'file_change', path: 'b', by: 'tool', after: content },
      {
        seq: 3,
        at: 0,
        type: 'tool_execution_end',
        call: 'c',
        isError: false,
        result: { content: [{ type: 'image', mimeType: 'image/png', blob: 'bb' }] },
      },
    ] as TraceRecord[];
    const asked: string[] = [];
    const blobs = await blobsOf(records, (hash) => {
      asked.push(hash);
      return Promise.resolve(hash === 'aa' ? new Uint8Array([1]) : undefined);
    });
    expect(asked).toEqual(['aa', 'bb']);
    expect([...blobs.keys()]).toEqual(['aa']);
  });
});

describe('the name of a session file', () => {
  it('keeps letters of any language and nothing that a file system refuses', () => {
    expect(fileName({ title: 'Fix: the "slug"/测试', createdAt: 0 }, '.epicycle.jsonl')).toBe(
      'fix-the-slug-测试-1970-01-01.epicycle.jsonl',
    );
    expect(fileName({ title: '???', createdAt: 0 }, '.scenario.json')).toBe(
      'session-1970-01-01.scenario.json',
    );
  });
});
