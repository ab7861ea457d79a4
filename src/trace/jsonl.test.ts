import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TraceRecord } from '../records/types';
import { exportJsonl } from './export-jsonl';
import { importJsonl, ImportError } from './import-jsonl';
import { randomSession } from './testing/random-session';
import { Recording } from './testing/recording';

const info = { title: 'Fix the “test”', createdAt: 1_700_000_000_000 };

function hashed(contents: Uint8Array[]): Map<string, Uint8Array> {
  return new Map(contents.map((bytes) => [createHash('sha256').update(bytes).digest('hex'), bytes]));
}

function sample() {
  const recording = new Recording();
  const run = recording.startRun();
  recording.endRun(run);
  return { records: recording.records, blobs: hashed([new Uint8Array([0, 255, 7])]) };
}

function lines(): string[] {
  const { records, blobs } = sample();
  return exportJsonl(info, records, blobs).trimEnd().split('\n');
}

describe('an export', () => {
  it('is read back as the same session', () => {
    fc.assert(
      fc.property(
        randomSession(),
        fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 3 }),
        fc.record({
          title: fc.string(),
          createdAt: fc.nat(),
          scenario: fc.jsonValue(),
          scenarioId: fc.string(),
        }),
        ({ records }, contents, anyInfo) => {
          const blobs = hashed(contents);
          const text = exportJsonl(anyInfo, records, blobs);
          const read = importJsonl(text);
          expect(read.records).toEqual(records);
          expect(read.blobs).toEqual(blobs);
          expect(read.info).toEqual({
            ...JSON.parse(JSON.stringify(anyInfo)),
            seq: records.length,
            at: records.at(-1)?.at,
            state: 'idle',
          });
          expect(exportJsonl(read.info, read.records, read.blobs)).toBe(text);
        },
      ),
    );
  });

  it('does not depend on the visit: not on the id, the last change or the order of blobs', () => {
    const { records } = sample();
    const blobs = hashed([new Uint8Array([1]), new Uint8Array([2]), new Uint8Array([3])]);
    const visit = { ...info, id: 'here', updatedAt: 5, seq: 3, at: 3, state: 'idle' as const };
    const backwards = new Map([...blobs].toReversed());
    expect(exportJsonl(visit, records, backwards)).toBe(exportJsonl(info, records, blobs));
  });

  it('of an open run is read as one that still runs, so that whoever opens it says it was interrupted', () => {
    const recording = new Recording();
    recording.startRun();
    expect(importJsonl(exportJsonl(info, recording.records, new Map())).info.state).toBe('running');
  });

  it('holds a large blob', () => {
    const blobs = hashed([new Uint8Array(300_000).fill(200)]);
    expect(importJsonl(exportJsonl(info, [], blobs)).blobs).toEqual(blobs);
  });
});

describe('an import', () => {
  it('takes what a model named like a prototype, as a key like any other', () => {
    const recording = new Recording();
    recording.startRun();
    const args = JSON.parse('{"__proto__":{"polluted":true}}') as Record<string, unknown>;
    const { seq, at } = recording.records.at(-1)!;
    const call = { seq: seq + 1, at, type: 'nested_call_start', call: 'c', parent: 'p', toolName: 't', args };
    const text = exportJsonl(info, [...recording.records, call as TraceRecord], new Map());
    const read = importJsonl(text).records.at(-1) as Extract<TraceRecord, { type: 'nested_call_start' }>;
    expect(Object.keys(read.args)).toEqual(['__proto__']);
    expect(read.args.polluted).toBeUndefined();
  });

  it('takes Windows line ends, empty lines and a byte order mark', () => {
    const text = '\uFEFF' + lines().join('\r\n\r\n');
    expect(importJsonl(text).records).toEqual(sample().records);
  });

  const edited = (edit: (all: string[]) => void) => {
    const all = lines();
    edit(all);
    return all.join('\n');
  };
  const header = (change: object) =>
    edited((all) => (all[0] = JSON.stringify({ ...JSON.parse(all[0]!), ...change })));

  it.each([
    ['an empty file', '', 'import.empty', {}],
    ['a file that is no JSON', '# Notes\n', 'import.notOurs', {}],
    ['JSON of somebody else', '{"type":"session"}\n', 'import.notOurs', {}],
    ['a list', '[1]', 'import.notOurs', {}],
    ['a later format', header({ epicycle: 2 }), 'import.version', { version: 2 }],
    ['a header with a fault', header({ title: 7 }), 'import.header', { path: 'title' }],
    ['a line that is no JSON', edited((all) => (all[2] = '{"seq":1,')), 'import.json', { line: 3 }],
    [
      'a record with a fault',
      edited((all) => (all[2] = all[2]!.replace('"prompt"', '"magic"'))),
      'import.record',
      { line: 3, path: 'how' },
    ],
    [
      'a record too few in the middle',
      edited((all) => all.splice(3, 1)),
      'import.record',
      { line: 4, path: 'seq' },
    ],
    ['a file that was cut off', edited((all) => all.pop()), 'import.cutOff', { found: 3, expected: 4 }],
    ['a line too many', edited((all) => all.push('{}')), 'import.tooLong', { line: 6 }],
    [
      'a blob that is not what its hash says',
      edited((all) => (all[1] = all[1]!.replace('AP8H', 'AP8I'))),
      'import.blob',
      { line: 2 },
    ],
    [
      'a blob that is no base64',
      edited((all) => (all[1] = all[1]!.replace('AP8H', '!!'))),
      'import.blob',
      { line: 2 },
    ],
    ['a blob that is none', edited((all) => (all[1] = '7')), 'import.blob', { line: 2 }],
    ['a day that no calendar has', header({ createdAt: 1e300 }), 'import.header', { path: 'createdAt' }],
    ['a title like a book', header({ title: 'x'.repeat(1e6) }), 'import.header', { path: 'title' }],
    [
      'a time that no clock shows',
      edited((all) => (all[4] = all[4]!.replace(/"at":[\d.]+/, '"at":1e300'))),
      'import.record',
      { line: 5, path: 'at' },
    ],
    [
      'a time that is too large for a number',
      edited((all) => (all[4] = all[4]!.replace(/"at":[\d.]+/, '"at":1e999'))),
      'import.record',
      { line: 5, path: 'at' },
    ],
    [
      'a record with another prototype',
      edited((all) => (all[2] = all[2]!.replace('{', '{"__proto__":{"how":"magic"},'))),
      'import.badKey',
      { line: 3 },
    ],
    [
      'a record that is nested without end',
      edited((all) => (all[2] = `${'['.repeat(1e5)}${']'.repeat(1e5)}`)),
      'import.tooDeep',
      { line: 3 },
    ],
  ])('of %s is refused, and the line is named', (_file, text, code, params) => {
    let thrown: unknown;
    try {
      importJsonl(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(ImportError);
    expect(thrown).toMatchObject({ code, params });
  });
});
