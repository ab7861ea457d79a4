/**
 * The epicycle: a large circle, the outer loop, and a small one, the inner loop, whose centre lies on the large one.
 * Angles are in degrees, clockwise from the top, as the loop turns.
 */
import type { Leg } from '../../trace/loop-place';
import type { Station } from '../../trace/loop-stations';

export interface Point {
  x: number;
  y: number;
}
export interface Circle extends Point {
  r: number;
}
interface Arc {
  circle: Circle;
  from: number;
  to: number;
}
interface Line {
  from: Point;
  to: Point;
}

/** `narrow` has no chutes. */
export type MapKind = 'wide' | 'narrow';

export interface Geometry {
  kind: MapKind;
  width: number;
  height: number;
  outer: Circle;
  inner: Circle;
  legs: Record<Leg, Arc | Line>;
  /** Angles on the inner circle. */
  stream: { from: number; to: number };
  tools: { from: number; to: number };
}

/** A point of the way: a leg, and how far along it, from 0 to 1. */
export interface Position {
  leg: Leg;
  at: number;
}

const sizes = {
  wide: { width: 583, height: 442, x: 218, y: 294, R: 134, r: 107, lead: 60, stop: 76 },
  narrow: { width: 390, height: 366, x: 162, y: 246, R: 108, r: 86, lead: 46, stop: 60 },
} as const;

const angles = {
  inject: 266,
  prepareRequest: 286,
  stream: { from: 300, to: 338 },
  tools: { from: 350, to: 407 },
  finishTurn: 428,
  pollSteering: 451,
  prepareNextTurn: 196,
  pollPrepare: 219,
  pollFollowUp: 90,
  outerGoOn: 131,
  prepareNextPass: 172,
  pollNextPass: 192,
  start: 254,
} as const;

/** The half-angles at which the circles cross, seen from the small one's centre and from the large one's. */
export function crossings(R: number, r: number): { inner: number; outer: number } {
  return { inner: degrees(Math.acos(r / (2 * R))), outer: degrees(Math.acos(1 - (r * r) / (2 * R * R))) };
}

function geometryOf(kind: MapKind): Geometry {
  const { width, height, x, y, R, r, lead, stop } = sizes[kind];
  const outer = { x, y, r: R };
  const inner = { x, y: y - R, r };
  const cross = crossings(R, r);
  const way = { in: 180 + cross.inner, out: 180 - cross.inner };
  const start = onCircle(outer, angles.start);
  const end = onCircle(outer, angles.outerGoOn);
  return {
    kind,
    width,
    height,
    outer,
    inner,
    stream: angles.stream,
    tools: angles.tools,
    legs: {
      lead: { from: { x: start.x - lead, y: start.y }, to: start },
      entry: { circle: outer, from: angles.start, to: 360 - cross.outer },
      inner: { circle: inner, from: way.in, to: 360 + way.out },
      yes: { circle: inner, from: way.out, to: way.in },
      no: { circle: outer, from: cross.outer, to: angles.outerGoOn },
      return: { circle: outer, from: angles.outerGoOn, to: angles.start },
      stop: { from: end, to: { x: end.x + stop, y: end.y } },
    },
  };
}

const geometries = { wide: geometryOf('wide'), narrow: geometryOf('narrow') };

export function geometry(kind: MapKind): Geometry {
  return geometries[kind];
}

export function onCircle({ x, y, r }: Circle, angle: number, out = 0): Point {
  const turn = (angle * Math.PI) / 180;
  return { x: x + (r + out) * Math.sin(turn), y: y - (r + out) * Math.cos(turn) };
}

export function pointAt({ legs }: Geometry, { leg, at }: Position): Point {
  const stretch = legs[leg];
  if ('circle' in stretch) return onCircle(stretch.circle, stretch.from + (stretch.to - stretch.from) * at);
  const { from, to } = stretch;
  return { x: from.x + (to.x - from.x) * at, y: from.y + (to.y - from.y) * at };
}

/** An arc of a circle, clockwise, `out` beyond its radius. */
export function arcPath(circle: Circle, from: number, to: number, out = 0): string {
  const r = circle.r + out;
  const wide = to - from > 180 ? 1 : 0;
  return `M${text(onCircle(circle, from, out))} A${short(r)} ${short(r)} 0 ${wide} 1 ${text(onCircle(circle, to, out))}`;
}

/** A stretch of a leg, between two fractions of it. */
export function legPath(map: Geometry, leg: Leg, from = 0, to = 1): string {
  const stretch = map.legs[leg];
  if (!('circle' in stretch))
    return `M${text(pointAt(map, { leg, at: from }))} L${text(pointAt(map, { leg, at: to }))}`;
  const angle = (at: number): number => stretch.from + (stretch.to - stretch.from) * at;
  return arcPath(stretch.circle, angle(from), angle(to));
}

export function legLength({ legs }: Geometry, leg: Leg): number {
  const stretch = legs[leg];
  if ('circle' in stretch) return ((stretch.to - stretch.from) * Math.PI * stretch.circle.r) / 180;
  return Math.hypot(stretch.to.x - stretch.from.x, stretch.to.y - stretch.from.y);
}

/** A line across the ring, `inside` and `outside` its middle. */
export function acrossPath(circle: Circle, angle: number, inside: number, outside: number): string {
  return `M${text(onCircle(circle, angle, -inside))} L${text(onCircle(circle, angle, outside))}`;
}

export function diamondPath({ x, y }: Point, size: number): string {
  return `M${text({ x, y: y - size })} L${text({ x: x + size, y })} L${text({ x, y: y + size })} L${text({ x: x - size, y })} Z`;
}

/** A triangle that points along a leg where it ends. */
export function headPath(map: Geometry, { leg, at }: Position, size: number): string {
  const tip = pointAt(map, { leg, at });
  const step = size / legLength(map, leg);
  const back = pointAt(map, { leg, at: at - 1.5 * step });
  const length = Math.hypot(tip.x - back.x, tip.y - back.y);
  const side = { x: (-(tip.y - back.y) / length) * size, y: ((tip.x - back.x) / length) * size };
  return `M${text({ x: back.x + side.x, y: back.y + side.y })} L${text(tip)} L${text({ x: back.x - side.x, y: back.y - side.y })} Z`;
}

/** How far along its leg a station is; stream and tools have a length, and `progress` says how much of it is done. */
export function stationPosition(map: Geometry, station: Station, progress = 0): Position {
  switch (station) {
    case 'start':
      return { leg: 'lead', at: 0.06 };
    case 'pollStart':
      return { leg: 'lead', at: 0.56 };
    case 'turnStart':
      return { leg: 'inner', at: 0 };
    case 'innerGoOn':
      return { leg: 'inner', at: 1 };
    case 'outerGoOn':
      return { leg: 'no', at: 1 };
    case 'stop':
      return { leg: 'stop', at: 1 };
    case 'stream':
    case 'tools': {
      const { from, to } = angles[station];
      return angleOn(map, 'inner', from + (to - from) * progress);
    }
    case 'prepareNextTurn':
    case 'pollPrepare':
      return angleOn(map, 'yes', angles[station]);
    case 'pollFollowUp':
      return angleOn(map, 'no', angles.pollFollowUp);
    case 'prepareNextPass':
    case 'pollNextPass':
      return angleOn(map, 'return', angles[station]);
    default:
      return angleOn(map, 'inner', angles[station]);
  }
}

export function stationPoint(map: Geometry, station: Station, progress = 0): Point {
  return pointAt(map, stationPosition(map, station, progress));
}

function angleOn({ legs }: Geometry, leg: Leg, angle: number): Position {
  const arc = legs[leg] as Arc;
  return { leg, at: (angle - arc.from) / (arc.to - arc.from) };
}

function degrees(radians: number): number {
  return (radians * 180) / Math.PI;
}

function text({ x, y }: Point): string {
  return `${short(x)} ${short(y)}`;
}

function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}
