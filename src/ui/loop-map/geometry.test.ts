import { describe, expect, it } from 'vitest';
import type { Leg } from '../../trace/loop-place';
import { legOf } from '../../trace/loop-place';
import { crossings, geometry, legPath, onCircle, pointAt, stationPoint, stationPosition } from './geometry';
import type { Point } from './geometry';
import { stationOrder } from './texts';

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);

describe.each(['wide', 'narrow'] as const)('the %s epicycle', (kind) => {
  const map = geometry(kind);
  const { outer, inner, legs } = map;

  it('has the centre of the small circle on the large one', () => {
    expect(distance(outer, inner)).toBeCloseTo(outer.r);
  });

  it('crosses in two points that lie on both circles', () => {
    const cross = crossings(outer.r, inner.r);
    for (const side of [1, -1]) {
      const point = onCircle(inner, 180 - side * cross.inner);
      expect(distance(point, onCircle(outer, side * cross.outer))).toBeCloseTo(0);
      expect(distance(point, outer)).toBeCloseTo(outer.r);
    }
  });

  it.each([
    ['lead', 'entry'],
    ['entry', 'inner'],
    ['inner', 'yes'],
    ['yes', 'inner'],
    ['inner', 'no'],
    ['no', 'return'],
    ['no', 'stop'],
    ['return', 'entry'],
  ] as [Leg, Leg][])('goes on from the end of %s at the start of %s', (from, to) => {
    expect(distance(pointAt(map, { leg: from, at: 1 }), pointAt(map, { leg: to, at: 0 }))).toBeCloseTo(0);
  });

  it('has each station on the leg that the trace gives it, inside the drawing', () => {
    for (const station of stationOrder) {
      const { leg, at } = stationPosition(map, station);
      const { x, y } = stationPoint(map, station);
      expect(leg).toBe(legOf(station));
      expect(at).toBeGreaterThanOrEqual(0);
      expect(at).toBeLessThanOrEqual(1);
      expect(x > 0 && x < map.width && y > 0 && y < map.height).toBe(true);
    }
  });

  it('passes the stations of a ring in the order of the loop', () => {
    for (const leg of Object.keys(legs)) {
      const on = stationOrder
        .map((station) => stationPosition(map, station))
        .filter((position) => position.leg === leg);
      expect(on.map(({ at }) => at)).toEqual(on.map(({ at }) => at).toSorted((a, b) => a - b));
    }
  });

  it('fills stream and tools from their start to their end', () => {
    for (const station of ['stream', 'tools'] as const) {
      const { from, to } = map[station];
      expect(distance(stationPoint(map, station, 0), onCircle(inner, from))).toBeCloseTo(0);
      expect(distance(stationPoint(map, station, 1), onCircle(inner, to))).toBeCloseTo(0);
    }
  });
});

it('draws arcs of more than half a circle the long way round', () => {
  expect(legPath(geometry('wide'), 'inner')).toMatch(/ 0 1 1 /);
  expect(legPath(geometry('wide'), 'inner', 0, 0.5)).toMatch(/ 0 0 1 /);
});
