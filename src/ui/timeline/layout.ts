/** Where the lanes and the bars of each row stand, from the top of the lanes; fitted to the height that there is. */
import { LANE_KINDS, type LaneKind } from '../../trace/lanes';

export interface RowBox {
  top: number;
  height: number;
}

export interface LaneBox extends RowBox {
  kind: LaneKind;
  /** The bars of each row; at least one row, so that a lane without bars has its place. */
  rows: RowBox[];
  /** A bar that has the lane for itself. */
  alone: RowBox;
}

export interface LaneLayout {
  lanes: LaneBox[];
  /** More than the height that was given, when even the least does not fit. */
  height: number;
}

/** Heights at rest: of a bar, and of the room above and below a lane's bars together. What is scarce is taken down to the least. */
const NATURAL: Record<LaneKind, { bar: number; room: number }> = {
  run: { bar: 16, room: 6 },
  turn: { bar: 18, room: 4 },
  model: { bar: 20, room: 4 },
  tool: { bar: 18, room: 4 },
  steering: { bar: 15, room: 9 },
  followUp: { bar: 15, room: 9 },
  hook: { bar: 12, room: 6 },
};
/** A bar of this height has room for its name, down to the tails of its letters. */
export const NAME_HEIGHT = 14;
const LEAST_BAR: Record<LaneKind, number> = {
  run: NAME_HEIGHT,
  turn: NAME_HEIGHT,
  model: 14,
  tool: NAME_HEIGHT,
  steering: 14,
  followUp: 14,
  hook: 12,
};
const LEAST_ROOM = 2;
/** Messages that wait at the same time stand lower than one. */
const SHARED_BAR = { natural: 8, least: 4 };
const LARGEST = 1.6;

/** `count`: rows of a lane; `height`: what there is, in pixels. */
export function layOut(count: (kind: LaneKind) => number, height: number): LaneLayout {
  const natural = LANE_KINDS.map((kind) => laneAt(kind, Math.max(1, count(kind))));
  const excess = sum(natural) - height;
  const heights = excess > 0 ? natural.map((lane) => lowered(lane, natural, excess)) : natural;
  const factor = Math.min(LARGEST, Math.max(1, height / sum(heights)));
  let top = 0;
  const lanes = heights.map((lane) => {
    const box = boxOf(lane, top, factor);
    top += box.height;
    return box;
  });
  return { lanes, height: top };
}

interface Lane {
  kind: LaneKind;
  count: number;
  bar: number;
  gap: number;
  height: number;
}

function laneAt(kind: LaneKind, count: number, isLeast = false): Lane {
  const isShared = kind !== 'tool' && count > 1;
  const own = isLeast ? LEAST_BAR[kind] : NATURAL[kind].bar;
  const bar = isShared ? SHARED_BAR[isLeast ? 'least' : 'natural'] : own;
  const room = isLeast ? LEAST_ROOM : NATURAL[kind].room;
  const gap = isLeast ? 1 : Math.min(4, Math.max(1, bar / 4));
  const height = Math.max(LEAST_BAR[kind] + LEAST_ROOM, room + count * bar + (count - 1) * gap);
  return { kind, count, bar, gap, height };
}

/** Each lane gives of what is missing, by its share of what it can give. */
function lowered(lane: Lane, all: readonly Lane[], excess: number): Lane {
  const leastOf = ({ kind, count }: Lane): Lane => laneAt(kind, count, true);
  const most = all.reduce((total, one) => total + one.height - leastOf(one).height, 0);
  const share = Math.min(1, excess / most);
  const least = leastOf(lane);
  const bar = lane.bar + (least.bar - lane.bar) * share;
  const gap = lane.gap + (least.gap - lane.gap) * share;
  return { ...lane, bar, gap, height: lane.height + (least.height - lane.height) * share };
}

function boxOf({ kind, count, bar, gap, height }: Lane, top: number, factor: number): LaneBox {
  const room = (height - count * bar - (count - 1) * gap) / 2;
  const rows = Array.from({ length: count }, (_, index) => ({
    top: Math.round(top + (room + index * (bar + gap)) * factor),
    height: Math.max(3, Math.round(bar * factor)),
  }));
  const lone = Math.round(Math.min(NATURAL[kind].bar, height - 2) * factor);
  const alone = { top: Math.round(top + (height * factor - lone) / 2), height: lone };
  return { kind, top, height: height * factor, rows, alone };
}

function sum(lanes: readonly Lane[]): number {
  return lanes.reduce((total, { height }) => total + height, 0);
}
