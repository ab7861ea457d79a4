import { bench, describe } from 'vitest';
import { parseRecords } from '../src/records';
import type { TraceRecord } from '../src/records/types';
import { fold } from '../src/trace/fold';
import { longSession } from '../src/trace/testing/long-session';

/** As records come: cloned by `postMessage` or read from the database, not shared with whoever wrote them. */
function received(length: Parameters<typeof longSession>[0]): TraceRecord[] {
  return structuredClone(longSession(length).records).slice(0, 100_000);
}

const mixes = {
  'mostly deltas': received({ runs: 10, turnsPerRun: 10, deltasPerTurn: 1000 }),
  '1,000 runs of 4 turns': received({ runs: 1000, turnsPerRun: 4, deltasPerTurn: 10 }),
  'one run of 4,000 turns': received({ runs: 1, turnsPerRun: 4000, deltasPerTurn: 8 }),
};

describe.each(Object.entries(mixes))('100,000 records, %s', (_mix, records) => {
  bench(`fold ${records.length} (at most 100 ms)`, () => void fold(records), { time: 1000, warmupTime: 200 });
  bench(`parse ${records.length} (at most 1,000 ms)`, () => void parseRecords(records), {
    time: 2000,
    iterations: 3,
  });
});
