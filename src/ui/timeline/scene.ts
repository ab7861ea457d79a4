/** What one drawing of the axis is made of, and what all of its parts share. */
import { PixelBars, pixelOf, type AxisView } from '../../trace/lanes-bars';
import type { Lanes } from '../../trace/lanes';
import { firstAbove, type LaneRow } from '../../trace/lanes-row';
import type { Weight } from './canvas-text';
import type { LaneBox, LaneLayout, RowBox } from './layout';
import type { ColourName } from './palette';
import type { BarRef } from './selection';
import type { Drawing } from './surface';

/** Pixels from the top: the overview, the ruler's labels and ticks, then the lanes. */
export const OVERVIEW = { top: 6, height: 24 };
export const RULER = { top: 34, label: 44, ticks: 55 };
export const LANES_TOP = 57;
export const RIGHT_ROOM = 10;

export interface Scene extends Drawing {
  /** Where the plot begins, right of the lanes' names; it is `view.width` wide. */
  left: number;
  lanes: Lanes;
  layout: LaneLayout;
  /** How far the lanes are scrolled, in pixels. */
  scroll: number;
  view: AxisView;
  /** All there is, in the same scale and width. */
  whole: AxisView;
  /** Session time in ms. */
  now: number;
  /** The cursor's record; `undefined`: at the newest. */
  cursor: number | undefined;
  isPaused: boolean;
  selected: BarRef | undefined;
  /** The bars under the pointer. */
  hovered: { row: LaneRow; first: number; last: number } | undefined;
  /** The pointer's place over the plot, in pixels from the left of the canvas. */
  pointer: number | undefined;
  /** Records that a search found, in order. */
  marks: readonly number[];
  /** What is drawn of each row, for pointing at it. */
  drawn: WeakMap<LaneRow, PixelBars>;
}

export function barsOf(scene: Scene, row: LaneRow): PixelBars {
  let bars = scene.drawn.get(row);
  if (!bars) scene.drawn.set(row, (bars = new PixelBars()));
  return bars;
}

/** The pixel of a value (a time or a record, as the scale measures) from the left of the canvas. */
export function xOf(scene: Scene, value: number): number {
  return scene.left + pixelOf(scene.view, value);
}

/** Where a bar stands, from the top of the canvas. A message that waits alone has the height of its lane. */
export function boxOfBar(scene: Scene, lane: LaneBox, row: LaneRow, first: number, last: number): RowBox {
  const rows = scene.lanes.rows[lane.kind];
  const box = lane.rows[rows.indexOf(row)] ?? lane;
  const shift = LANES_TOP - scene.scroll;
  const isWait = lane.kind === 'steering' || lane.kind === 'followUp';
  if (
    !isWait ||
    rows.length === 1 ||
    first !== last ||
    rows.some((other) => other !== row && overlaps(other, row, first))
  )
    return { top: shift + box.top, height: box.height };
  return { top: shift + lane.alone.top, height: lane.alone.height };
}

function overlaps(other: LaneRow, row: LaneRow, index: number): boolean {
  const before = firstAbove(other.at, row.endAt[index] ?? 0, 0, other.count) - 1;
  return before >= 0 && (other.endAt[before] ?? 0) >= (row.at[index] ?? 0);
}

/** The lanes need more height than there is. */
export function isScrollable({ layout, height }: Scene): boolean {
  return Math.ceil(layout.height) > height - LANES_TOP;
}

/** Onto whole device pixels, so that edges are sharp. */
export function sharp({ density }: Scene, x: number): number {
  return Math.round(x * density) / density;
}

/** The reader looks at an earlier record than the newest. */
export function isPast({ cursor, lanes }: Scene): boolean {
  return cursor !== undefined && cursor < lanes.end.seq;
}

/** Where the reader is in time, as a value of the scale. */
export function playhead(scene: Scene): number {
  const { cursor, view, lanes } = scene;
  if (cursor === undefined || !isPast(scene)) return view.now;
  return view.scale.measure === 'seq' ? cursor : lanes.clock.atOf(cursor);
}

export function playheadX(scene: Scene): number {
  return xOf(scene, playhead(scene));
}

/** Draws inside a rectangle only. */
export function within(scene: Scene, [x, y, width, height]: Rect, draw: () => void): void {
  const { context } = scene;
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  draw();
  context.restore();
}

export type Rect = [x: number, y: number, width: number, height: number];

export function fill({ context, palette }: Scene, colour: ColourName, [x, y, width, height]: Rect): void {
  context.fillStyle = palette[colour];
  if (width < 6) {
    context.fillRect(x, y, width, height);
    return;
  }
  context.beginPath();
  context.roundRect(x, y, width, height, 1.5);
  context.fill();
}

/** A frame of one pixel just inside of the rectangle. */
export function frame(
  scene: Scene,
  colour: ColourName,
  [x, y, width, height]: Rect,
  dash: number[] = [],
): void {
  const { context, palette } = scene;
  context.strokeStyle = palette[colour];
  context.lineWidth = 1;
  context.setLineDash(dash);
  context.beginPath();
  context.roundRect(x + 0.5, y + 0.5, Math.max(0, width - 1), Math.max(0, height - 1), 1.5);
  context.stroke();
  if (dash.length > 0) context.setLineDash([]);
}

export function line(
  scene: Scene,
  colour: ColourName,
  from: [number, number],
  to: [number, number],
  width = 1,
) {
  const { context, palette } = scene;
  context.strokeStyle = palette[colour];
  context.lineWidth = width;
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...to);
  context.stroke();
}

export function write(
  { context, text, palette }: Scene,
  words: string,
  [x, y]: [number, number],
  colour: ColourName,
  {
    size = 11,
    weight = 400,
    align = 'left',
  }: { size?: number; weight?: Weight; align?: CanvasTextAlign } = {},
): void {
  text.use(size, weight);
  context.textAlign = align;
  context.fillStyle = palette[colour];
  context.fillText(words, x, y);
}
