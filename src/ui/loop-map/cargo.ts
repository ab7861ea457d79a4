/** What the token carries on the way that it is drawn on: from the poll that took it to where it joins. */
import type { Mark } from '../../trace/loop-marks';
import type { LoopPlace } from '../../trace/loop-place';
import { stationPosition } from './geometry';
import type { Geometry, Position } from './geometry';

/**
 * `undefined` once the token has arrived, or where it is not between a poll and the inject station.
 * @param polls those since the map was drawn last
 */
export function cargoOf(
  map: Geometry,
  polls: readonly Mark[],
  drawn: Position,
  end: Position,
): LoopPlace['carried'] {
  const taken = polls.findLast(({ poll }) => poll && poll.count > 0);
  if (!taken?.poll || (drawn.leg === end.leg && drawn.at === end.at)) return undefined;
  const from = stationPosition(map, taken.station);
  if (drawn.leg === from.leg && drawn.at >= from.at) return taken.poll;
  if (drawn.leg !== 'inner')
    return drawn.leg === 'stop' || (drawn.leg === 'no' && from.leg === 'no') ? undefined : taken.poll;
  return drawn.at < stationPosition(map, 'inject').at ? taken.poll : undefined;
}
