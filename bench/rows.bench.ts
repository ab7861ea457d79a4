/** The outline of 100,000 records, all its rows. */
import { fold } from '../src/trace/fold';
import { outlineRows } from '../src/trace/rows';
import { longSession } from '../src/trace/testing/long-session';
import { medianTime } from './measure';
import type { Bench, Figure } from './measure';

const mixes = {
  'mostly deltas': { runs: 10, turnsPerRun: 10, deltasPerTurn: 1000 },
  'one run of 1,000 turns': { runs: 1, turnsPerRun: 1000, deltasPerTurn: 90 },
};

const bench: Bench = async () => {
  const figures: Figure[] = [];
  for (const [mix, length] of Object.entries(mixes)) {
    const { records } = longSession(length);
    const count = outlineRows(fold(records)).length.toLocaleString('en');
    // A trace of its own each time: rows of what has ended are kept.
    const value = await medianTime(() => fold(records), outlineRows);
    figures.push({ name: `${count} rows of 100,000 records, ${mix}`, value, unit: 'ms', limit: 150 });
  }
  return figures;
};

export default bench;
