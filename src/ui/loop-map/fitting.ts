/** Which words the map has room for: those that come first stay, and what would lie on them is left out. */

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Words {
  id: string;
  /** 0: is always there; the higher, the sooner it is left out. */
  rank: number;
  /** One for each line, in units of the map. */
  boxes: readonly Box[];
  /** It says nothing without these. */
  needs?: string;
}

export interface WrittenLine {
  /** Where it begins, has its middle or ends, by its anchor; `y` is the baseline. */
  x: number;
  y: number;
  anchor: 'start' | 'middle' | 'end';
  size: number;
  width: number;
}

/** The box of the letters of a line. */
export function boxOfLine({ x, y, anchor, size, width }: WrittenLine): Box {
  const left = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2;
  return { left, top: y - 0.82 * size, right: left + width, bottom: y + 0.26 * size };
}

/** The ids of the words that stay: no two of them lie on each other, and all of them are inside of `room`. */
export function fitting(words: readonly Words[], room: Box): Set<string> {
  const kept = new Set<string>();
  const taken: Box[] = [];
  for (const { id, rank, boxes, needs } of words.toSorted((a, b) => a.rank - b.rank)) {
    const isFree = boxes.every((box) => isInside(box, room) && !taken.some((other) => meet(box, other)));
    if (rank > 0 && (!isFree || (needs !== undefined && !kept.has(needs)))) continue;
    kept.add(id);
    taken.push(...boxes);
  }
  return kept;
}

export function meet(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function isInside(box: Box, room: Box): boolean {
  return box.left >= room.left && box.right <= room.right && box.top >= room.top && box.bottom <= room.bottom;
}
