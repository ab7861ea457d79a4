/** Where the name of a station stands, from its place on. */
export interface NameExtent {
  /** How far left of its place it begins. */
  before: number;
  width: number;
}

const known = new Map<string, NameExtent>();

/** Of the lines of a label at `x`. Measuring makes the page lay out, so it is done once for what looks the same: `look`. */
export function nameExtent(lines: readonly SVGTSpanElement[], x: number, look: string): NameExtent {
  const key = [look, ...lines.map(({ textContent }) => textContent)].join('\n');
  let extent = known.get(key);
  if (!extent) {
    const left = Math.min(...lines.map((line) => line.getStartPositionOfChar(0).x));
    const width = Math.max(...lines.map((line) => line.getComputedTextLength()));
    known.set(key, (extent = { before: x - left, width }));
  }
  return extent;
}
