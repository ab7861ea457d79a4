/** How cards come into their queues and leave them. */
import { prefersReducedMotion } from 'svelte/motion';
import type { TransitionConfig } from 'svelte/transition';
import type { LoopCard } from '../../trace/loop-place';
import type { QueueLook } from './chutes';
import { FLIGHT_MS } from './flights.svelte';
import type { Flights } from './flights.svelte';

export interface Arrival {
  flights: Flights;
  card: LoopCard;
  look: QueueLook;
  /** px from its place up to the upper end of its chute. */
  rise: number;
}

/** A card that was sent just now flies there from the composer, and is seen in its place once it has landed. */
export function arrive(node: Element, { flights, card, look, rise }: Arrival): TransitionConfig {
  if (prefersReducedMotion.current || !card.isFresh) return { duration: 0 };
  const to = node.getBoundingClientRect();
  flights.begin({ text: card.text, look, to, over: to.y - rise });
  return { duration: FLIGHT_MS, css: (t) => (t < 1 ? 'visibility: hidden' : '') };
}

export interface Departure {
  /** A poll took it: it goes there. What a person took back only goes. */
  isTaken: boolean;
  /** px from its middle to the poll. */
  dx: number;
  dy: number;
}

const FALL = 0.3;

/** Down its chute, along the rails and into the poll. */
export function leave(_node: Element, { isTaken, dx, dy }: Departure): TransitionConfig {
  if (prefersReducedMotion.current) return { duration: 0 };
  if (!isTaken) return { duration: 120, css: (t) => `opacity: ${t}` };
  return {
    duration: 620,
    css: (_t, u) => {
      const fallen = Math.min(1, u / FALL);
      const gone = Math.max(0, (u - FALL) / (1 - FALL));
      return `translate: ${gone * dx}px ${fallen * dy}px; scale: ${1 - 0.75 * gone}; opacity: ${u > 0.9 ? (1 - u) * 10 : 1}`;
    },
  };
}
