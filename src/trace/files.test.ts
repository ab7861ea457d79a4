import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileContent, RecordBody, TraceRecord } from '../records/types';
import { contentBytes, isSameContent } from './file-content';
import { filesAt } from './files';
import type { FileStatus } from './files';
import { fold } from './fold';
import { randomSession } from './testing/random-session';

type Body = Extract<RecordBody, { type: 'file_change' | 'turn_start' | 'pause' }>;

function recordsOf(bodies: readonly Body[]): TraceRecord[] {
  return bodies.map((body, index) => ({ seq: index + 1, at: index, ...body }));
}
const change = (path: string, text: string | undefined, by: 'start' | 'tool' | 'person' = 'tool'): Body => ({
  type: 'file_change',
  path,
  by,
  ...(text === undefined ? {} : { after: { text } }),
});
const turn = (id: string): Body => ({ type: 'turn_start', turn: id, run: 'r' });

const paths = ['/project/a', '/project/b/c', '/tmp/d', '/__proto__'];
const contents: FileContent[] = [
  { text: 'one' },
  { text: 'two' },
  { blob: 'x', bytes: 5000, binary: false },
  { blob: 'y', bytes: 5000, binary: true },
];

/** Files at the start, then changes, turns and other records in any order. */
const anyFiles = fc
  .tuple(
    fc.array(fc.record({ path: fc.constantFrom(...paths), after: fc.constantFrom(...contents) }), {
      maxLength: 4,
    }),
    fc.array(
      fc.oneof(
        fc.constant<Body>(turn('t')),
        fc.constant<Body>({ type: 'pause' }),
        fc
          .tuple(
            fc.constantFrom(...paths),
            fc.constantFrom(undefined, ...contents),
            fc.constantFrom('tool', 'person'),
          )
          .map(([path, after, by]): Body => ({ type: 'file_change', path, by, ...(after ? { after } : {}) })),
      ),
      { maxLength: 30 },
    ),
  )
  .map(([start, rest]) =>
    recordsOf([...start.map((file): Body => ({ type: 'file_change', by: 'start', ...file })), ...rest]),
  );

/** The plainest way to know the files after some records. */
function contentsAfter(records: readonly TraceRecord[]): Map<string, FileContent> {
  return new Map([...fold(records).files].map(([path, { content }]) => [path, content]));
}

describe('the files at a record', () => {
  it('are those of the trace there, at every record of any session', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          randomSession().map(({ records }) => records),
          anyFiles,
        ),
        fc.nat(),
        (records, cut) => {
          const seq = cut % (records.length + 1);
          const there = filesAt(records, seq).files.filter(({ now }) => now);
          expect(new Map(there.map(({ path, now }) => [path, now]))).toEqual(
            contentsAfter(records.slice(0, seq)),
          );
        },
      ),
    );
  });

  it('are compared with the start and with the moment before the last turn', () => {
    fc.assert(
      fc.property(anyFiles, fc.nat(), (records, cut) => {
        const seq = cut % (records.length + 1);
        const until = records.slice(0, seq);
        const isStart = (record: TraceRecord) => record.type === 'file_change' && record.by === 'start';
        const start = contentsAfter(until.filter(isStart));
        const lastTurn = until.findLastIndex(({ type }) => type === 'turn_start');
        const before = lastTurn < 0 ? start : contentsAfter(until.slice(0, lastTurn));
        const now = contentsAfter(until);
        const expected = (path: string, base: ReadonlyMap<string, FileContent>): FileStatus => {
          const [old, current] = [base.get(path), now.get(path)];
          if (!old) return current ? 'added' : 'unchanged';
          if (!current) return 'deleted';
          return isSameContent(old, current) ? 'unchanged' : 'changed';
        };
        const { files } = filesAt(records, seq);
        const known = new Set([...start.keys(), ...before.keys(), ...now.keys()]);
        expect(files.map(({ path }) => path)).toEqual([...known].sort());
        for (const { path, status } of files)
          expect(status).toEqual({ start: expected(path, start), turn: expected(path, before) });
      }),
    );
  });

  it('are the same however the log grew between the questions', () => {
    fc.assert(
      fc.property(anyFiles, fc.array(fc.nat(), { maxLength: 6 }), (records, cuts) => {
        const log: TraceRecord[] = [];
        for (const cut of [...cuts, 1000]) {
          log.push(...records.slice(log.length, log.length + (cut % 7) + (cut === 1000 ? 1000 : 0)));
          expect(filesAt(log)).toEqual(filesAt([...log]));
          expect(filesAt(log, cut % 30)).toEqual(filesAt([...log], cut % 30));
        }
      }),
    );
  });

  it('are the very same object until a file or a turn comes, so that a page need not draw them again', () => {
    const log = recordsOf([change('/a', '1', 'start'), turn('t1')]);
    const first = filesAt(log);
    log.push({ seq: 3, at: 3, type: 'pause' });
    expect(filesAt(log)).toBe(first);
    log.push({ seq: 4, at: 4, ...change('/a', '2') });
    expect(filesAt(log)).not.toBe(first);
  });

  it('name who changed a file last, and the turn that they are compared with', () => {
    const log = recordsOf([change('/a', '1', 'start'), turn('t1'), change('/a', '2'), turn('t2')]);
    log.push({
      seq: 5,
      at: 5,
      type: 'file_change',
      path: '/a',
      by: 'tool',
      call: 'c',
      after: { text: '3' },
    });
    log.push({ seq: 6, at: 6, ...change('/b', 'mine', 'person') });
    expect(filesAt(log)).toMatchObject({
      turn: 't2',
      files: [
        { path: '/a', start: { text: '1' }, turn: { text: '2' }, now: { text: '3' }, call: 'c', seq: 5 },
        { path: '/b', by: 'person' },
      ],
    });
  });

  it('leave out what came and went between', () => {
    const log = recordsOf([turn('t1'), change('/a', '1'), change('/a', undefined)]);
    expect(filesAt(log).files).toEqual([]);
  });
});

it('the size of a file is that of its UTF-8', () => {
  expect(contentBytes({ text: 'é€' })).toBe(5);
  expect(contentBytes({ blob: 'x', bytes: 7, binary: true })).toBe(7);
});
