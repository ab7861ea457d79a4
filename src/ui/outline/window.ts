/** Which rows of a long list are in sight. */

/** Where each row begins; the last number is the height of all. */
export function rowOffsets<T>(rows: readonly T[], height: (row: T) => number): Float64Array {
  const offsets = new Float64Array(rows.length + 1);
  rows.forEach((row, index) => {
    offsets[index + 1] = (offsets[index] ?? 0) + height(row);
  });
  return offsets;
}

/** The rows from `first` to before `end` that touch the stretch from `top` to `bottom`, with `around` more on both sides. */
export function visibleRows(
  offsets: Float64Array,
  top: number,
  bottom: number,
  around = 6,
): { first: number; end: number } {
  const count = offsets.length - 1;
  const first = Math.max(0, rowAt(offsets, top) - around);
  const end = Math.min(count, rowAt(offsets, bottom) + 1 + around);
  return { first, end };
}

/** The row that covers `y`, or the nearest. */
function rowAt(offsets: Float64Array, y: number): number {
  let low = 0;
  let high = Math.max(0, offsets.length - 2);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((offsets[middle] ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}
