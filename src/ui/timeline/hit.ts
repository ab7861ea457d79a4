/** What lies under a point of the canvas, as it was drawn. */
import type { LaneRow } from '../../trace/lanes-row';
import { overviewWindow } from './paint-overview';
import { boxOfBar, isScrollable, LANES_TOP, OVERVIEW, type Scene } from './scene';

export interface Hit {
  row: LaneRow;
  /** The bars that are drawn there as one, as indexes. */
  first: number;
  last: number;
}

/** How far from a bar pointing still means it, in pixels. */
const NEAR = 4;

export function hitAt(scene: Scene, x: number, y: number): Hit | undefined {
  if (y < LANES_TOP || x < scene.left) return undefined;
  const { lanes, layout, scroll } = scene;
  const lane = layout.lanes.find(({ top, height }) => {
    return y >= LANES_TOP + top - scroll && y < LANES_TOP + top + height - scroll;
  });
  if (!lane) return undefined;
  const polls = lane.kind === 'steering' || lane.kind === 'followUp' ? lanes.polls[lane.kind] : undefined;
  const poll = polls && nearest(scene, polls, x, NEAR + 2);
  if (poll) return poll;
  let best: Hit | undefined;
  let least = NEAR + lane.height / lane.rows.length / 2;
  for (const row of lanes.rows[lane.kind]) {
    const hit = nearest(scene, row, x, NEAR);
    if (!hit) continue;
    const { top, height } = boxOfBar(scene, lane, row, hit.first, hit.last);
    const distance = Math.abs(top + height / 2 - y) - height / 2;
    if (distance > least) continue;
    least = distance;
    best = hit;
  }
  return best ?? nearest(scene, lanes.pauses, x, 0);
}

function nearest({ drawn, left }: Scene, row: LaneRow, x: number, near: number): Hit | undefined {
  const bars = drawn.get(row);
  let best: Hit | undefined;
  let least = near;
  for (let at = 0; at < (bars?.count ?? 0); at++) {
    if (!bars) break;
    const [x0, x1] = [left + (bars.x0[at] ?? 0), left + (bars.x1[at] ?? 0)];
    const distance = x < x0 ? x0 - x : Math.max(0, x - x1);
    if (distance > least || (best && distance === least)) continue;
    least = distance;
    best = { row, first: bars.first[at] ?? 0, last: bars.last[at] ?? 0 };
  }
  return best;
}

export type Place =
  'window' | 'window-start' | 'window-end' | 'overview' | 'ruler' | 'lanes' | 'names' | 'scroll';

/** Which part of the panel a point is in. */
export function placeAt(scene: Scene, x: number, y: number): Place {
  if (x < scene.left - NEAR) return 'names';
  if (y >= LANES_TOP) return isScrollable(scene) && x > scene.left + scene.view.width ? 'scroll' : 'lanes';
  if (y > OVERVIEW.top + OVERVIEW.height + 2) return 'ruler';
  const { from, to } = overviewWindow(scene);
  const reach = Math.min(5, (to - from) / 4 + 2);
  if (Math.abs(x - from) <= reach) return 'window-start';
  if (Math.abs(x - to) <= reach) return 'window-end';
  return x > from && x < to ? 'window' : 'overview';
}
