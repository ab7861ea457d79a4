import { loopPlace } from '../../trace/loop-place';
import type { Trace } from '../../trace';
import { heldText } from '../loop-map/texts';

/** Where the loop of a trace is held. */
export function heldIn(trace: Trace): string {
  return heldText(loopPlace(trace));
}
