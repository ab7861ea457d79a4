/** Draws what the bars stand on: the names of the lanes, the ruler and its grid, pauses, and what is cut short. */
import { m } from '../../i18n';
import { pixelBars, type PixelBars } from '../../trace/lanes-bars';
import type { LaneKind } from '../../trace/lanes';
import { duration } from '../lib/format';
import { LANE_NAMES } from './describe';
import { NAME_HEIGHT } from './layout';
import type { ColourName, Palette } from './palette';
import {
  barsOf,
  fill,
  isScrollable,
  line,
  LANES_TOP,
  OVERVIEW,
  playheadX,
  RULER,
  sharp,
  write,
  xOf,
  type Scene,
} from './scene';
import { ticks, tickStep, tickText } from './ticks';

/** Each kind's shape, in a square of 12; open ones are drawn, filled ones filled. */
const GLYPHS: Partial<Record<LaneKind, { path: string; colour: ColourName; isOpen?: boolean }>> = {
  model: { path: 'M2 2h8v8h-8Z', colour: 'assistant' },
  tool: { path: 'M3 1.8 10.2 6 3 10.2Z', colour: 'tool' },
  steering: { path: 'M6 .8 11.2 6 6 11.2 .8 6Z', colour: 'steering' },
  followUp: { path: 'M6 1.6 10.4 6 6 10.4 1.6 6Z', colour: 'followUp', isOpen: true },
  hook: { path: 'M8.5 1v6a3 3 0 0 1-6 0V6', colour: 'hook', isOpen: true },
};
/** From the right edge, and how wide. */
const SCROLL_BAR = { right: 7, width: 5 };
const NAME_LEFT = 12;
const GLYPH_ROOM = 16;

/** How much room the names of the lanes take. */
export function namesWidth(width: (text: string, size: number, weight: 400) => number): number {
  const names = Object.entries(LANE_NAMES).map(([kind, name]) => {
    return width(name(), 12, 400) + (kind in GLYPHS ? GLYPH_ROOM : 0);
  });
  return Math.ceil(Math.max(width(m.time_overview(), 12, 400), ...names) + NAME_LEFT + 10);
}

export function paintNames(scene: Scene): void {
  const { context, palette, layout, scroll, width } = scene;
  for (const { kind, top, height, rows } of layout.lanes) {
    const y = LANES_TOP + top - scroll;
    line(
      scene,
      'line',
      [scene.left, sharp(scene, y + height) - 0.5],
      [width, sharp(scene, y + height) - 0.5],
    );
    const [first] = rows;
    // Calls have rows of their own, of which the first bears the name.
    const own =
      kind === 'tool' && first
        ? LANES_TOP + first.top - scroll + Math.min(first.height, 20) / 2
        : y + height / 2;
    // It stays in sight as long as its lane does.
    const middle = Math.min(Math.max(own, LANES_TOP + NAME_HEIGHT / 2), y + height - NAME_HEIGHT / 2);
    const glyph = GLYPHS[kind];
    if (glyph) {
      context.save();
      context.translate(NAME_LEFT, middle - 5);
      context.scale(10 / 12, 10 / 12);
      const path = new Path2D(glyph.path);
      context.lineWidth = 1.8;
      context[glyph.isOpen ? 'strokeStyle' : 'fillStyle'] = palette[glyph.colour];
      if (glyph.isOpen) context.stroke(path);
      else context.fill(path);
      context.restore();
    }
    write(scene, LANE_NAMES[kind](), [NAME_LEFT + (glyph ? GLYPH_ROOM : 0), middle + 4], 'text2', {
      size: 12,
    });
  }
}

export function paintOverviewName(scene: Scene): void {
  write(scene, m.time_overview(), [NAME_LEFT, OVERVIEW.top + 16], 'text2', { size: 12 });
}

export function paintRuler(scene: Scene): void {
  const { view, left } = scene;
  const step = tickStep(view);
  const labels = gapLabels(scene);
  for (const { x, value, isMinor } of ticks(view, step)) {
    const at = sharp(scene, left + x) - 0.5;
    line(scene, 'lineStrong', [at, isMinor ? RULER.ticks - 4 : RULER.ticks - 7], [at, RULER.ticks]);
    if (isMinor) continue;
    line(scene, 'line', [at, LANES_TOP], [at, scene.height]);
    const words = tickText(value, step, view.scale.measure);
    const half = scene.text.width(words, 11, 400) / 2;
    // The playhead's head stands there, or the time under the pointer.
    if (Math.abs(left + x - playheadX(scene)) < half + 9) continue;
    if (Math.abs(left + x - (scene.pointer ?? -Infinity)) < half + 28) continue;
    if (labels.some((label) => Math.abs(left + x - label.x) < half + label.half + 4)) continue;
    write(scene, words, [left + x, RULER.label], 'text3', { align: 'center' });
  }
}

interface GapLabel {
  x: number;
  words: string;
  /** Of its width, in pixels. */
  half: number;
}

/** How long each gap in sight is, in words as long as there is room for up to its neighbours. */
function gapLabels(scene: Scene): GapLabel[] {
  const { view, left, text } = scene;
  const right = left + view.width;
  const middles = view.scale.gaps
    .map((gap) => ({ gap, x: (xOf(scene, gap.from) + xOf(scene, gap.to)) / 2 }))
    .filter(({ x }) => x >= left && x <= right);
  const labels: GapLabel[] = [];
  let free = left;
  for (const [index, { gap, x }] of middles.entries()) {
    const length = duration(gap.to - gap.from);
    const next = middles[index + 1]?.x ?? Infinity;
    const fitting = [m.time_folded_gap({ duration: length }), length].find((words) => {
      const half = text.width(words, 11, 600) / 2;
      return x - half >= free && x + half + 4 < next;
    });
    if (fitting === undefined) continue;
    const half = text.width(fitting, 11, 600) / 2;
    labels.push({ x: Math.min(x, right - half), words: fitting, half });
    free = x + half + 6;
  }
  return labels;
}

/** What is cut short: a break across the lanes, with its length above where there is room. */
export function paintGaps(scene: Scene): void {
  const { context, palette, view, height } = scene;
  let free = -Infinity;
  for (const gap of view.scale.gaps) {
    const [x0, x1] = [xOf(scene, gap.from), xOf(scene, gap.to)];
    if (x1 < scene.left || x0 > scene.left + view.width || x0 < free) continue;
    const middle = sharp(scene, (x0 + x1) / 2);
    free = middle + 6;
    const half = Math.min(5, Math.max(1.5, (x1 - x0) / 4));
    fill(scene, 'panel', [middle - half, RULER.ticks - 7, 2 * half, height - RULER.ticks + 7]);
    context.strokeStyle = palette.lineStrong;
    context.lineWidth = 1;
    for (const side of [-half, half]) zigzag(context, middle + side, RULER.ticks - 7, height);
  }
  for (const { x, words, half } of gapLabels(scene)) {
    fill(scene, 'panel', [x - half - 2, RULER.top, 2 * half + 4, 13]);
    write(scene, words, [x, RULER.label], 'text2', { weight: 600, align: 'center' });
  }
}

function zigzag(context: CanvasRenderingContext2D, x: number, top: number, bottom: number): void {
  context.beginPath();
  context.moveTo(x, top);
  for (let y = top + 4, side = 1; y < bottom + 4; y += 4, side = -side) context.lineTo(x + side * 1.5, y);
  context.stroke();
}

/** Which part of the lanes is in sight, when they need more height than there is. */
export function paintScrollBar(scene: Scene): void {
  const { layout, scroll, height, width } = scene;
  const room = height - LANES_TOP;
  if (!isScrollable(scene)) return;
  const x = width - SCROLL_BAR.right;
  fill(scene, 'track', [x, LANES_TOP, SCROLL_BAR.width, room]);
  const share = room / layout.height;
  fill(scene, 'text3', [x, LANES_TOP + scroll * share, SCROLL_BAR.width, room * share]);
}

/** Pauses lie under all lanes. */
export function paintPauses(scene: Scene): void {
  const bars = pixelBars(scene.lanes.pauses, scene.view, barsOf(scene, scene.lanes.pauses));
  for (let at = 0; at < bars.count; at++) paintPause(scene, bars, at);
}

function paintPause(scene: Scene, bars: PixelBars, at: number): void {
  const x = Math.max(scene.left + (bars.x0[at] ?? 0), scene.left);
  const end = Math.min(scene.left + (bars.x1[at] ?? 0), scene.left + scene.view.width);
  const width = Math.max(2, end - x);
  fill(scene, 'pauseSoft', [x, LANES_TOP, width, scene.height - LANES_TOP]);
  scene.context.fillStyle = hatch(scene.context, scene.palette, scene.density);
  scene.context.fillRect(x, LANES_TOP, width, scene.height - LANES_TOP);
}

/** How long each pause was, over what else there is. */
export function paintPauseTexts(scene: Scene): void {
  const { lanes, layout, view, now, context, palette, scroll } = scene;
  const bars = barsOf(scene, lanes.pauses);
  const turns = layout.lanes.find(({ kind }) => kind === 'turn');
  const y = LANES_TOP - scroll + (turns ? turns.top + turns.height / 2 : 30) + 4;
  for (let at = 0; at < bars.count; at++) {
    if (bars.first[at] !== bars.last[at]) continue;
    const index = bars.first[at] ?? 0;
    const length = Math.min(lanes.pauses.endAt[index] ?? now, now) - (lanes.pauses.at[index] ?? 0);
    const words = m.time_held({ duration: duration(length) });
    const x = Math.max(bars.x0[at] ?? 0, 0);
    const end = Math.min(bars.x1[at] ?? 0, view.width);
    if (scene.text.width(words, 11, 600) + 12 > end - x) continue;
    scene.text.use(11, 600);
    context.textAlign = 'center';
    context.lineJoin = 'round';
    context.lineWidth = 5;
    context.strokeStyle = palette.pauseSoft;
    context.strokeText(words, scene.left + (x + end) / 2, y);
    write(scene, words, [scene.left + (x + end) / 2, y], 'text', { weight: 600, align: 'center' });
  }
}

const hatches = new Map<string, CanvasPattern>();

/** Slanted lines that stand for a pause. Patterns are kept for each theme and density. */
export function hatch(
  context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  { pause, pauseSoft }: Palette,
  density: number,
): CanvasPattern | string {
  const key = `${pause} ${density}`;
  const known = hatches.get(key);
  if (known) return known;
  const tile = new OffscreenCanvas(8 * density, 8 * density);
  const pen = tile.getContext('2d');
  const pattern = pen && context.createPattern(paintHatch(pen, pause, density), 'repeat');
  if (!pattern) return pauseSoft;
  pattern.setTransform(new DOMMatrix().scale(1 / density));
  hatches.set(key, pattern);
  return pattern;
}

function paintHatch(
  pen: OffscreenCanvasRenderingContext2D,
  colour: string,
  density: number,
): OffscreenCanvas {
  pen.scale(density, density);
  pen.globalAlpha = 0.45;
  pen.strokeStyle = colour;
  pen.lineWidth = 1.3;
  pen.beginPath();
  for (const x of [-8, 0, 8]) {
    pen.moveTo(x, 8);
    pen.lineTo(x + 8, 0);
  }
  pen.stroke();
  return pen.canvas;
}
