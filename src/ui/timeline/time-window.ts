/** The window of the axis: the places that it shows, and how it zooms, pans, fits and follows. All pure. */

/** Places on the axis, as a scale makes them. */
export interface TimeWindow {
  from: number;
  to: number;
}

/** What there is to show: where it begins, where it ends now, and the shortest window that makes sense. */
export interface Extent {
  start: number;
  end: number;
  least: number;
}

/** Room after the end, as a share of the window, so that now does not stick to the edge. */
const AFTER = 0.04;
const BEFORE = 0.01;

/** Everything, with some room around it. */
export function wholeWindow({ start, end, least }: Extent): TimeWindow {
  const span = Math.max(end - start, least);
  return { from: start - span * BEFORE, to: start + span * (1 + AFTER) };
}

/** These places with room on both sides. */
export function fittedWindow(from: number, to: number, extent: Extent): TimeWindow {
  const room = Math.max((to - from) * 0.1, (extent.least - (to - from)) / 2);
  return heldWindow({ from: from - room, to: to + room }, extent);
}

/** They differ by no more than can be seen. */
export function isSameWindow(a: TimeWindow, b: TimeWindow): boolean {
  const exact = (a.to - a.from) / 500;
  return Math.abs(a.from - b.from) <= exact && Math.abs(a.to - b.to) <= exact;
}

/** `factor` below 1 shows less; the place `anchor` stays where it is on the screen. */
export function zoomedWindow(
  { from, to }: TimeWindow,
  factor: number,
  anchor: number,
  extent: Extent,
): TimeWindow {
  const whole = wholeWindow(extent);
  const span = Math.min(Math.max((to - from) * factor, extent.least), whole.to - whole.from);
  const share = (anchor - from) / (to - from);
  return heldWindow({ from: anchor - span * share, to: anchor + span * (1 - share) }, extent);
}

export function pannedWindow({ from, to }: TimeWindow, by: number, extent: Extent): TimeWindow {
  return heldWindow({ from: from + by, to: to + by }, extent);
}

/** The nearest window of this length that has something to show: at most a quarter of it lies outside. */
export function heldWindow({ from, to }: TimeWindow, extent: Extent): TimeWindow {
  const whole = wholeWindow(extent);
  const span = to - from;
  if (span >= whole.to - whole.from) return whole;
  const first = Math.max(whole.from, extent.start - span * 0.25);
  const last = Math.max(first, extent.end - span * 0.75);
  const start = Math.min(Math.max(from, first), last);
  return { from: start, to: start + span };
}

/** The window moved on, when the end has come to its right edge. */
export function followingWindow({ from, to }: TimeWindow, { end }: Extent): TimeWindow {
  const span = to - from;
  const right = end + span * AFTER;
  return right > to ? { from: right - span, to: right } : { from, to };
}

/** Where to begin while things happen: the last stretch of at most `span`. */
export function latestWindow(span: number, extent: Extent): TimeWindow {
  const { start, end, least } = extent;
  if (end - start <= span) return wholeWindow({ start, end: Math.max(end, start + least), least });
  return followingWindow({ from: end - span, to: end }, extent);
}

/** The window moved as little as needed to show these places; as wide as they are, when it was narrower. */
export function revealingWindow(window: TimeWindow, from: number, to: number, extent: Extent): TimeWindow {
  const span = window.to - window.from;
  if (to - from > span) return fittedWindow(from, to, extent);
  const room = Math.min(span * 0.1, (span - (to - from)) / 2);
  if (from < window.from + room / 2) return heldWindow({ from: from - room, to: from - room + span }, extent);
  if (to > window.to - room / 2) return heldWindow({ from: to + room - span, to: to + room }, extent);
  return window;
}
