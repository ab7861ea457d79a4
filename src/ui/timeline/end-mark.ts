/** How a bar ended, where that needs a mark of its own: by shape and by colour. */
import { BarFlag } from '../../trace/lanes-row';
import { fill, frame, line, type Rect, type Scene } from './scene';
import type { ColourName } from './palette';

/** `blocked`: it failed without having run. `cut`: an answer that ended at its limit of tokens. */
export type EndMark = 'failed' | 'blocked' | 'aborted' | 'interrupted' | 'cut';

/** The worst that its flags say; `undefined`: it ended well, or goes on. */
export function endMark(flags: number): EndMark | undefined {
  if (flags & BarFlag.failed) return flags & BarFlag.asked ? 'blocked' : 'failed';
  if (flags & BarFlag.aborted) return 'aborted';
  if (flags & BarFlag.interrupted) return 'interrupted';
  return flags & BarFlag.cut ? 'cut' : undefined;
}

const COLOURS: Partial<Record<EndMark, ColourName>> = { failed: 'error', blocked: 'error', cut: 'pause' };
/** Width of a mark with its sign; narrower bars have their sign behind them, or only the colour. */
const SIGN = 12;
const EDGE = 4;

/** Where a mark goes: inside the bar's end, behind it, or only as a coloured edge. */
export interface MarkRoom {
  /** Taken of the bar's width at its end, in pixels. */
  inside: number;
  /** Taken behind the bar. */
  behind: number;
}

/** `free`: pixels behind the bar until the next one. */
export function markRoom(mark: EndMark | undefined, width: number, free: number): MarkRoom {
  if (!mark || !(mark in COLOURS)) return { inside: 0, behind: 0 };
  if (width >= 2.5 * SIGN) return { inside: SIGN + 1, behind: 0 };
  return { inside: Math.min(EDGE, width), behind: free >= SIGN + 2 ? SIGN : 0 };
}

/** Draws it on a bar that is drawn already. */
export function paintMark(scene: Scene, mark: EndMark, [x, y, width, height]: Rect, room: MarkRoom): void {
  const end = x + width;
  const colour = COLOURS[mark];
  if (!colour) {
    if (mark === 'aborted') line(scene, 'text', [end, y - 2], [end, y + height + 2], 3);
    else frame(scene, 'text', [end - 2, y - 2, 4, height + 4]);
    return;
  }
  const { inside, behind } = room;
  fill(scene, 'panel', [end - inside, y, inside, height]);
  const cap = inside > EDGE ? inside - 1 : inside;
  fill(scene, colour, [end - cap, y, cap, height]);
  if (inside > EDGE) paintSign(scene, mark, [end - cap / 2, y + height / 2], 'panel');
  else if (behind > 0) paintSign(scene, mark, [end + behind / 2 + 1, y + height / 2], colour);
}

/** A cross, a no-entry bar in its ring, or three dots. */
function paintSign({ context, palette }: Scene, mark: EndMark, [x, y]: [number, number], colour: ColourName) {
  context.strokeStyle = palette[colour];
  context.fillStyle = palette[colour];
  context.lineWidth = 1.75;
  context.beginPath();
  if (mark === 'failed') {
    context.moveTo(x - 2.75, y - 2.75);
    context.lineTo(x + 2.75, y + 2.75);
    context.moveTo(x + 2.75, y - 2.75);
    context.lineTo(x - 2.75, y + 2.75);
  } else if (mark === 'blocked') {
    context.arc(x, y, 3.75, 0, 2 * Math.PI);
    context.moveTo(x - 2.5, y + 2.5);
    context.lineTo(x + 2.5, y - 2.5);
  } else {
    for (const shift of [-3.25, 0, 3.25]) context.rect(x + shift - 0.9, y - 0.9, 1.8, 1.8);
    context.fill();
    return;
  }
  context.stroke();
}
