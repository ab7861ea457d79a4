/** Follows the loop of a session step by step, a little behind where much happens at once, so that each can be seen. */
import type { TraceRecord } from '../../records/types';
import type { Trace } from '../../trace';
import type { TraceWatcher } from '../trace-watchers';
import { loopView } from './loop-view';
import type { LoopView } from './loop-view';
import { Pace } from './pace';

/** ms for which a step is shown: what leaves a queue is to be followed, what was found or decided read, and the rest seen. */
const dwells = { followed: 620, read: 430, seen: 180 };

export class LoopFollower implements TraceWatcher {
  /** What is to be shown in place of the trace as it is now. */
  held = $state.raw<LoopView | undefined>();
  readonly #pace = new Pace<LoopView>();
  readonly #trace: () => Trace;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What a poll takes leaves its queue in the record before the poll's own: both are one moment. */
  #isDrained = false;

  /** @param trace the trace that grows, which no record that `before` tells of is in yet */
  constructor(trace: () => Trace) {
    this.#trace = trace;
  }

  before(record: TraceRecord): void {
    if (record.type === 'message_update') return;
    const dwell = dwellOf(record);
    const isDrained = record.type === 'queue' && record.why === 'drain';
    if (record.type === 'rewind' || document.hidden) this.anew();
    else if (dwell !== undefined && this.#isDrained) this.#pace.extend(dwell);
    else if (dwell !== undefined || isDrained) {
      this.#pace.begin(performance.now(), dwell ?? dwells.seen, () => loopView(this.#trace()));
      this.#show();
    }
    this.#isDrained = isDrained;
  }

  /** The newest at once. */
  anew(): void {
    this.#pace.clear();
    this.#show();
  }

  #show(): void {
    clearTimeout(this.#timer);
    const { picture, due } = this.#pace;
    this.held = picture;
    if (due === undefined) return;
    this.#timer = setTimeout(() => {
      this.#pace.tick(performance.now());
      this.#show();
    }, due - performance.now());
  }
}

/** How long the place where this record leads should be shown, in ms; `undefined` when it leads to none. */
function dwellOf(record: TraceRecord): number | undefined {
  switch (record.type) {
    case 'step': {
      const { step } = record;
      if (step.type === 'poll') return step.count > 0 ? dwells.followed : dwells.read;
      if (step.type === 'decide') return dwells.read;
      return step.type === 'execute' ? undefined : dwells.seen;
    }
    case 'hook':
      return record.call === undefined ? dwells.seen : undefined;
    case 'agent_start':
    case 'turn_start':
    case 'request':
    case 'turn_end':
    case 'agent_end':
    case 'interrupted':
      return dwells.seen;
    default:
      return undefined;
  }
}
