/** What the token carries: from the poll that took it to where it joins the context. */
import type { LoopPlace } from '../../trace/loop-place';

/** What the poll found at which the loop stands; `undefined` elsewhere. */
export function pollAt({ station, seq, visits }: LoopPlace): LoopPlace['carried'] {
  const mark = station && visits.get(station);
  return mark?.seq === seq ? mark.poll : undefined;
}

/** `hasArrived`: the token is drawn at its place. What joins there has not joined as it is drawn before. */
export function cargoOf(place: LoopPlace, hasArrived: boolean): LoopPlace['carried'] {
  if (place.carried || hasArrived || place.station !== 'inject') return place.carried;
  return place.polls.findLast(({ poll }) => poll && poll.count > 0)?.poll;
}
