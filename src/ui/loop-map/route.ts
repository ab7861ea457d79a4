/** The token's way: along the legs, never across the rings. */
import type { Leg } from '../../trace/loop-place';
import { legLength } from './geometry';
import type { Geometry, Position } from './geometry';

export interface Segment {
  leg: Leg;
  from: number;
  to: number;
}

/** Which legs may follow a leg. */
const next: Record<Leg, Leg[]> = {
  lead: ['entry'],
  entry: ['inner'],
  inner: ['yes', 'no'],
  yes: ['inner'],
  no: ['stop', 'return'],
  return: ['entry'],
  stop: [],
};

/** The shortest way forward from one position to another; `undefined` when there is none. */
export function route(from: Position, to: Position): Segment[] | undefined {
  if (from.leg === to.leg && from.at <= to.at) return [{ leg: from.leg, from: from.at, to: to.at }];
  const queue: Leg[][] = next[from.leg].map((leg) => [leg]);
  const seen = new Set<Leg>();
  for (let way = queue.shift(); way; way = queue.shift()) {
    const leg = way[way.length - 1];
    if (!leg || seen.has(leg)) continue;
    seen.add(leg);
    if (leg === to.leg)
      return [
        { leg: from.leg, from: from.at, to: 1 },
        ...way.slice(0, -1).map((between) => ({ leg: between, from: 0, to: 1 })),
        { leg, from: 0, to: to.at },
      ];
    for (const following of next[leg]) queue.push([...way, following]);
  }
  return undefined;
}

/** The same way the other way round: a step back in time. */
function reversed(segments: Segment[] | undefined): Segment[] | undefined {
  return segments?.toReversed().map(({ leg, from, to }) => ({ leg, from: to, to: from }));
}

/** Where the token goes: a position, and the record that it belongs to, which tells forward from back. */
export interface Target extends Position {
  seq: number;
}

export function wayBetween(from: Target, to: Target): Segment[] | undefined {
  // The same record: a stream or a batch that got on, or was stepped back.
  if (to.seq === from.seq && to.leg === from.leg) return [{ leg: to.leg, from: from.at, to: to.at }];
  return to.seq >= from.seq ? route(from, to) : reversed(route(to, from));
}

export function wayLength(map: Geometry, way: Segment[]): number {
  return way.reduce((sum, { leg, from, to }) => sum + Math.abs(to - from) * legLength(map, leg), 0);
}

/** Of a way, the position after a fraction of its length. */
export function alongWay(map: Geometry, way: Segment[], fraction: number): Position | undefined {
  let left = wayLength(map, way) * fraction;
  for (const { leg, from, to } of way) {
    const length = Math.abs(to - from) * legLength(map, leg);
    if (left <= length) return { leg, at: length === 0 ? to : from + ((to - from) * left) / length };
    left -= length;
  }
  const last = way.at(-1);
  return last && { leg: last.leg, at: last.to };
}

const STEP_MS = 140;
const PASS_MS = 260;

/** How long a way takes: 140 ms for a step, and 260 at the most, so that the token is soon where its place is lit. */
export function wayDuration(map: Geometry, way: Segment[]): number {
  const pass = legLength(map, 'inner') + legLength(map, 'yes');
  return Math.min(PASS_MS, STEP_MS + (PASS_MS - STEP_MS) * (wayLength(map, way) / pass));
}
