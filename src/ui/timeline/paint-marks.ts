/** Draws what stands over the bars: polls, where messages landed, selection and pointer, search hits, and now. */
import { pixelBars, valueAt } from '../../trace/lanes-bars';
import { foundBy, isLastStay } from '../../trace/lanes-nodes';
import type { LaneRow } from '../../trace/lanes-row';
import type { LaneBox, RowBox } from './layout';
import { LOOKS } from './paint-bars';
import {
  barsOf,
  boxOfBar,
  fill,
  isPast,
  line,
  LANES_TOP,
  playheadX,
  RULER,
  sharp,
  within,
  write,
  xOf,
  type Rect,
  type Scene,
} from './scene';
import { tickStep, tickText } from './ticks';

type Queue = 'steering' | 'followUp';

/** A ring for each poll, filled when it found something; where they are dense, a stroke. */
export function paintPolls(scene: Scene, queue: Queue): void {
  const { context, palette, lanes } = scene;
  const lane = scene.layout.lanes.find(({ kind }) => kind === queue);
  if (!lane) return;
  const row = lanes.polls[queue];
  const bars = pixelBars(row, scene.view, barsOf(scene, row));
  const y = LANES_TOP - scene.scroll + lane.top + lane.height / 2;
  context.strokeStyle = palette[LOOKS[queue].fill];
  context.lineWidth = 2;
  for (let at = 0; at < bars.count; at++) {
    const found = foundBy(lanes.nodeAt(row, bars.first[at] ?? 0));
    context.fillStyle = palette[found > 0 ? LOOKS[queue].fill : 'panel'];
    const x = scene.left + (bars.x0[at] ?? 0);
    const before = at > 0 ? x - scene.left - (bars.x0[at - 1] ?? 0) : Infinity;
    const after = at + 1 < bars.count ? scene.left + (bars.x0[at + 1] ?? 0) - x : Infinity;
    context.beginPath();
    if (Math.min(before, after) < 9) {
      context.moveTo(x, y - 4);
      context.lineTo(x, y + 4);
    } else {
      context.arc(x, y, 4, 0, 2 * Math.PI);
      context.fill();
    }
    context.stroke();
  }
}

/** From the end of a wait up to the turn that the message joined. */
export function paintLandings(scene: Scene, queue: Queue): void {
  const lane = scene.layout.lanes.find(({ kind }) => kind === queue);
  const turns = scene.layout.lanes.find(({ kind }) => kind === 'turn');
  if (!lane || !turns) return;
  const [box] = turns.rows;
  const tip = LANES_TOP - scene.scroll + (box ? box.top + box.height : turns.top + turns.height);
  for (const row of scene.lanes.rows[queue]) paintRowLandings(scene, queue, row, lane, tip);
}

function paintRowLandings(scene: Scene, queue: Queue, row: LaneRow, lane: LaneBox, tip: number): void {
  const bars = barsOf(scene, row);
  let free = -Infinity;
  for (let at = 0; at < bars.count; at++) {
    const index = bars.first[at] ?? 0;
    const node = index === bars.last[at] ? scene.lanes.nodeAt(row, index) : undefined;
    if (node?.kind !== queue) continue;
    const isMove = !isLastStay(node);
    if (!isMove && !node.item.landed) continue;
    const x = sharp(scene, scene.left + (bars.x1[at] ?? 0));
    // Where they are dense, the bars alone tell.
    const next = at + 1 < bars.count ? scene.left + (bars.x0[at + 1] ?? 0) : Infinity;
    if (x < free || next < x + 4) continue;
    free = x + 6;
    const { top, height } = boxOfBar(scene, lane, row, index, index);
    if (isMove) paintMove(scene, queue, [x, top + height / 2]);
    else paintLanding(scene, queue, [x, top + height / 2], tip);
  }
}

function paintLanding(scene: Scene, queue: Queue, [x, y]: [number, number], tip: number): void {
  const { context } = scene;
  const colour = LOOKS[queue].fill;
  line(scene, colour, [x, y], [x, tip + 7], 2);
  context.fillStyle = scene.palette[colour];
  context.beginPath();
  context.moveTo(x, tip);
  context.lineTo(x + 4.5, tip + 8);
  context.lineTo(x - 4.5, tip + 8);
  context.closePath();
  context.fill();
  context.beginPath();
  context.arc(x, y, 3.5, 0, 2 * Math.PI);
  context.fill();
}

/** From where a message was to the other queue. */
function paintMove(scene: Scene, queue: Queue, [x, y]: [number, number]): void {
  const other = queue === 'steering' ? 'followUp' : 'steering';
  const lane = scene.layout.lanes.find(({ kind }) => kind === other);
  if (!lane) return;
  const down = other === 'followUp' ? 1 : -1;
  const tip = LANES_TOP - scene.scroll + lane.top + lane.height / 2 - down * 4;
  line(scene, LOOKS[queue].fill, [x, y], [x, tip - down * 5], 2);
  scene.context.fillStyle = scene.palette[LOOKS[queue].fill];
  scene.context.beginPath();
  scene.context.moveTo(x, tip);
  scene.context.lineTo(x + 4, tip - down * 6);
  scene.context.lineTo(x - 4, tip - down * 6);
  scene.context.closePath();
  scene.context.fill();
}

/** The rectangle of bars as they are drawn, at least as wide as the narrowest. */
function rectOf(scene: Scene, row: LaneRow, first: number, last = first): Rect | undefined {
  const box = boxOf(scene, row, first, last);
  if (!box) return undefined;
  const { view } = scene;
  const starts = row.starts(view.scale.measure);
  const ends = row.ends(view.scale.measure);
  const x = xOf(scene, starts[first] ?? 0);
  const end = xOf(scene, Math.min(ends[last] ?? 0, view.now));
  return [x, box.top, Math.max(3, end - x), box.height];
}

function boxOf(scene: Scene, row: LaneRow, first: number, last: number): RowBox | undefined {
  const { lanes, layout, scroll } = scene;
  if (row === lanes.pauses) return { top: LANES_TOP - scroll, height: layout.height };
  const lane = layout.lanes.find(({ kind }) => lanes.rows[kind].includes(row));
  if (lane) return boxOfBar(scene, lane, row, first, last);
  const polled = layout.lanes.find(({ kind }) => kind in lanes.polls && lanes.polls[kind as Queue] === row);
  return polled && { top: LANES_TOP - scroll + polled.top + polled.height / 2 - 5, height: 10 };
}

export function paintSelected(scene: Scene): void {
  const { selected, context, palette, lanes } = scene;
  const rect = selected && rectOf(scene, selected.row, selected.index);
  if (!selected || !rect) return;
  const isPoll = selected.row === lanes.polls.steering || selected.row === lanes.polls.followUp;
  const [x, y, width, height] = isPoll ? ([rect[0] - 5, rect[1], 10, rect[3]] as Rect) : rect;
  context.lineWidth = 1.5;
  context.lineJoin = 'round';
  // A light edge between the bar and its frame, so that the frame shows around ink, too.
  for (const [colour, room] of [
    ['panel', 1.25],
    ['text', 2.75],
  ] as const) {
    context.strokeStyle = palette[colour];
    context.beginPath();
    context.roundRect(x - room, y - room, width + 2 * room, height + 2 * room, 2.5);
    context.stroke();
  }
}

export function paintHovered(scene: Scene): void {
  const { hovered, context, palette, lanes } = scene;
  if (!hovered || hovered.row === lanes.pauses) return;
  const rect = rectOf(scene, hovered.row, hovered.first, hovered.last);
  if (!rect) return;
  const [x, y, width, height] = rect;
  context.strokeStyle = palette.text;
  context.lineWidth = 1;
  context.strokeRect(x - 1, y - 1, width + 2, height + 2);
}

/** A thin line where the pointer is, and the time there. */
export function paintPointer(scene: Scene): void {
  const { pointer, view, left, height } = scene;
  if (pointer === undefined) return;
  line(scene, 'text3', [sharp(scene, pointer) - 0.5, RULER.ticks - 7], [sharp(scene, pointer) - 0.5, height]);
  const { scale, width } = view;
  const value = valueAt(view, pointer - left);
  if (value < 0) return;
  const step = scale.measure === 'at' ? tickStep(view) / 50 : 1;
  const words = tickText(scale.measure === 'at' ? value : Math.round(value), step, scale.measure);
  const room = scene.text.width(words, 11, 600) + 10;
  const x = Math.min(Math.max(pointer - room / 2, left), left + width - room);
  fill(scene, 'panel', [x, RULER.top - 1, room, 15]);
  write(scene, words, [x + room / 2, RULER.label], 'text', { weight: 600, align: 'center' });
}

/** Search hits: a small wedge on the ruler for each, one where there are many. */
export function paintHits(scene: Scene): void {
  const { marks, context, palette, view, lanes } = scene;
  const isSteps = view.scale.measure === 'seq';
  const seqAt = (pixel: number): number => {
    const value = valueAt(view, pixel);
    return isSteps ? value : lanes.clock.seqOf(value);
  };
  context.fillStyle = palette.text;
  for (let index = markFrom(marks, Math.floor(seqAt(0)), 0); index < marks.length;) {
    const seq = marks[index] ?? 0;
    const x = xOf(scene, isSteps ? seq : lanes.clock.atOf(seq));
    if (x > scene.left + view.width) return;
    context.beginPath();
    context.moveTo(x - 3, RULER.ticks - 3);
    context.lineTo(x + 3, RULER.ticks - 3);
    context.lineTo(x, RULER.ticks + 3);
    context.closePath();
    context.fill();
    index = markFrom(marks, seqAt(x - scene.left + 1), index + 1);
  }
}

/** Index of the first mark from `low` on that is not before this record. */
function markFrom(marks: readonly number[], seq: number, low: number): number {
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((marks[middle] ?? Infinity) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Now in yellow. In the past the cursor is hollow, and now a small dot where it is. */
export function paintPlayhead(scene: Scene): void {
  const { left, view, height } = scene;
  within(scene, [left - 7, 0, view.width + 14, height], () => {
    if (isPast(scene)) paintDot(scene, xOf(scene, view.now));
    paintHead(scene, playheadX(scene), isPast(scene) ? 'panel' : 'now');
  });
}

function paintHead(scene: Scene, at: number, colour: 'now' | 'panel'): void {
  const { context, palette, height, isPaused } = scene;
  const x = sharp(scene, at);
  const top = RULER.label - 2;
  line(scene, 'text', [x, top + 12], [x, height], 1.5);
  context.fillStyle = palette[colour];
  context.strokeStyle = colour === 'now' ? palette.nowInk : palette.text;
  context.lineWidth = 1.5;
  context.lineJoin = 'round';
  context.beginPath();
  context.moveTo(x - 6, top);
  context.lineTo(x + 6, top);
  context.lineTo(x + 6, top + 8);
  context.lineTo(x, top + 14);
  context.lineTo(x - 6, top + 8);
  context.closePath();
  context.fill();
  context.stroke();
  if (!isPaused || colour !== 'now') return;
  context.fillStyle = palette.nowInk;
  context.fillRect(x - 3, top + 2, 2, 6);
  context.fillRect(x + 1, top + 2, 2, 6);
}

function paintDot({ context, palette }: Scene, x: number): void {
  context.fillStyle = palette.now;
  context.strokeStyle = palette.nowInk;
  context.lineWidth = 1.5;
  context.beginPath();
  context.arc(x, RULER.ticks - 4, 4, 0, 2 * Math.PI);
  context.fill();
  context.stroke();
}
