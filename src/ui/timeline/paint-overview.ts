/** Draws the overview: everything there is, with a frame around what the axis shows. */
import { PixelBars, pixelBars, pixelOf } from '../../trace/lanes-bars';
import type { LaneRow } from '../../trace/lanes-row';
import { hatch } from './paint-axis';
import type { ColourName } from './palette';
import { fill, line, OVERVIEW, playhead, type Rect, type Scene, within } from './scene';

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

export function paintOverview(scene: Scene): void {
  const { left, view, lanes } = scene;
  const area: Rect = [left, OVERVIEW.top, view.width, OVERVIEW.height];
  fill(scene, 'sunken', area);
  within(scene, area, () => {
    for (const { kind, colour, top, height } of LINES) {
      lanes.rows[kind].forEach((row, index) => {
        const shift = kind === 'tool' ? Math.min(index, TOOL_LINES - 1) * 3 : 0;
        paintLine(scene, row, colour, OVERVIEW.top + top + shift, height);
      });
    }
    paintOverviewPauses(scene);
  });
  paintFrame(scene);
}

function paintLine(scene: Scene, row: LaneRow, colour: ColourName, y: number, height: number): void {
  const bars = pixelBars(row, scene.whole, scratch);
  scene.context.fillStyle = scene.palette[colour];
  for (let at = 0; at < bars.count; at++) {
    const x = scene.left + (bars.x0[at] ?? 0);
    scene.context.fillRect(x, y, Math.max(1, scene.left + (bars.x1[at] ?? 0) - x), height);
  }
}

function paintOverviewPauses(scene: Scene): void {
  const bars = pixelBars(scene.lanes.pauses, scene.whole, scratch);
  scene.context.fillStyle = hatch(scene);
  for (let at = 0; at < bars.count; at++) {
    const x = scene.left + (bars.x0[at] ?? 0);
    const end = scene.left + (bars.x1[at] ?? 0);
    scene.context.fillRect(x, OVERVIEW.top, Math.max(1, end - x), OVERVIEW.height);
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
