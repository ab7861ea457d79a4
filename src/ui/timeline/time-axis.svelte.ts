/**
 * The time axis behind its component: what it shows and how it moves. It draws only when something changed, once a
 * frame; while it is hidden it neither draws nor reads the trace.
 */
import { lanesOf, type Lanes } from '../../trace/lanes';
import { PixelBars, valueAt } from '../../trace/lanes-bars';
import type { LaneRow } from '../../trace/lanes-row';
import type { Scale, ScaleMode } from '../../trace/lanes-scale';
import type { Trace } from '../../trace/types';
import type { Selection } from '../view.svelte';
import { extentOf, placesOf, type Measured } from './extent';
import { hitAt, type Hit } from './hit';
import { layOut } from './layout';
import { paint } from './paint';
import type { OverviewPicture } from './paint-overview';
import { LANES_TOP, RIGHT_ROOM, type Scene } from './scene';
import { barOfSelection } from './selection';
import { Sight, type Focus } from './sight';
import { Surface } from './surface';
import {
  fittedWindow,
  heldWindow,
  isSameWindow,
  pannedWindow,
  wholeWindow,
  zoomedWindow,
  type Extent,
  type TimeWindow,
} from './time-window';

/** What the page tells the axis, again at each change. */
export interface Shown extends Focus {
  trace: Trace;
  /** Session time in ms. */
  now: number;
  live: boolean;
  isPaused: boolean;
  marks: readonly number[];
}

/** What the window shows, as values of the measure. */
export interface ShownRange {
  measure: 'at' | 'seq';
  from: number;
  to: number;
}

/** The window to begin with while things happen: in ms, and in steps. */
const LATEST = { at: 30_000, seq: 120 };
/** Room below the lanes. */
const BOTTOM = 3;

export class TimeAxis {
  mode = $state.raw<ScaleMode>('wall');
  range = $state.raw<ShownRange | undefined>();
  isFollowing = $state(true);
  isEmpty = $state(true);
  /** Everything is in sight. */
  isWhole = $state(true);
  /** The wheel has just zoomed where there are lanes out of sight: how they are scrolled is to be said. */
  isHinted = $state(false);
  /** What the pointer is on, and where it is on the canvas. */
  pointed = $state.raw<{ hit: Hit; x: number; y: number } | undefined>();
  isVisible = $state(false);
  /** The last record that is drawn. */
  drawnSeq = $state(0);
  lanes: Lanes | undefined;
  scene: Scene | undefined;

  readonly #sight = new Sight();
  readonly #drawn = new WeakMap<LaneRow, PixelBars>();
  #surface: Surface | undefined;
  #shown: Shown | undefined;
  #scroll = 0;
  #overview: OverviewPicture | undefined;
  #pointer: { x: number; y: number } | undefined;
  #frame = 0;
  #scale: { scale: Scale; seq: number; now: number; lanes: Lanes } | undefined;

  /** Attaches to the canvas of the component; returns how to let go. */
  attach(canvas: HTMLCanvasElement): () => void {
    const surface = new Surface(canvas, () => {
      this.isVisible = surface.width > 0 && surface.height > 0;
      this.redraw();
    });
    this.#surface = surface;
    return () => {
      surface.close();
      cancelAnimationFrame(this.#frame);
      this.#frame = 0;
      this.#surface = undefined;
    };
  }

  show(shown: Shown): void {
    if (this.#shown && shown.trace !== this.#shown.trace) this.#forget();
    this.#shown = shown;
    this.redraw();
  }

  /** Colours, fonts and words are read again. */
  restyle(): void {
    this.#surface?.restyle();
    this.redraw();
  }

  redraw(): void {
    if (this.#frame || !this.isVisible) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      if (this.isVisible) this.#draw();
    });
  }

  /** Measures otherwise; the same stretch stays in sight. */
  measureBy(mode: ScaleMode): void {
    const { scene, lanes } = this;
    this.mode = mode;
    if (!scene || !lanes || !this.#shown) return;
    const { view } = scene;
    const scale = this.#scaleNow(lanes, this.#shown);
    const [from = 0, to = 0] = [0, view.width].map((x) => {
      const value = valueAt(view, x);
      if (view.scale.measure === scale.measure) return scale.place(value);
      return scale.place(scale.measure === 'seq' ? lanes.clock.seqOf(value) : lanes.clock.atOf(value));
    });
    this.#sight.window = to > from ? { from, to } : undefined;
    this.redraw();
  }

  /** `x`: pixels on the canvas that stay where they are; default: now where it is followed, else the middle. */
  zoom(factor: number, x?: number): void {
    this.#move((window, extent, { left, view }) => {
      const isLive = this.#sight.isFollowing && this.#shown?.live;
      const middle = isLive ? extent.end : (window.from + window.to) / 2;
      const span = window.to - window.from;
      return zoomedWindow(
        window,
        factor,
        x === undefined ? middle : window.from + ((x - left) / view.width) * span,
        extent,
      );
    });
  }

  /** By pixels; positive moves on in time. */
  pan(pixels: number): void {
    this.#move((window, extent, { view }) => {
      return pannedWindow(window, (pixels * (view.to - view.from)) / view.width, extent);
    });
  }

  showPlaces({ from, to }: TimeWindow): void {
    this.#move((_, extent) => {
      if (to - from >= extent.least) return heldWindow({ from, to }, extent);
      return fittedWindow(Math.min(from, to), Math.max(from, to), extent);
    });
  }

  /** This; everything when it fits already, or when there is nothing to fit. */
  fit(selection?: Selection): void {
    this.#move((_, extent, { view }) => {
      const places = selection && this.lanes && placesOf(this.lanes, selection, view);
      const fitted = places && fittedWindow(places.from, places.to, extent);
      return fitted && !isSameWindow(fitted, { from: view.from, to: view.to }) ? fitted : wholeWindow(extent);
    });
  }

  followLive(): void {
    if (this.scene) this.#sight.follow(extentOf(this.scene.lanes, this.scene.view));
    this.redraw();
  }

  /** Scrolls the lanes when they need more height than there is. */
  scroll(pixels: number): void {
    const { layout, height } = this.scene ?? {};
    const most = Math.max(0, (layout?.height ?? 0) - ((height ?? 0) - LANES_TOP - BOTTOM));
    this.#scroll = Math.min(Math.max(0, this.#scroll + pixels), most);
    if (most > 0) this.redraw();
  }

  /** The pointer is there, or has gone. */
  point(at: { x: number; y: number } | undefined): void {
    this.#pointer = at;
    this.redraw();
  }

  hitAt(x: number, y: number): Hit | undefined {
    return this.scene && hitAt(this.scene, x, y);
  }

  /** The record at a pixel of the canvas. */
  seqAt(x: number): number | undefined {
    const { scene, lanes } = this;
    if (!scene || !lanes) return undefined;
    const value = valueAt(scene.view, x - scene.left);
    const seq = scene.view.scale.measure === 'seq' ? value : lanes.clock.seqOf(value);
    return Math.min(Math.max(1, Math.round(seq)), lanes.end.seq);
  }

  /** The page will select this, which is in sight. */
  expect(selection: Selection | undefined): void {
    this.#sight.expect(selection);
  }

  #forget(): void {
    this.lanes = undefined;
    this.#scale = undefined;
    this.#scroll = 0;
    this.#sight.forget();
  }

  #move(change: (window: TimeWindow, extent: Extent, scene: Scene) => TimeWindow): void {
    const { scene } = this;
    const { window } = this.#sight;
    if (!scene || !window) return;
    const extent = extentOf(scene.lanes, scene.view);
    this.#sight.choose(change(window, extent, scene), extent);
    this.redraw();
  }

  #scaleNow(lanes: Lanes, { now }: Shown): Scale {
    const known = this.#scale;
    const { seq } = lanes.end;
    const isSame = known?.lanes === lanes && known.scale.mode === this.mode;
    if (isSame && (this.mode !== 'folded' || (known.seq === seq && known.now === now))) return known.scale;
    const scale = lanes.scale(this.mode, now);
    this.#scale = { scale, seq, now, lanes };
    return scale;
  }

  #draw(): void {
    const [shown, surface] = [this.#shown, this.#surface];
    if (!shown || !surface) return;
    this.lanes = lanesOf(shown.trace, this.lanes);
    const scene = this.#sceneOf(this.lanes, shown, surface);
    this.scene = scene;
    const at = this.#pointer;
    if (at) scene.hovered = hitAt(scene, at.x, at.y);
    this.#overview = paint(scene, this.#overview);
    this.#publish(scene);
  }

  #sceneOf(lanes: Lanes, shown: Shown, surface: Surface): Scene {
    const drawing = surface.begin();
    const { width, height, names } = drawing;
    const left = Math.min(names, Math.max(60, width / 3));
    const scale = this.#scaleNow(lanes, shown);
    const now = Math.max(shown.now, lanes.end.at);
    const sight = {
      scale,
      width: Math.max(1, width - left - RIGHT_ROOM),
      now: scale.measure === 'at' ? now : lanes.end.seq,
    };
    const extent = extentOf(lanes, sight);
    const counts = (kind: keyof Lanes['rows']): number => lanes.rows[kind].length;
    const room = height - LANES_TOP - BOTTOM;
    const layout = layOut(counts, room);
    this.#scroll = Math.min(this.#scroll, Math.max(0, layout.height - room));
    const { x = -1, y = -1 } = this.#pointer ?? {};
    const isOver = x >= left && x <= left + sight.width && y > LANES_TOP - 25;
    return {
      ...drawing,
      left,
      lanes,
      layout,
      scroll: this.#scroll,
      view: { ...sight, ...this.#windowFor(shown, lanes, extent, sight) },
      whole: { ...sight, ...wholeWindow(extent) },
      now,
      cursor: shown.cursor,
      isPaused: shown.isPaused,
      selected: shown.selection && barOfSelection(lanes, shown.selection),
      hovered: undefined,
      pointer: isOver ? x : undefined,
      marks: shown.marks,
      drawn: this.#drawn,
    };
  }

  #windowFor(
    { selection, cursor, live }: Shown,
    lanes: Lanes,
    extent: Extent,
    measured: Measured,
  ): TimeWindow {
    const { scale } = measured;
    const places = {
      ofSelection: (selected: Selection) => placesOf(lanes, selected, measured),
      ofRecord: (seq: number) => scale.place(scale.measure === 'seq' ? seq : lanes.clock.atOf(seq)),
    };
    return this.#sight.update(extent, { selection, cursor }, places, live, LATEST[scale.measure]);
  }

  /** Tells the component, which only looks when something is another. */
  #publish({ view, whole, lanes, hovered }: Scene): void {
    const [from, to] = [valueAt(view, 0), Math.min(valueAt(view, view.width), view.now)];
    const { measure } = view.scale;
    const exact = (to - from) / 200;
    const told = this.range;
    const isTold =
      told?.measure === measure && Math.abs(told.from - from) <= exact && Math.abs(told.to - to) <= exact;
    if (!isTold) this.range = { measure, from, to };
    this.isEmpty = lanes.start === undefined;
    this.isWhole = isSameWindow(view, whole);
    this.drawnSeq = lanes.end.seq;
    this.isFollowing = this.#sight.isFollowing;
    const [at, { pointed }] = [this.#pointer, this];
    if (!hovered || !at) this.pointed = undefined;
    else if (pointed?.x !== at.x || pointed.y !== at.y || pointed.hit.first !== hovered.first)
      this.pointed = { hit: hovered, ...at };
  }
}
