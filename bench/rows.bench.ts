import { bench, describe } from 'vitest';
import { fold } from '../src/trace/fold';
import { outlineRows } from '../src/trace/rows';
import { longSession } from '../src/trace/testing/long-session';

const mixes = {
  'mostly deltas': longSession({ runs: 10, turnsPerRun: 10, deltasPerTurn: 1000 }),
  'one run of 1,000 turns': longSession({ runs: 1, turnsPerRun: 1000, deltasPerTurn: 90 }),
};

describe.each(Object.entries(mixes))('the outline of 100,000 records, %s', (_mix, { records }) => {
  const trace = fold(records);
  bench(`all rows (${outlineRows(trace).length})`, () => void outlineRows(trace));
});
