/** The token on its way: it follows the place that the trace gives, along the rings. */
import { cubicOut } from 'svelte/easing';
import { prefersReducedMotion, Tween } from 'svelte/motion';
import type { Geometry } from './geometry';
import { alongWay, wayBetween, wayDuration } from './route';
import type { Target } from './route';

/** ms between two places, below which nobody could see it arrive. */
const HURRIED_MS = 100;

export class TokenMotion {
  readonly #tween: Tween<Target>;
  #movedAt = -Infinity;

  /** To be made where effects may be. */
  constructor(map: () => Geometry, target: () => Target) {
    this.#tween = Tween.of(target, {
      duration: (from, to) => {
        if (to.seq !== from.seq && this.#isHurried()) return 0;
        const way = wayBetween(from, to);
        return way && !prefersReducedMotion.current ? wayDuration(map(), way) : 0;
      },
      easing: cubicOut,
      interpolate: (from, to) => {
        const way = wayBetween(from, to);
        return (t) => (way && t < 1 ? { ...(alongWay(map(), way, t) ?? to), seq: to.seq } : to);
      },
    });
    // Else it would run on, and ask for a map that has left the page with its panel.
    $effect(() => () => {
      void this.#tween.set(this.#tween.target, { duration: 0 });
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
