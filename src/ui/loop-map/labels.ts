/** Where the names of the stations stand. */
import type { Station } from '../../trace/loop-stations';
import { onCircle, pointAt, stationPoint } from './geometry';
import type { Geometry } from './geometry';

export interface Label {
  station: Station;
  x: number;
  /** Of the first line. */
  y: number;
  anchor: 'start' | 'middle' | 'end';
  look: 'plain' | 'big' | 'small' | 'steering' | 'follow-up';
  /** Where what happened there is said: in the same line, below, or above, where the ring is farther away. */
  detail: 'beside' | 'below' | 'above' | 'none';
}

export interface LabelRoom {
  /** That of the plain labels, in units of the map. */
  size: number;
  /** There is room on the right of the map. */
  roomy: boolean;
}

/** Which names are left out first where there is no room for all: those with the highest numbers. */
export const labelRanks: Record<Station, number> = {
  innerGoOn: 1,
  pollSteering: 2,
  pollFollowUp: 2,
  stream: 2,
  tools: 2,
  inject: 3,
  stop: 3,
  outerGoOn: 3,
  prepareRequest: 5,
  finishTurn: 5,
  start: 5,
  prepareNextTurn: 7,
  // These have no names on the map.
  pollStart: 7,
  turnStart: 7,
  pollPrepare: 7,
  prepareNextPass: 7,
  pollNextPass: 7,
};

/** `lines`: how many lines a label has. */
export function labelsOf(
  map: Geometry,
  { size, roomy }: LabelRoom,
  lines: (station: Station) => number,
): Label[] {
  const wide = map.kind === 'wide';
  const at = (station: Station, progress = 0) => stationPoint(map, station, progress);
  /** The first line's baseline of a text whose middle is at `y`. */
  const middle = (station: Station, y: number) => y + size * 0.36 - ((lines(station) - 1) * size * 1.12) / 2;
  const inject = at('inject');
  const prepare = at('prepareRequest');
  // Large letters on a small map keep clear of the token.
  const stream = onCircle(
    map.inner,
    (map.stream.from + map.stream.to) / 2,
    27 + 2 * Math.max(0, size - (wide ? 17 : 13)),
  );
  const tools = onCircle(map.inner, 19.5, wide ? 26 : 22);
  const finish = at('finishTurn');
  const steering = at('pollSteering');
  const followUp = at('pollFollowUp');
  const inner = at('innerGoOn');
  const outer = at('outerGoOn');
  const stop = pointAt(map, { leg: 'stop', at: 1 });
  const start = at('start');
  const next = at('prepareNextTurn');
  const beside = wide ? 21 : 16;
  const poll = wide ? { dx: 37, dy: 25 } : { dx: 17, dy: 5 };
  return [
    {
      station: 'inject',
      x: inject.x - beside,
      y: middle('inject', inject.y),
      anchor: 'end',
      look: 'plain',
      detail: 'below',
    },
    {
      station: 'prepareRequest',
      x: prepare.x - beside,
      y: middle('prepareRequest', prepare.y) - (wide ? 8 : 2),
      anchor: 'end',
      look: 'plain',
      detail: 'none',
    },
    {
      station: 'stream',
      x: stream.x - (wide ? 5 : 0),
      y: stream.y,
      anchor: 'end',
      look: 'plain',
      detail: 'below',
    },
    { station: 'tools', x: tools.x, y: tools.y, anchor: 'start', look: 'plain', detail: 'beside' },
    {
      station: 'finishTurn',
      x: finish.x + beside,
      y: middle('finishTurn', finish.y) - 3,
      anchor: 'start',
      look: 'plain',
      detail: 'above',
    },
    {
      station: 'pollSteering',
      x: steering.x + poll.dx,
      y: steering.y + poll.dy,
      anchor: 'start',
      look: 'steering',
      detail: wide || roomy ? 'beside' : 'below',
    },
    {
      station: 'innerGoOn',
      x: inner.x + 29,
      y: inner.y + (wide ? 19 : 9),
      anchor: 'start',
      look: 'big',
      detail: 'none',
    },
    {
      station: 'pollFollowUp',
      x: followUp.x + (wide ? 31 : poll.dx),
      y: followUp.y + poll.dy,
      anchor: 'start',
      look: 'follow-up',
      detail: !wide && roomy ? 'beside' : 'below',
    },
    {
      station: 'outerGoOn',
      x: outer.x + 10,
      y: outer.y + 30,
      anchor: 'start',
      look: 'plain',
      detail: 'none',
    },
    { station: 'stop', x: stop.x + 23, y: stop.y + 5, anchor: 'start', look: 'plain', detail: 'none' },
    {
      station: 'start',
      x: start.x - (wide ? 16 : 5),
      y: start.y + 36,
      anchor: 'start',
      look: 'plain',
      detail: 'none',
    },
    {
      station: 'prepareNextTurn',
      x: next.x,
      y: next.y + 33,
      anchor: 'middle',
      look: 'small',
      detail: 'none',
    },
  ];
}
