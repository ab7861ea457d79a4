/** The time axis: laying out the lanes of long traces, letting them grow, and finding what to draw of 100,000 bars. */
import type { TraceRecord } from '../src/records/types';
import { emptyTrace, fold, foldInto } from '../src/trace/fold';
import { LANE_KINDS, Lanes, lanesOf } from '../src/trace/lanes';
import { PixelBars, pixelBars, type AxisView } from '../src/trace/lanes-bars';
import { longSession } from '../src/trace/testing/long-session';
import { Recording } from '../src/trace/testing/recording';
import { medianTime } from './measure';
import type { Bench, Figure } from './measure';

const mixes = {
  'mostly deltas': { runs: 10, turnsPerRun: 10, deltasPerTurn: 1000 },
  'one run of 4,000 turns': { runs: 1, turnsPerRun: 4000, deltasPerTurn: 8 },
};
const WIDTH = 1200;

const bench: Bench = async () => {
  const figures: Figure[] = [];
  for (const [mix, length] of Object.entries(mixes)) {
    const records = longSession(length).records.slice(0, 100_000);
    const trace = fold(records);
    figures.push({
      name: `lanes of 100,000 records, ${mix}`,
      value: await medianTime(
        () => trace,
        (whole) => lanesOf(whole),
      ),
      unit: 'ms',
      limit: 100,
    });
    figures.push(await growth(mix, records));
  }
  figures.push(...(await drawing()));
  return figures;
};

/** Steps by 80 records each (5,000 a second, 60 times a second) at the end of a long trace; what one of them takes. */
async function growth(mix: string, records: TraceRecord[]): Promise<Figure> {
  const steps = 100;
  const known = records.length - steps * 80;
  const times: number[] = [];
  const grown = (): Lanes => lanesOf(foldInto(emptyTrace(), records.slice(0, known)));
  const grow = (lanes: Lanes): void => {
    for (let at = known; at < records.length; at += 80) {
      foldInto(lanes.trace, records.slice(at, at + 80));
      const started = performance.now();
      lanes.grow();
      times.push(performance.now() - started);
    }
  };
  await medianTime(grown, grow, 3);
  const value = times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? NaN;
  return { name: `grow by 80 records (95th percentile), ${mix}`, value, unit: 'ms', limit: 2 };
}

async function drawing(): Promise<Figure[]> {
  const trace = fold(shortTurns(20_000));
  const lanes = lanesOf(trace);
  const rows = LANE_KINDS.flatMap((kind) => lanes.rows[kind]);
  const count = rows.reduce((sum, row) => sum + row.count, 0).toLocaleString('en');
  const figures: Figure[] = [];
  for (const mode of ['wall', 'folded', 'steps'] as const) {
    const scale = lanes.scale(mode, trace.at);
    const now = scale.measure === 'at' ? trace.at : trace.seq;
    const whole: AxisView = { scale, from: 0, to: scale.place(now), width: WIDTH, now };
    const part = { ...whole, to: whole.to / 10 };
    for (const [seen, view] of Object.entries({ all: whole, 'a tenth': part })) {
      const bars = new PixelBars();
      const find = () => rows.forEach((row) => pixelBars(row, view, bars));
      const value = await medianTime(() => undefined, find);
      figures.push({ name: `find ${seen} of ${count} bars, ${mode}`, value, unit: 'ms', limit: 8 });
    }
  }
  return figures;
}

/** Turns without requests, which have no cost of their own here: three calls at once in each, and a hook. */
function shortTurns(turns: number): TraceRecord[] {
  const recording = new Recording();
  const run = recording.startRun();
  for (let left = turns; left > 0; left--) {
    const turn = recording.startTurn(run);
    const calls = [0, 1, 2].map((index) => recording.startCall(run, turn, 'message', index, 'read'));
    for (const call of calls) recording.endCall(call, 'all of it');
    recording.add({ type: 'hook', run, turn, name: 'finishTurn', durationMs: 1 });
    recording.endTurn(turn, 'message');
  }
  recording.endRun(run);
  return recording.records;
}

export default bench;
