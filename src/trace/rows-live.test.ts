import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TraceRecord } from '../records/types';
import { emptyTrace, fold, foldInto } from './fold';
import type { RowHead } from './branch';
import type { HideableKind, OutlineOptions, RowBody } from './rows';
import { OutlineRows } from './rows-live';
import { pathTo } from './rows-path';
import { longSession } from './testing/long-session';
import { randomSession } from './testing/random-session';
import { Recording } from './testing/recording';
import type { Trace } from './types';

/** Some rows are higher than others. */
const heightOf = ({ kind, injected }: RowHead) =>
  injected ? 47 : kind === 'message' ? 40 : kind.length + 20;

function shown(outline: OutlineRows) {
  return Array.from({ length: outline.length }, (_, index) => {
    const row = outline.row(index)!;
    return { row, top: outline.topOf(index), setSize: outline.setSize(row) };
  });
}

function fromScratch(records: readonly TraceRecord[], options: OutlineOptions) {
  const outline = new OutlineRows(heightOf);
  outline.update(fold(records), records, options);
  return outline;
}

/** What a search may want: any rows that a trace has, more and more of them, and then fewer. */
function only(trace: Trace, fewer: number): Set<string> {
  const keys = [
    ...[...trace.messages.keys()].map((id) => `message:${id}`),
    ...[...trace.calls.keys()].map((id) => `call:${id}`),
    ...trace.notes
      .filter(({ note }) => note.type === 'hook' || note.type === 'http')
      .map(({ seq }) => `note:${seq}`),
  ];
  return new Set(keys.filter((_, index) => index % 3 === 0 && index % fewer !== 0));
}

const kinds: RowBody['kind'][] = ['run', 'turn', 'message', 'call', 'deltas', 'files'];
const hideable: HideableKind[] = [
  'poll',
  'hook',
  'decide',
  'call',
  'thinking',
  'deltas',
  'file',
  'permission',
];

/** Folds and hides at random: keys that the session's outline has, again and again others; kinds; and what is left out. */
function randomOptions(trace: Trace): fc.Arbitrary<OutlineOptions[]> {
  const all = new OutlineRows(heightOf);
  all.update(trace, [], { collapsedKinds: new Set() });
  const keys = shown(all).map(({ row }) => row.key);
  const some = fc.subarray(keys, { maxLength: Math.min(12, keys.length) });
  return fc
    .tuple(
      fc.array(fc.tuple(some, some), { minLength: 1, maxLength: 4 }),
      fc.subarray(kinds),
      fc.subarray(hideable),
      fc.boolean(),
    )
    .map(([folds, closed, left, quiet]) => {
      const [collapsedKinds, hidden] = [new Set(closed), new Set(left)];
      return folds.map(([collapsed, expanded]) => ({
        collapsed: new Set(collapsed),
        expanded: new Set(expanded),
        collapsedKinds,
        hidden,
        quiet,
      }));
    });
}

/** Calls `check` after each of the random pieces in which the session's records come. */
function grown(
  numRuns: number,
  check: (outline: OutlineRows, records: TraceRecord[], options: OutlineOptions, trace: Trace) => void,
): void {
  const session = randomSession().chain(({ records }) =>
    fc.tuple(
      fc.constant(records),
      randomOptions(fold(records)),
      // One record at a time, mostly: what a record changes must not be found by its neighbours.
      fc.array(fc.oneof(fc.constant(1), fc.constant(1), fc.constant(2), fc.nat(60)), { maxLength: 60 }),
    ),
  );
  fc.assert(
    fc.property(session, ([records, folds, pieces]) => {
      const trace = emptyTrace();
      const log: TraceRecord[] = [];
      const outline = new OutlineRows(heightOf);
      for (let piece = 0; log.length < records.length; piece++) {
        const more = records.slice(log.length, log.length + (pieces[piece] ?? 1));
        log.push(...more);
        foldInto(trace, more);
        const options = folds[(piece >> 2) % folds.length] ?? {};
        outline.update(trace, log, options);
        check(outline, log, options, trace);
      }
    }),
    { numRuns },
  );
}

describe('rows while the trace grows', () => {
  it('are at any time what they would be if they were made anew, in any session with any folds', () => {
    grown(20, (outline, log, options) => {
      const anew = fromScratch(log, options);
      expect(shown(outline)).toEqual(shown(anew));
      expect(outline.height).toBe(anew.height);
    });
  });

  it('that are wanted alone are so too, and each of them is there, whatever is left out, below its run and turn', () => {
    let wanted: OutlineOptions = {};
    let step = 0;
    grown(20, (outline, log, options, trace) => {
      const keys = only(trace, ++step % 9 === 0 ? 10 : 1000);
      wanted = { ...options, only: keys };
      outline.update(trace, log, wanted);
      expect(shown(outline)).toEqual(shown(fromScratch(log, wanted)));
      outline.update(trace, log, { only: keys });
      const rows = shown(outline).map(({ row }) => row);
      const paths = [...keys].map((key) => pathTo(trace, key));
      expect(new Set(rows.map(({ key }) => key))).toEqual(new Set(paths.flat()));
      for (const path of paths) expect(rows[outline.nearest(path.at(-1) ?? '')]?.key).toBe(path.at(-1));
      for (const [index, { top }] of shown(outline).entries()) expect(outline.indexAt(top)).toBe(index);
      expect(outline.row(outline.indexAt(outline.height + 99))).toBe(rows.at(-1));
    });
  });

  it('of which none is wanted are none', () => {
    const { records } = longSession({ runs: 2, turnsPerRun: 2, deltasPerTurn: 3 });
    const trace = fold(records);
    const outline = new OutlineRows(heightOf);
    outline.update(trace, records, { only: new Set() });
    expect([outline.length, outline.height, outline.row(0), outline.headsAt(0)]).toEqual([
      0,
      0,
      undefined,
      [],
    ]);
    outline.update(trace, records, { only: new Set([`message:${[...trace.messages.keys()].at(-1)}`]) });
    expect(shown(outline).map(({ row }) => row.kind)).toEqual(['run', 'turn', 'message']);
  });

  it('take over what ends late: a pause, and a call that code made and its run left behind', () => {
    const recording = new Recording();
    const run = recording.startRun();
    const turn = recording.startTurn(run);
    const blocks = [{ type: 'toolCall' as const, name: 'js', arguments: {} }];
    const message = recording.assistant(run, turn, { blocks });
    const call = recording.startCall(run, turn, message, 0, 'js');
    recording.add({ type: 'pause' });
    const nested = recording.startNested(call, 'read');
    recording.endTurn(turn, message);
    recording.startTurn(run);
    const log = [...recording.records];
    const trace = fold(log);
    const outline = new OutlineRows(heightOf);
    const options = {};
    outline.update(trace, log, options);
    recording.add({ type: 'resume' }, 700);
    recording.endNested(nested, 'read late');
    const more = recording.records.slice(log.length);
    log.push(...more);
    foldInto(trace, more);
    outline.update(trace, log, options);
    const rows = shown(outline).map(({ row }) => row);
    expect(rows.find((row) => row.kind === 'note' && row.noteKind === 'pause')?.durationMs).toBeGreaterThan(
      700,
    );
    expect(rows.find(({ key }) => key === `call:${nested}`)).toMatchObject({ status: 'done' });
  });

  it('are found by their keys, and by where they stand', () => {
    grown(5, (outline) => {
      for (const [index, { row, top }] of shown(outline).entries()) {
        expect(outline.nearest(row.key)).toBe(index);
        expect(outline.indexAt(top)).toBe(index);
        expect(outline.indexAt(top + heightOf(row) - 1)).toBe(index);
      }
    });
  });

  it('stand below the heads that are named for their place', () => {
    grown(5, (outline) => {
      const rows = shown(outline);
      for (const [index, { row, top }] of rows.entries()) {
        const heads = outline.headsAt(top);
        for (const head of heads) {
          expect(outline.row(head.index)).toBe(head.row);
          const within = rows.filter((other) => other.top >= head.top && other.top < head.bottom);
          expect(within[0]?.row).toBe(head.row);
          expect(within.slice(1).every((other) => other.row.depth > head.row.depth)).toBe(true);
          const next = rows[head.index + within.length];
          if (next) expect(next.row.depth).toBeLessThanOrEqual(head.row.depth);
        }
        const above = rows.slice(0, index + 1).findLast((other) => other.row.kind === 'turn');
        const inside = above && above.row.expanded && row.depth > 1;
        expect(heads.some((head) => head.row === above?.row)).toBe(
          inside || (above?.row === row && row.expanded),
        );
      }
    });
  });

  it('stay the same objects where nothing changes', () => {
    const { records } = longSession({ runs: 2, turnsPerRun: 4, deltasPerTurn: 3 });
    const trace = fold(records.slice(0, -40));
    const log = records.slice(0, -40);
    const outline = new OutlineRows(heightOf);
    const options = {};
    outline.update(trace, log, options);
    const before = shown(outline).map(({ row }) => row);
    const more = records.slice(-40, -30);
    log.push(...more);
    foldInto(trace, more);
    outline.update(trace, log, options);
    const kept = shown(outline).filter(({ row }, index) => row === before[index]);
    expect(before.length).toBeGreaterThan(40);
    expect(kept.length).toBeGreaterThan(before.length - 12);
  });

  it('begin anew with another trace, and with other options', () => {
    const { records } = longSession({ runs: 1, turnsPerRun: 2, deltasPerTurn: 3 });
    const outline = new OutlineRows(heightOf);
    outline.update(fold(records), records);
    const { length } = outline;
    outline.update(fold(records), records, { collapsedKinds: new Set(['run'] as const) });
    expect(outline.length).toBe(1);
    outline.update(fold(records), [...records], {});
    expect(outline.length).toBe(length);
  });
});

describe('the row nearest to a key', () => {
  it('is the folded one above it', () => {
    const { records } = longSession({ runs: 1, turnsPerRun: 3, deltasPerTurn: 3 });
    const trace = fold(records);
    const outline = new OutlineRows(heightOf);
    const call = [...trace.calls.values()][1]!;
    outline.update(trace, records, { collapsedKinds: new Set(['turn'] as const) });
    expect(outline.row(outline.nearest(`call:${call.id}`))?.key).toBe(`turn:${call.turn}`);
    expect(outline.nearest('call:unknown')).toBe(-1);
  });

  it('is the call’s, for the message that carries its result', () => {
    const { records } = longSession({ runs: 1, turnsPerRun: 3, deltasPerTurn: 3 });
    const trace = fold(records);
    const outline = new OutlineRows(heightOf);
    const call = [...trace.calls.values()][1]!;
    outline.update(trace, records);
    expect(outline.row(outline.nearest(`message:${call.resultMessage}`))?.key).toBe(`call:${call.id}`);
  });
});
