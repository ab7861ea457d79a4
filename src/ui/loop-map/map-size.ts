/** How large the map is drawn in its box, and what there is room for beside it. */
import { cardsBeside } from './chutes';
import type { QueueName } from './chutes';
import type { Box } from './fitting';
import { geometry, stationPoint } from './geometry';
import type { Geometry, MapKind } from './geometry';
import { labelsOf } from './labels';
import { stationName } from './texts';
import { textWidth } from './text-width';

export interface MapSize {
  kind: MapKind;
  /** px of a unit of the map. */
  scale: number;
  /** Font sizes of the plain labels and of the small ones, in units of the map. */
  size: number;
  small: number;
  /** px: where cards stand that have no chutes. */
  beside?: { x: number; width: number };
  /** There is room on the right of the map. */
  roomy: boolean;
  /** px: the map, and the cards that stand out at its right. */
  drawnWidth: number;
  /** What is in sight, in units of the map. */
  sight: Box;
}

/** px of a unit of the map, below which it cannot be read. */
export const leastScale = 0.5;

/** From here on the map has its chutes: they are kept for as long as their cards can be read, and words go first. */
const wideScale = 0.68;
// Labels keep 13 px, and what is small 11, whatever the size of the panel; in units of the map they are at least these.
const least = { size: 13, small: 11 };
const units = { wide: { size: 20.5, small: 13.5 }, narrow: { size: 13, small: 11 } } as const;

/** @param width px of the box, as is `height`. */
export function mapSize(width: number, height: number): MapSize {
  const scaleOf = (kind: MapKind): number => {
    const drawn = geometry(kind);
    return Math.max(0.1, Math.min(width / drawn.width, height / drawn.height));
  };
  const kind = scaleOf('wide') >= wideScale ? 'wide' : 'narrow';
  const scale = scaleOf(kind);
  const map = geometry(kind);
  const size = Math.max(units[kind].size, least.size / scale);
  const small = Math.max(units[kind].small, least.small / scale);
  const namesEnd = Math.max(queueLabel(map, size, 'steering').to, queueLabel(map, size, 'followUp').to);
  const beside = kind === 'narrow' ? cardsBeside(width, scale * namesEnd) : undefined;
  const drawnWidth = Math.max(map.width * scale, beside ? beside.x + beside.width : 0);
  return {
    kind,
    scale,
    size,
    small,
    ...(beside ? { beside } : {}),
    roomy: beside !== undefined || width - map.width * scale > 250,
    drawnWidth,
    sight: {
      left: (drawnWidth - width) / 2 / scale,
      top: (map.height * scale - height) / 2 / scale,
      right: (drawnWidth + width) / 2 / scale,
      bottom: (map.height * scale + height) / 2 / scale,
    },
  };
}

/** In units of the map: the height of the poll of a queue, and where its name ends. */
export function queueLabel(map: Geometry, size: number, queue: QueueName): { y: number; to: number } {
  const station = queue === 'steering' ? 'pollSteering' : 'pollFollowUp';
  const label = labelsOf(map, { size, roomy: true }, () => 1).find((each) => each.station === station);
  return {
    y: stationPoint(map, station).y,
    to: (label?.x ?? 0) + textWidth(stationName(station), size, true),
  };
}
