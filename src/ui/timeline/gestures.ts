/** Pointer and wheel on the axis: drag pans, the ruler seeks, the overview moves the window, wheel and pinch zoom; over the names the wheel scrolls. */
import { placeAt, type Hit, type Place } from './hit';
import { isScrollable, LANES_TOP } from './scene';
import type { TimeAxis } from './time-axis.svelte';
import { wheelOn } from './wheel';

export interface GestureActions {
  /** A click on bars, or on nothing. */
  press: (hit: Hit | undefined) => void;
  pressTwice: (hit: Hit | undefined) => void;
  /** The ruler was pressed or dragged along; absent where time travel is not offered. */
  seek: ((seq: number) => void) | undefined;
}

interface Point {
  x: number;
  y: number;
}

interface Drag {
  place: Place;
  start: Point;
  last: Point;
  hasMoved: boolean;
}

/** Pixels that a pointer may wander before it drags. */
const STILL = 4;
const CURSORS: Partial<Record<Place, string>> = {
  window: 'grab',
  'window-start': 'ew-resize',
  'window-end': 'ew-resize',
  overview: 'pointer',
  ruler: 'col-resize',
};

export class Gestures {
  readonly #pointers = new Map<number, Point>();
  #drag: Drag | undefined;

  constructor(
    readonly axis: TimeAxis,
    readonly canvas: HTMLElement,
    readonly actions: GestureActions,
  ) {}

  down(event: PointerEvent): void {
    const { scene } = this.axis;
    if (!scene || (event.pointerType === 'mouse' && event.button !== 0)) return;
    const at = this.#pointOf(event);
    this.#pointers.set(event.pointerId, at);
    this.canvas.setPointerCapture(event.pointerId);
    if (this.#pointers.size > 1) {
      this.#drag = undefined;
      return;
    }
    const place = placeAt(scene, at.x, at.y);
    this.#drag = { place, start: at, last: at, hasMoved: false };
    if (place === 'ruler') this.#seek(at.x);
    if (place === 'overview') this.#centre(at.x);
  }

  move(event: PointerEvent): void {
    const at = this.#pointOf(event);
    const before = this.#pointers.get(event.pointerId);
    if (before && this.#pointers.size === 2) this.#pinch(event.pointerId, at);
    if (before) this.#pointers.set(event.pointerId, at);
    if (this.#drag) this.#dragTo(this.#drag, at);
    if (event.pointerType === 'mouse') this.#hover(at);
  }

  up(event: PointerEvent): void {
    this.#pointers.delete(event.pointerId);
    const drag = this.#drag;
    this.#drag = undefined;
    this.canvas.classList.remove('dragging');
    if (event.type !== 'pointerup' || !drag || drag.hasMoved || drag.place !== 'lanes') return;
    this.actions.press(this.axis.hitAt(drag.start.x, drag.start.y));
  }

  leave(): void {
    this.axis.isHinted = false;
    this.axis.point(undefined);
  }

  twice(event: MouseEvent): void {
    const at = this.#pointOf(event);
    const { scene } = this.axis;
    if (scene && placeAt(scene, at.x, at.y) === 'lanes') this.actions.pressTwice(this.axis.hitAt(at.x, at.y));
  }

  wheel(event: WheelEvent): void {
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : event.deltaMode ? 200 : 1;
    const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
    const { x, y } = this.#pointOf(event);
    const { scene } = this.axis;
    if (!scene) return;
    const does = wheelOn(placeAt(scene, x, y), event, dx, dy);
    if (does === 'pan') this.axis.pan(dx || dy);
    else if (does === 'scroll') this.axis.scroll(dy);
    else this.axis.zoom(zoomFactor(dy), x);
    this.axis.isHinted = does === 'zoom' && isScrollable(scene);
  }

  #dragTo(drag: Drag, at: Point): void {
    if (!drag.hasMoved && Math.hypot(at.x - drag.start.x, at.y - drag.start.y) < STILL) return;
    drag.hasMoved = true;
    const dx = at.x - drag.last.x;
    const dy = at.y - drag.last.y;
    drag.last = at;
    if (drag.place === 'ruler' && this.actions.seek) this.#seek(at.x);
    else if (drag.place === 'scroll') this.axis.scroll(dy * this.#scrollFactor());
    else if (drag.place === 'window' || drag.place === 'overview') this.#moveWindow(dx, dx);
    else if (drag.place === 'window-start') this.#moveWindow(dx, 0);
    else if (drag.place === 'window-end') this.#moveWindow(0, dx);
    else {
      this.canvas.classList.add('dragging');
      this.axis.pan(-dx);
      this.axis.scroll(-dy);
    }
  }

  /** Pixels of the lanes for one of the scroll bar. */
  #scrollFactor(): number {
    const { scene } = this.axis;
    return scene ? scene.layout.height / Math.max(1, scene.height - LANES_TOP) : 1;
  }

  #seek(x: number): void {
    const seq = this.axis.seqAt(x);
    if (seq !== undefined) this.actions.seek?.(seq);
  }

  /** By pixels of the overview. */
  #moveWindow(start: number, end: number): void {
    const { scene } = this.axis;
    if (!scene) return;
    const { view, whole } = scene;
    const scale = (whole.to - whole.from) / whole.width;
    this.axis.showPlaces({ from: view.from + start * scale, to: view.to + end * scale });
  }

  #centre(x: number): void {
    const { scene } = this.axis;
    if (!scene) return;
    const { view, whole, left } = scene;
    const middle = whole.from + ((x - left) * (whole.to - whole.from)) / whole.width;
    const half = (view.to - view.from) / 2;
    this.axis.showPlaces({ from: middle - half, to: middle + half });
  }

  /** Two fingers: what lies under them stays under them. */
  #pinch(moving: number, to: Point): void {
    const from = this.#pointers.get(moving);
    const [, other] = [...this.#pointers].find(([id]) => id !== moving) ?? [];
    if (!from || !other) return;
    const [before, after] = [Math.abs(from.x - other.x), Math.abs(to.x - other.x)];
    if (before < 8 || after < 8) return;
    this.axis.zoom(before / after, other.x);
  }

  #hover(at: Point): void {
    const { scene } = this.axis;
    if (!scene) return;
    this.axis.point(this.#drag?.hasMoved ? undefined : at);
    const place = placeAt(scene, at.x, at.y);
    const cursor = place === 'ruler' && !this.actions.seek ? 'default' : CURSORS[place];
    this.canvas.style.cursor = cursor ?? (this.axis.hitAt(at.x, at.y) ? 'pointer' : 'default');
  }

  #pointOf(event: MouseEvent): Point {
    const { left, top } = this.canvas.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }
}

function zoomFactor(pixels: number): number {
  return Math.exp(Math.min(120, Math.max(-120, pixels)) * 0.005);
}
