/** What every benchmark shares: how long something takes, and the figure that is made of it. */

/** One measured number beside the limit that it must stay under. */
export interface Figure {
  /** What was measured, as a phrase: "fold 100,000 records in one go". */
  name: string;
  value: number;
  /** Unit of `value` and of `limit`. */
  unit: string;
  /** Without one the number only helps to judge the others: how fast this machine is, say. */
  limit?: number;
}

/**
 * What a `*.bench.ts` file exports as default: resolves to its figures. One that takes minutes tells them as they come
 * instead. `root` is the folder of the project.
 */
export type Bench = (root: string, tell: (figures: Figure[]) => void) => Figure[] | Promise<Figure[]>;

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
  return median(times);
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which this share of the values lies; `NaN` of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
