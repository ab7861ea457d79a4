/** Draws the overview: everything there is, with a frame around what the axis shows. */
import { PixelBars, pixelBars, pixelOf } from '../../trace/lanes-bars';
import type { Lanes } from '../../trace/lanes';
import type { Scale } from '../../trace/lanes-scale';
import { hatch } from './paint-axis';
import { fill, line, OVERVIEW, playhead, type Scene } from './scene';

/** The lines of the overview from its top: what they show, and how high. */
const LINES = [
  { kind: 'run', colour: 'lineStrong', top: 2, height: 1.5 },
  { kind: 'model', colour: 'assistant', top: 5, height: 5 },
  { kind: 'tool', colour: 'tool', top: 11, height: 2.5 },
  { kind: 'steering', colour: 'steering', top: 17.5, height: 2 },
  { kind: 'followUp', colour: 'followUp', top: 20.5, height: 2 },
] as const;
/** Calls at the same time take a line each, up to so many. */
const TOOL_LINES = 2;

const scratch = new PixelBars();

/** What the overview shows, kept as long as that is the same: panning and zooming do not change it. */
export interface OverviewPicture {
  key: string;
  lanes: Lanes;
  scale: Scale;
  canvas: OffscreenCanvas;
}

/** `picture`: of the drawing before; returns the one to keep. */
export function paintOverview(scene: Scene, picture: OverviewPicture | undefined): OverviewPicture {
  const { left, view, lanes, whole, density, palette, context } = scene;
  const { scale } = whole;
  const { seq } = lanes.end;
  const key = [seq, whole.from, whole.to, whole.width, whole.now, density, palette.panel].join(' ');
  const isSame = picture?.key === key && picture.lanes === lanes && picture.scale === scale;
  const kept = isSame ? picture : { key, lanes, scale, canvas: pictureOf(scene) };
  context.drawImage(kept.canvas, left, OVERVIEW.top, view.width, OVERVIEW.height);
  paintFrame(scene);
  return kept;
}

function pictureOf({ lanes, whole, palette, density }: Scene): OffscreenCanvas {
  const canvas = new OffscreenCanvas(Math.ceil(whole.width * density), OVERVIEW.height * density);
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) return canvas;
  context.scale(canvas.width / whole.width, density);
  context.fillStyle = palette.sunken;
  context.fillRect(0, 0, whole.width, OVERVIEW.height);
  for (const { kind, colour, top, height } of LINES) {
    context.fillStyle = palette[colour];
    lanes.rows[kind].forEach((row, index) => {
      const shift = kind === 'tool' ? Math.min(index, TOOL_LINES - 1) * 3 : 0;
      fillBars(context, pixelBars(row, whole, scratch), top + shift, height);
    });
  }
  context.fillStyle = hatch(context, palette, density);
  fillBars(context, pixelBars(lanes.pauses, whole, scratch), 0, OVERVIEW.height);
  return canvas;
}

function fillBars(
  context: OffscreenCanvasRenderingContext2D,
  bars: PixelBars,
  y: number,
  height: number,
): void {
  for (let at = 0; at < bars.count; at++) {
    const x = bars.x0[at] ?? 0;
    context.fillRect(x, y, Math.max(1, (bars.x1[at] ?? 0) - x), height);
  }
}

function paintFrame(scene: Scene): void {
  const { context, palette, left, view } = scene;
  const { from, to } = overviewWindow(scene);
  const { top, height } = OVERVIEW;
  const right = left + view.width;
  context.globalAlpha = 0.62;
  fill(scene, 'panel', [left, top, Math.max(0, from - left), height]);
  fill(scene, 'panel', [to, top, Math.max(0, right - to), height]);
  context.globalAlpha = 1;
  const x = left + pixelOf(scene.whole, playhead(scene));
  line(scene, 'text', [x, top], [x, top + height], 1.5);
  context.strokeStyle = palette.text;
  context.lineWidth = 1.25;
  context.strokeRect(from + 0.5, top + 0.5, Math.max(4, to - from - 1), height - 1);
}

/** The pixels between which the axis' window lies in the overview. */
export function overviewWindow({ view, whole, left }: Scene): { from: number; to: number } {
  const pixel = (place: number): number => ((place - whole.from) * whole.width) / (whole.to - whole.from);
  const from = Math.max(0, pixel(view.from));
  const to = Math.min(whole.width, pixel(view.to));
  return { from: left + Math.min(from, whole.width - 4), to: left + Math.max(to, 4) };
}
