/** The context as a pile of messages at the left of the map: everything that joins it goes there, the newest at the bottom. */
import type { LoopMessage } from '../../trace/loop-place';
import type { Box } from './fitting';
import { stationPoint } from './geometry';
import type { Geometry, Point } from './geometry';

/** In units of the wide map. */
export const pile = { left: 10, width: 50, bottom: 278, bar: 5.5, step: 8, most: 7 } as const;

/** Where the pile is drawn, its name included. */
export function pileBox(small: number): Box {
  const top = pile.bottom - pile.most * pile.step - small;
  return { left: pile.left, top: top - 2, right: pile.left + pile.width, bottom: pile.bottom };
}

/** The upper edge of a bar, counted from the newest. */
export function barTop(fromNewest: number): number {
  return pile.bottom - fromNewest * pile.step - pile.bar;
}

/** Where a message comes from on the map. */
export function sourceOf(map: Geometry, { kind }: LoopMessage): Point {
  switch (kind) {
    case 'assistant':
      return stationPoint(map, 'stream', 0.5);
    case 'tool':
      return stationPoint(map, 'tools', 1);
    case 'steering':
    case 'follow-up':
    case 'note':
      return stationPoint(map, 'inject');
    case 'user':
      return stationPoint(map, 'start');
  }
}
