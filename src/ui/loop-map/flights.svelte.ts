/** Cards on their way from the composer to their queue, above all panels: the edges of the map's own would cut them. */
import type { QueueLook } from './chutes';

export interface Flight {
  id: number;
  text: string;
  look: QueueLook;
  /** Where it lands, in px of the window. */
  to: DOMRect;
  /** px of the window: it comes over this height, and falls from there. */
  over: number;
}

/** ms; long enough to be followed with the eye over the whole window. */
export const FLIGHT_MS = 850;

/** Of its time the rise from the composer takes this part, and the fall into its place the rest. */
export const RISE = 0.66;

export class Flights {
  all = $state.raw<readonly Flight[]>([]);
  #last = 0;

  begin(flight: Omit<Flight, 'id'>): void {
    this.all = [...this.all, { ...flight, id: ++this.#last }];
  }

  end(id: number): void {
    this.all = this.all.filter((flight) => flight.id !== id);
  }
}
