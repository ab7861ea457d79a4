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
  // At the poll itself it waits for what comes.
  if (drawn.leg === from.leg && drawn.at > from.at + 1e-3) return taken.poll;
  if (drawn.leg !== 'inner') return drawn.leg === 'stop' || drawn.leg === from.leg ? undefined : taken.poll;
  return drawn.at < stationPosition(map, 'inject').at ? taken.poll : undefined;
}

/** How many messages have joined the context, but not yet as it is drawn: the token has not brought them there. */
export function notJoined(map: Geometry, polls: readonly Mark[], drawn: Position, end: Position): number {
  const taken = polls.findLast(({ poll }) => poll && poll.count > 0);
  if (!taken?.poll || drawn.leg === 'stop' || (drawn.leg === end.leg && drawn.at === end.at)) return 0;
  // Beyond the place where it goes, it is still in the turn before.
  const isInTurn = drawn.leg === 'inner' && drawn.at <= end.at;
  return isInTurn && drawn.at >= stationPosition(map, 'inject').at ? 0 : taken.poll.count;
}
