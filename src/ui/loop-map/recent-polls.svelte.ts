/** The polls since the map was drawn last. They stay in sight for a while, since the loop goes on in the same moment. */
import type { Mark } from '../../trace/loop-marks';
import type { LoopPlace } from '../../trace/loop-place';

/** How long a poll is shown, in ms: to be seen from the back of a room. */
const SHOWN_MS = 1800;

export class RecentPolls {
  marks = $state.raw<readonly Mark[]>([]);
  #seq: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The map shows this place now. What was there when it was first drawn is not new. */
  see({ seq, polls }: Pick<LoopPlace, 'seq' | 'polls'>): void {
    const before = this.#seq ?? seq;
    this.#seq = seq;
    const fresh = polls.filter((poll) => poll.seq > before && poll.seq <= seq);
    if (seq >= before && fresh.length === 0) return;
    this.marks = fresh;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.marks = []), SHOWN_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}
