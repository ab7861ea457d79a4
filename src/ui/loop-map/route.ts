/** The token's way: along the legs, never across the rings. */
import { cubicOut, sineInOut } from 'svelte/easing';
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

const STEP_MS = 180;
const PASS_MS = 600;

/** How long a way takes: 180 ms for a step, and 600 at the most. */
export function wayDuration(map: Geometry, way: Segment[]): number {
  const pass = legLength(map, 'inner') + legLength(map, 'yes');
  return Math.min(PASS_MS, STEP_MS + (PASS_MS - STEP_MS) * (wayLength(map, way) / pass));
}

export interface Pace {
  ms: number;
  /** From a fraction of that time to a fraction of the way. */
  fraction: (time: number) => number;
}

/** ms that the token waits at a poll for what comes down its chute. */
const WAIT_MS = 560;
/** So many times as long as else a way takes that is to be followed with the eye. */
const CARRYING = 2.2;

/**
 * How fast the token goes. With messages it is slow enough to be followed with the eye, and it waits for them first where
 * their poll lies on its way.
 */
export function paceOf(map: Geometry, way: Segment[], taken: Position | undefined): Pace {
  const ms = wayDuration(map, way);
  if (!taken) return { ms, fraction: cubicOut };
  const met = fractionAt(map, way, taken);
  if (met === undefined) return { ms: CARRYING * ms, fraction: sineInOut };
  const there = ms * met;
  const on = CARRYING * ms * (1 - met);
  const whole = there + WAIT_MS + on;
  return {
    ms: whole,
    fraction: (time) => {
      const now = time * whole;
      if (now < there) return met * cubicOut(now / there);
      return now < there + WAIT_MS ? met : met + (1 - met) * sineInOut((now - there - WAIT_MS) / on);
    },
  };
}

/** Which fraction of a way leads to a position on it. */
function fractionAt(map: Geometry, way: Segment[], { leg, at }: Position): number | undefined {
  const index = way.findIndex((part) => part.leg === leg && part.from <= at && at < part.to);
  const part = way[index];
  if (!part) return undefined;
  return wayLength(map, [...way.slice(0, index), { ...part, to: at }]) / wayLength(map, way);
}
