/** Where on the strip the loop is: it has fewer stations than the map. */
import type { LoopPlace } from '../../trace/loop-place';
import type { Station } from '../../trace/loop-stations';
import type { Station as StripStation } from '../conversation/station';

const strip: Record<Station, StripStation> = {
  start: 'inject',
  pollStart: 'pollSteering',
  turnStart: 'inject',
  inject: 'inject',
  prepareRequest: 'request',
  stream: 'stream',
  tools: 'tools',
  finishTurn: 'finishTurn',
  pollSteering: 'pollSteering',
  innerGoOn: 'goOn',
  prepareNextTurn: 'goOn',
  pollPrepare: 'pollSteering',
  pollFollowUp: 'pollFollowUp',
  outerGoOn: 'stopOrPass',
  prepareNextPass: 'stopOrPass',
  pollNextPass: 'pollSteering',
  stop: 'stopOrPass',
};

/** `undefined` while no run is open. */
export function stripStation({ state, station }: LoopPlace): StripStation | undefined {
  return state === 'running' && station ? strip[station] : undefined;
}
