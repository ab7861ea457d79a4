/** What every benchmark shares: how long something takes, and the figure that is made of it. */

/** One measured number beside the limit that it must stay under. */
export interface Figure {
  /** What was measured, as a phrase: "fold 100,000 records in one go". */
  name: string;
  value: number;
  /** Unit of `value` and of `limit`. */
  unit: string;
  limit: number;
}

/** What a `*.bench.ts` file exports as default. `root` is the folder of the project. */
export type Bench = (root: string) => Figure[] | Promise<Figure[]>;

/**
 * How many milliseconds `work` takes: the median of `rounds` runs, after one that does not count. `prepare` makes what
 * each run works on, outside the measured time.
 */
export async function medianTime<Input>(
  prepare: () => Input,
  work: (input: Input) => unknown,
  rounds = 9,
): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const input = prepare();
    const started = performance.now();
    await work(input);
    if (round > 0) times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}
