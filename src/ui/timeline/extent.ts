/** Places of the axis: of all there is, and of what is selected. */
import type { Lanes } from '../../trace/lanes';
import type { AxisView } from '../../trace/lanes-bars';
import type { Selection } from '../view.svelte';
import { spanOfSelection } from './selection';
import type { Extent, TimeWindow } from './time-window';

/** The shortest window, and what an empty axis shows: in ms, and in steps. */
const LEAST = { at: 20, seq: 4 };
const EMPTY = { at: 10_000, seq: 100 };

/** The scale of a view, and now as a value of it. */
export type Measured = Pick<AxisView, 'scale' | 'now'>;

export function extentOf({ start }: Pick<Lanes, 'start'>, { scale, now }: Measured): Extent {
  const first = start ? start[scale.measure] : 0;
  const least = (start ? LEAST : EMPTY)[scale.measure];
  return { start: scale.place(first), end: scale.place(Math.max(now, first)), least };
}

/** From its start to its end, or to now; `undefined` for what has no time. */
export function placesOf(
  lanes: Lanes,
  selection: Selection,
  { scale, now }: Measured,
): TimeWindow | undefined {
  const span = spanOfSelection(lanes, selection);
  if (!span) return undefined;
  const end = scale.measure === 'seq' ? span.endSeq : span.endAt;
  return { from: scale.place(span[scale.measure]), to: scale.place(Math.min(end, now)) };
}
