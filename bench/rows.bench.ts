/** The outline of 100,000 records: all its rows at once, and what a frame costs while 5,000 records a second come. */
import { emptyTrace, fold, foldInto } from '../src/trace/fold';
import type { RowHead } from '../src/trace/branch';
import { OutlineRows } from '../src/trace/rows-live';
import { longSession } from '../src/trace/testing/long-session';
import type { TraceRecord } from '../src/records/types';
import { medianTime } from './measure';
import type { Bench, Figure } from './measure';

const mixes = {
  'mostly deltas': { runs: 10, turnsPerRun: 10, deltasPerTurn: 1000 },
  'one run of 1,000 turns': { runs: 1, turnsPerRun: 1000, deltasPerTurn: 90 },
  'one run of 6,000 turns': { runs: 1, turnsPerRun: 6000, deltasPerTurn: 3 },
};
/** What comes in a frame at 5,000 records a second. */
const perFrame = 84;

const heightOf = ({ kind }: RowHead) => (kind === 'run' || kind === 'turn' ? 29 : 25);

/** What the page does with new records: brings the outline up to date, and reads what is in sight. */
function frame(
  outline: OutlineRows,
  trace: ReturnType<typeof fold>,
  log: TraceRecord[],
  options: object,
): number {
  outline.update(trace, log, options);
  const first = outline.indexAt(outline.height - 1000);
  for (let index = first; index < outline.length; index++) outline.topOf(index);
  return outline.headsAt(outline.height - 1000).length;
}

/** ms of each frame of the last fifth of a session. */
function frames(records: readonly TraceRecord[]): number[] {
  const trace = emptyTrace();
  const log = records.slice(0, records.length * 0.8);
  const options = {};
  const outline = new OutlineRows(heightOf);
  foldInto(trace, log);
  frame(outline, trace, log, options);
  const times: number[] = [];
  while (log.length < records.length) {
    const more = records.slice(log.length, log.length + perFrame);
    for (const record of more) log.push(record);
    foldInto(trace, more);
    const started = performance.now();
    frame(outline, trace, log, options);
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b);
}

const bench: Bench = async () => {
  const figures: Figure[] = [];
  for (const [mix, length] of Object.entries(mixes)) {
    const { records } = longSession(length);
    const all = new OutlineRows(heightOf);
    all.update(fold(records), records);
    const count = all.length.toLocaleString('en');
    // A trace of its own each time: rows of what has ended are kept.
    const value = await medianTime(
      () => fold(records),
      (trace) => new OutlineRows(heightOf).update(trace, records),
    );
    figures.push({ name: `${count} rows of 100,000 records, ${mix}`, value, unit: 'ms', limit: 150 });
    frames(records);
    const times = frames(records);
    figures.push({
      name: `${perFrame} records more, 95th percentile, ${mix}`,
      value: times[Math.floor(times.length * 0.95)] ?? Number.NaN,
      unit: 'ms',
      limit: 4,
    });
    const trace = fold(records);
    const folding = await medianTime(
      () => ({ collapsed: new Set([`turn:${[...trace.turns.keys()][1]}`]) }),
      (options) => all.update(trace, records, options),
    );
    figures.push({ name: `a turn folded, ${mix}`, value: folding, unit: 'ms', limit: 60 });
  }
  return figures;
};

export default bench;
