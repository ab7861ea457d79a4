/** The token on its way: it follows the place that the trace gives, along the rings. */
import { prefersReducedMotion, Tween } from 'svelte/motion';
import type { Geometry, Position } from './geometry';
import { alongWay, paceOf, wayBetween } from './route';
import type { Target } from './route';

/** ms between two places, below which nobody could see it arrive. */
const HURRIED_MS = 100;

export class TokenMotion {
  readonly #tween: Tween<Target>;
  #movedAt = -Infinity;

  /**
   * To be made where effects may be.
   * @param taken where a poll took something just now, which the token carries on
   */
  constructor(map: () => Geometry, target: () => Target, taken: () => Position | undefined) {
    this.#tween = Tween.of(target, {
      duration: (from, to) => {
        if (to.seq !== from.seq && this.#isHurried()) return 0;
        const way = wayBetween(from, to);
        return way && !prefersReducedMotion.current ? paceOf(map(), way, taken()).ms : 0;
      },
      interpolate: (from, to) => {
        const way = wayBetween(from, to);
        if (!way) return () => to;
        const { fraction } = paceOf(map(), way, taken());
        return (t) => (t < 1 ? { ...(alongWay(map(), way, fraction(t)) ?? to), seq: to.seq } : to);
      },
    });
  }

  /** Where it is drawn. */
  get at(): Target {
    return this.#tween.current;
  }

  /** It moves on before anybody could see it arrive: then it stands where it is, rather than run after itself. */
  #isHurried(): boolean {
    const now = performance.now();
    const since = now - this.#movedAt;
    this.#movedAt = now;
    return since < HURRIED_MS;
  }
}
