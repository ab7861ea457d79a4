/** Draws the bars of the lanes: each as its kind, and as one plain bar where there are many in a pixel. */
import type { LaneKind } from '../../trace/lanes';
import { pixelBars } from '../../trace/lanes-bars';
import { BarFlag, type LaneRow } from '../../trace/lanes-row';
import { endMark, markRoom, paintMark, type EndMark, type MarkRoom } from './end-mark';
import { barTexts, nameOf } from './describe';
import type { LaneBox } from './layout';
import type { ColourName } from './palette';
import { barsOf, boxOfBar, fill, frame, line, sharp, write, xOf, type Rect, type Scene } from './scene';
import { bareSeconds } from './ticks';

interface Look {
  fill: ColourName;
  /** Of the text in it. */
  ink: ColourName;
  /** Of the part before the second one begins, and of what waits. */
  pale?: ColourName;
  weight?: 400 | 600;
}

export const LOOKS: Record<LaneKind, Look> = {
  run: { fill: 'text', ink: 'onInk', weight: 600 },
  turn: { fill: 'track', ink: 'text', weight: 600 },
  model: { fill: 'assistant', ink: 'onInk', pale: 'panel' },
  tool: { fill: 'tool', ink: 'onInk', pale: 'toolSoft' },
  steering: { fill: 'steering', ink: 'steering', pale: 'steeringSoft', weight: 600 },
  followUp: { fill: 'followUp', ink: 'followUp', pale: 'followUpSoft', weight: 600 },
  hook: { fill: 'hook', ink: 'text' },
};

/** Lanes whose texts are cut when they do not fit; a part of a number would be another number. */
const IS_CUT: ReadonlySet<LaneKind> = new Set(['tool', 'steering', 'followUp']);
/** A bar is never narrower than this where there is room for it. */
const LEAST_WIDTH = 3;
/** No name fits in less. */
const NAME_ROOM = 16;
const PADDING = 6;

export function paintLanes(scene: Scene): void {
  const { lanes, layout } = scene;
  for (const lane of layout.lanes) for (const row of lanes.rows[lane.kind]) paintRow(scene, lane, row);
}

function paintRow(scene: Scene, lane: LaneBox, row: LaneRow): void {
  const { kind } = lane;
  const bars = pixelBars(row, scene.view, barsOf(scene, row));
  const right = scene.left + scene.view.width;
  const plain = new PlainBars(scene, kind);
  const worst: Rect[] = [];
  let taken = -Infinity;
  for (let at = 0; at < bars.count; at++) {
    const next = at + 1 < bars.count ? scene.left + (bars.x0[at + 1] ?? 0) : Infinity;
    const [first, last] = [bars.first[at] ?? 0, bars.last[at] ?? 0];
    const x = sharp(scene, Math.max(scene.left + (bars.x0[at] ?? 0), scene.left - PADDING));
    const end = sharp(scene, Math.min(scene.left + (bars.x1[at] ?? 0), right + PADDING));
    const width = Math.max(end - x, Math.min(LEAST_WIDTH, next - x), 1);
    const box = boxOfBar(scene, lane, row, first, last);
    const rect: Rect = [x, box.top, width, box.height];
    if (first !== last || (width <= LEAST_WIDTH && next - x < NAME_ROOM)) {
      const isFailed = row.failedIn(first, last) > 0;
      if (isFailed && first === last) worst.push([x, box.top, LEAST_WIDTH, box.height]);
      else plain.add(rect, isFailed);
      taken = x + width;
    } else {
      const mark = kind === 'turn' ? undefined : endMark(row.flags[first] ?? 0);
      const room = markRoom(mark, width, next - x - width);
      const bar: Painted = { scene, kind, row, index: first, rect, taken, next, mark, room };
      paintBar(bar);
      taken = Math.max(bar.taken, x + width);
    }
  }
  plain.paint();
  // Over what begins in the same pixel and went well.
  for (const rect of worst) fill(scene, 'error', rect);
}

/** Bars too narrow to show more than that they are there, or that stand for many: neighbours are drawn as one. */
class PlainBars {
  #rect: Rect | undefined;
  #isFailed = false;

  constructor(
    readonly scene: Scene,
    readonly kind: LaneKind,
  ) {}

  add([x, y, width, height]: Rect, isFailed: boolean): void {
    const last = this.#rect;
    if (last?.[1] === y && isFailed === this.#isFailed && x - last[0] - last[2] < 0.5) {
      last[2] = x + width - last[0];
      return;
    }
    this.paint();
    this.#rect = [x, y, width, height];
    this.#isFailed = isFailed;
  }

  paint(): void {
    if (!this.#rect) return;
    const { context, palette } = this.scene;
    const [x, y, width, height] = this.#rect;
    context.fillStyle = palette[LOOKS[this.kind].fill];
    context.fillRect(x, y, width, height);
    if (!this.#isFailed || this.kind === 'run') return;
    context.fillStyle = palette.error;
    context.fillRect(x, y + height - 3, width, 3);
  }
}

interface Painted {
  scene: Scene;
  kind: LaneKind;
  row: LaneRow;
  index: number;
  rect: Rect;
  /** Up to here the row is taken: by bars, or by their names. */
  taken: number;
  /** Where the next bar begins. */
  next: number;
  mark: EndMark | undefined;
  room: MarkRoom;
}

function paintBar(bar: Painted): void {
  const { scene, kind, rect, mark, room } = bar;
  const [x, y, width, height] = rect;
  if (width <= LEAST_WIDTH) fill(scene, LOOKS[kind].fill, rect);
  else if (kind === 'steering' || kind === 'followUp') paintWait(bar);
  else if (kind === 'model' || kind === 'tool') paintTwoParts(bar);
  else {
    // A hair of room, so that turns that follow each other stay two.
    fill(scene, LOOKS[kind].fill, [x, y, width - (kind === 'turn' ? 1 : 0), height]);
    if (kind !== 'hook') paintText(bar, rect, LOOKS[kind].ink);
  }
  if (mark) paintMark(scene, mark, rect, room);
  if (kind === 'hook' || (kind === 'tool' && width <= LEAST_WIDTH)) paintName(bar);
}

function paintWait(bar: Painted): void {
  const { scene, kind, row, index, rect } = bar;
  const { pale = 'panel', fill: colour, ink } = LOOKS[kind];
  fill(scene, pale, rect);
  frame(scene, colour, rect, (row.flags[index] ?? 0) & BarFlag.stranded ? [3, 2] : []);
  paintText(bar, rect, ink);
}

/** The wait for the first token, or what came before a call ran; then the rest, filled. */
function paintTwoParts(bar: Painted): void {
  const { scene, kind, rect } = bar;
  const [x, y, width, height] = rect;
  const { fill: colour, pale = 'panel', ink } = LOOKS[kind];
  const middle = partOf(bar);
  const before: Rect = [x, y, Math.min(middle - x, width), height];
  const after: Rect = [Math.max(x, middle), y, x + width - Math.max(x, middle), height];
  const isBefore = before[2] >= 2;
  if (isBefore) {
    fill(scene, pale, before);
    frame(scene, colour, before);
  }
  if (after[2] > 0) fill(scene, colour, isBefore ? after : rect);
  if (kind === 'model') {
    if (after[2] > 0) paintText(bar, isBefore ? after : rect, ink);
    if (isBefore) paintFirstToken(bar, before, middle);
  } else if (isBefore && before[2] > after[2]) {
    paintText(bar, before, 'text');
  } else {
    paintText(bar, isBefore ? after : rect, ink);
  }
}

/** The pixel where the second part begins; the end of the bar when it has not. */
function partOf({ scene, kind, row, index, rect: [x, , width] }: Painted): number {
  const { view, lanes } = scene;
  const midAt = row.midAt[index] ?? NaN;
  if (!Number.isNaN(midAt)) {
    const value = view.scale.measure === 'at' ? midAt : lanes.clock.seqOf(midAt);
    return sharp(scene, Math.min(x + width, Math.max(x, xOf(scene, value))));
  }
  const node = lanes.nodeAt(row, index);
  const hasBegun =
    node?.kind === 'model' ? node.message?.status === 'done' : !((row.flags[index] ?? 0) & BarFlag.asked);
  return kind === 'model' || kind === 'tool' ? (hasBegun ? x : x + width) : x;
}

function paintFirstToken({ scene, row, index }: Painted, [x, y, width, height]: Rect, middle: number): void {
  const midAt = row.midAt[index] ?? NaN;
  if (Number.isNaN(midAt)) return;
  line(scene, 'text', [middle, y - 3], [middle, y + height + 3], 2);
  const words = bareSeconds(midAt - (row.at[index] ?? 0));
  // Seen from the side it sticks to: what is scrolled out to the left takes no room.
  const start = Math.max(x, scene.left);
  if (scene.text.width(words, 11, 400) + 6 > middle - start || height < 12 || width <= 0) return;
  write(scene, words, [(start + middle) / 2, baseOf(y, height)], 'text2', { align: 'center' });
}

/** The longest of the bar's texts that fits, from where the bar is in sight; of names and messages, else a part. */
function paintText(bar: Painted, [x, y, width, height]: Rect, ink: ColourName): void {
  const { scene, kind, row, index, rect } = bar;
  const start = Math.max(x, scene.left) + PADDING;
  const end = Math.min(x + width, rect[0] + rect[2] - bar.room.inside, scene.left + scene.view.width);
  const room = end - PADDING + 2 - start;
  const node = scene.lanes.nodeAt(row, index);
  const isLow = height < (kind === 'tool' ? 12 : 14);
  if (!node || height < 9 || (isLow && kind !== 'tool')) return;
  const weight = LOOKS[kind].weight ?? 400;
  const texts = barTexts(node, scene.lanes.trace, scene.now);
  let words = isLow ? undefined : texts.find((text) => scene.text.width(text, 11, weight) <= room);
  if (words === undefined && kind === 'tool' && paintName(bar)) return;
  if (words === undefined && IS_CUT.has(kind))
    words = scene.text.fitted(texts.at(-1) ?? '', room, 11, weight);
  if (words && !isLow) write(scene, words, [start, baseOf(y, height)], ink, { weight });
}

/** Low enough to stand in the middle, high enough that no tail of a letter leaves the bar. */
function baseOf(y: number, height: number): number {
  return y + height / 2 + (height < 16 ? 3.5 : 4);
}

/** A short bar's name: in it, after it or before it, where there is room; returns whether there is. */
function paintName(bar: Painted): boolean {
  const { scene, kind, row, index, rect, taken, next } = bar;
  const [x, y, width, height] = rect;
  const node = scene.lanes.nodeAt(row, index);
  if (!node || height < 9) return false;
  const words = nameOf(node, scene.lanes.trace, true);
  const length = scene.text.width(words, 11, 400);
  const base = baseOf(y, height);
  const behind = bar.room.behind > 0 ? bar.room.behind + 2 : 0;
  const edge = scene.left + scene.view.width + PADDING;
  if (kind === 'hook' && length + 10 <= width) {
    write(scene, words, [Math.max(x, scene.left) + 5, base], 'onInk');
  } else if (x + width + behind + length + 12 < Math.min(next, edge) && x + width + 5 > scene.left) {
    write(scene, words, [x + width + behind + 5, base], 'text');
    bar.taken = x + width + behind + length + 12;
  } else if (taken + length + 12 < x && x - length - 5 > scene.left) {
    write(scene, words, [x - 5, base], 'text', { align: 'right' });
  } else {
    return false;
  }
  return true;
}
