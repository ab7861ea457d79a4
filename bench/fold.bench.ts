/** Reading 100,000 records: checked as they come from outside, and folded into a trace in one go. */
import { parseRecords } from '../src/records';
import type { TraceRecord } from '../src/records/types';
import { longSession } from '../src/trace/testing/long-session';
import { fold } from '../src/trace/fold';
import { medianTime } from './measure';
import type { Bench, Figure } from './measure';

const mixes = {
  'mostly deltas': { runs: 10, turnsPerRun: 10, deltasPerTurn: 1000 },
  '1,000 runs of 4 turns': { runs: 1000, turnsPerRun: 4, deltasPerTurn: 10 },
  'one run of 4,000 turns': { runs: 1, turnsPerRun: 4000, deltasPerTurn: 8 },
};

const bench: Bench = async () => {
  const figures: Figure[] = [];
  for (const [mix, length] of Object.entries(mixes)) {
    const written = longSession(length).records.slice(0, 100_000);
    // As records come: cloned by `postMessage` or read from the database, not shared with whoever wrote them.
    const received = (): TraceRecord[] => structuredClone(written);
    const count = written.length.toLocaleString('en');
    const time = { unit: 'ms', limit: 100 };
    figures.push({ ...time, name: `fold ${count}, ${mix}`, value: await medianTime(received, fold) });
    figures.push({
      name: `parse ${count}, ${mix}`,
      value: await medianTime(received, parseRecords, 3),
      unit: 'ms',
      limit: 1000,
    });
  }
  return figures;
};

export default bench;
