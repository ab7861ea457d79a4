/** What the reader sees of all there is: the window, who chose it, and whether it goes along with what happens. */
import type { Selection } from '../view.svelte';
import { isSameSelection } from './selection';
import {
  followingWindow,
  heldWindow,
  latestWindow,
  revealingWindow,
  wholeWindow,
  type Extent,
  type TimeWindow,
} from './time-window';

/** What the page looks at; the window goes there when it changes. */
export interface Focus {
  selection: Selection | undefined;
  /** A record; `undefined`: the newest. */
  cursor: number | undefined;
}

/** The places of a selection or a record; `undefined` for what has none. */
export interface Places {
  ofSelection: (selection: Selection) => TimeWindow | undefined;
  ofRecord: (seq: number) => number;
}

export class Sight {
  window: TimeWindow | undefined;
  /** The newest is in sight, and stays there while things happen. */
  isFollowing = true;
  /** The reader chose the window. Until then it shows everything, or while things happen the latest. */
  isChosen = false;
  #focus: Focus | undefined;

  choose(window: TimeWindow, { end }: Extent): void {
    this.window = window;
    this.isChosen = true;
    this.isFollowing = window.from <= end && end <= window.to;
  }

  /** Back to the newest, as wide as it is. */
  follow(extent: Extent): void {
    if (!this.window) return;
    const span = this.window.to - this.window.from;
    this.window = followingWindow({ from: extent.end - span, to: extent.end }, extent);
    this.isFollowing = true;
  }

  /** Another trace: nothing of the one before is meant any more. */
  forget(): void {
    this.window = undefined;
    this.isFollowing = true;
    this.isChosen = false;
    this.#focus = undefined;
  }

  /** What is selected next is where the reader just pressed: it need not be brought into sight. */
  expect(selection: Selection | undefined): void {
    this.#focus = { selection, cursor: this.#focus?.cursor };
  }

  /** The window for what there is now. `latest`: places to begin with while things happen. */
  update(extent: Extent, focus: Focus, places: Places, isLive: boolean, latest: number): TimeWindow {
    const goesAlong = isLive && focus.cursor === undefined;
    if (!this.window || !this.isChosen)
      this.window = goesAlong ? latestWindow(latest, extent) : wholeWindow(extent);
    else if (goesAlong && this.isFollowing) this.window = followingWindow(this.window, extent);
    this.window = heldWindow(this.window, extent);
    const before = this.#focus;
    this.#focus = focus;
    if (!before) return this.window;
    if (focus.selection && !isSameSelection(before.selection, focus.selection))
      this.#reveal(places.ofSelection(focus.selection), extent);
    if (focus.cursor !== undefined && focus.cursor !== before.cursor) {
      const place = places.ofRecord(focus.cursor);
      this.#reveal({ from: place, to: place }, extent);
    }
    return this.window;
  }

  #reveal(places: TimeWindow | undefined, extent: Extent): void {
    if (!places || !this.window) return;
    const revealed = revealingWindow(this.window, places.from, places.to, extent);
    if (revealed !== this.window) this.choose(revealed, extent);
  }
}
