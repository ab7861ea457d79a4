/** What the wheel does: one rule, however high the lanes are. */
import type { Place } from './hit';

/** `dx`, `dy`: how far it turned, in pixels. A pinch on a touch pad comes with `ctrlKey`. */
export function wheelOn(
  place: Place,
  { ctrlKey, metaKey, shiftKey }: Pick<WheelEvent, 'ctrlKey' | 'metaKey' | 'shiftKey'>,
  dx: number,
  dy: number,
): 'zoom' | 'pan' | 'scroll' {
  if (ctrlKey || metaKey) return 'zoom';
  if (shiftKey || Math.abs(dx) > Math.abs(dy)) return 'pan';
  return place === 'names' ? 'scroll' : 'zoom';
}
