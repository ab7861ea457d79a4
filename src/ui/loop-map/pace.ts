/**
 * What comes all at once is shown one after the other: each moment for as long as an eye needs, as long as what is shown
 * stays near what is newest. Knows no clock of its own: all times are real ms that are given.
 */

/** ms that what is shown may be behind what has come, and that it is meant to be: a page may be late with what it shows. */
export const lagMs = 1600;
export const meantLagMs = 1500;
/** ms: what would be shown for less is passed over. */
export const leastMs = 80;
/** More moments than that cannot be waiting, or they come faster than an eye can follow. */
const mostWaiting = Math.floor(lagMs / leastMs);
/** So many in a second are too many. */
const tooMany = Math.floor(1000 / leastMs);

interface Moment<Picture> {
  /** When it began. */
  at: number;
  /** ms for which it should be shown. */
  dwell: number;
  /** How it looked at its end; absent of the last one, which goes on. */
  picture?: Picture;
}

/** Moments in their order, of which the first is shown. The last one goes on until the next begins. */
export class Pace<Picture> {
  #moments: Moment<Picture>[] = [];
  /** Since when the first is shown. */
  #since = 0;
  /** When the newest moments began, as many as are too many in a second. */
  #began: number[] = [];
  /** It comes too fast to be followed. */
  #isHurried = false;

  /** How the moment that is shown looked at its end; `undefined` while that is the one that goes on. */
  get picture(): Picture | undefined {
    return this.#moments[0]?.picture;
  }

  /** When the next moment is to be shown: then `tick` is to be called. `undefined` when the newest is shown. */
  get due(): number | undefined {
    const ms = this.#moments.length > 1 ? timeOfFirst(this.#moments, this.#since) : undefined;
    return ms === undefined ? undefined : this.#since + ms;
  }

  /** A moment begins. `picture` draws the one before it as it is at its end, and is asked only where it will be shown. */
  begin(now: number, dwell: number, picture: () => Picture): void {
    if (this.#isTooFast(now)) return this.clear();
    const open = this.#moments.at(-1);
    const isSeen = this.#moments.length === 1 && open && now >= this.#since + open.dwell;
    if (!open || isSeen) {
      this.#moments = [{ at: now, dwell }];
      this.#since = now;
      return;
    }
    open.picture = picture();
    this.#moments.push({ at: now, dwell });
    this.#isHurried = this.#moments.length > mostWaiting;
    if (this.#isHurried) this.clear();
    else this.#catchUp(now);
  }

  /** The moment that goes on should be shown for at least so long. */
  extend(dwell: number): void {
    const open = this.#moments.at(-1);
    if (open) open.dwell = Math.max(open.dwell, dwell);
  }

  /** Goes on to the next moment when its time has come. */
  tick(now: number): void {
    const { due } = this;
    if (due === undefined || now < due) return;
    this.#moments.shift();
    this.#since = now;
    this.#catchUp(now);
  }

  /** Shows the newest at once. */
  clear(): void {
    this.#moments = [];
  }

  /** Passes over what there is no time for. */
  #catchUp(now: number): void {
    while (this.#moments.length > 1 && timeOfFirst(this.#moments, this.#since) === undefined) {
      this.#moments.shift();
      this.#since = now;
    }
  }

  #isTooFast(now: number): boolean {
    this.#began.push(now);
    const before = this.#began.length > tooMany ? (this.#began.shift() ?? now) : -Infinity;
    if (now - before >= 1000) this.#isHurried = false;
    return this.#isHurried;
  }
}

/**
 * For how long the first of several moments is shown, in ms: as long as it should be, or in proportion less, so that none
 * is shown later than it may. `undefined` when they would have to pass faster than they can be seen.
 */
function timeOfFirst(moments: readonly Moment<unknown>[], since: number): number | undefined {
  const dwell = moments[0]?.dwell ?? 0;
  let before = 0;
  let share = 1;
  let most = Infinity;
  for (const [index, moment] of moments.entries()) {
    const left = moment.at + lagMs - since;
    if (index > 0) {
      share = Math.min(share, Math.max(0, left - lagMs + meantLagMs) / before);
      most = Math.min(most, left - (index - 1) * leastMs);
    }
    before += moment.dwell;
  }
  return most < leastMs ? undefined : Math.min(most, Math.max(leastMs, share * dwell));
}
