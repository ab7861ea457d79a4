/** The fine ticks on the inner limb: the records of this turn, by where they happened. */
import type { LoopPlace } from '../../trace/loop-place';
import type { Geometry } from './geometry';
import { stationPosition } from './geometry';

/** The least distance between two ticks, in degrees. */
export const tickStep = 1.2;

/** Angles on the inner circle, from the first to the last. */
export function tickAngles(map: Geometry, place: LoopPlace): number[] {
  const inner = map.legs.inner as { from: number; to: number };
  const found: number[] = [];
  for (const { station } of place.marks) {
    if (station === 'stream' || station === 'tools') continue;
    const { leg, at } = stationPosition(map, station);
    if (leg !== 'inner') continue;
    const angle = inner.from + (inner.to - inner.from) * at;
    // One after the other where they share a station.
    const same = found.filter((other) => Math.abs(other - angle) < 3 * tickStep).length;
    found.push(angle + same * tickStep);
  }
  const { stream } = place;
  if (stream && stream.deltas > 0) {
    const span = (map.stream.to - map.stream.from) * stream.progress;
    const count = Math.min(stream.deltas, Math.floor(span / tickStep));
    for (let index = 0; index <= count; index++)
      found.push(map.stream.from + (span * index) / Math.max(1, count));
  }
  return thinned(found.sort((a, b) => a - b));
}

function thinned(angles: number[]): number[] {
  let last = -Infinity;
  return angles.filter((angle) => {
    if (angle - last < tickStep - 1e-9) return false;
    last = angle;
    return true;
  });
}
