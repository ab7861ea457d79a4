/** What of a row is in sight, in pixels: bars narrower than a pixel are drawn as one, however many there are. */
import { firstAbove, firstNotBelow, type LaneRow } from './lanes-row';
import type { Scale } from './lanes-scale';

/** What the axis shows: places from `from` to `to` over `width` pixels; what is open ends at `now` (a value of the scale). */
export interface AxisView {
  scale: Scale;
  from: number;
  to: number;
  width: number;
  now: number;
}

/** Columns, valid below `count`; kept and filled again at each drawing. Pixels count from the left edge of the view. */
export class PixelBars {
  count = 0;
  x0 = new Float64Array(256);
  x1 = new Float64Array(256);
  /** The bars of the row that it stands for, as indexes. */
  first = new Uint32Array(256);
  last = new Uint32Array(256);

  add(x0: number, x1: number, first: number, last: number): void {
    if (this.count === this.x0.length) {
      for (const key of ['x0', 'x1'] as const) {
        const more = new Float64Array(this.count * 2);
        more.set(this[key]);
        this[key] = more;
      }
      for (const key of ['first', 'last'] as const) {
        const more = new Uint32Array(this.count * 2);
        more.set(this[key]);
        this[key] = more;
      }
    }
    this.x0[this.count] = x0;
    this.x1[this.count] = x1;
    this.first[this.count] = first;
    this.last[this.count++] = last;
  }
}

export function pixelOf({ scale, from, to, width }: AxisView, value: number): number {
  return ((scale.place(value) - from) * width) / (to - from);
}

/** The value (a time or a sequence number) at a pixel. */
export function valueAt({ scale, from, to, width }: AxisView, pixel: number): number {
  return scale.value(from + (pixel * (to - from)) / width);
}

/** The indexes of the row's bars that touch the view: from `first` to before `end`. */
export function barsInView(row: LaneRow, view: AxisView): { first: number; end: number } {
  const { scale, from, to } = view;
  const end = firstAbove(row.starts(scale.measure), scale.value(to), 0, row.count);
  const first = firstNotBelow(row.ends(scale.measure), scale.value(from), 0, end);
  // What is open ends now, and that can lie before the view.
  const isGone = first < end && view.now < scale.value(from) && row.ends(scale.measure)[first] === Infinity;
  return { first: isGone ? end : first, end };
}

/**
 * Fills `bars` with what to draw of the row. Each bar in sight is in exactly one of them; what stands for many begins in
 * one pixel and is no wider than what it stands for.
 */
export function pixelBars(row: LaneRow, view: AxisView, bars: PixelBars): PixelBars {
  const { measure } = view.scale;
  const starts = row.starts(measure);
  const ends = row.ends(measure);
  const { first, end } = barsInView(row, view);
  const left = (index: number): number => pixelOf(view, starts[index] ?? 0);
  const right = (index: number): number => pixelOf(view, Math.min(ends[index] ?? 0, view.now));
  bars.count = 0;
  for (let index = first; index < end;) {
    const x0 = left(index);
    const x1 = right(index);
    if (x1 - x0 >= 1) {
      bars.add(x0, x1, index, index);
      index++;
      continue;
    }
    const next = firstNotBelow(starts, valueAt(view, Math.floor(x0) + 1), index + 1, end);
    let last = next - 1;
    // One that begins in this pixel and is wide is drawn as itself.
    if (last > index && right(last) - left(last) >= 1) last--;
    bars.add(x0, Math.max(x1, right(last)), index, last);
    index = last + 1;
  }
  return bars;
}
