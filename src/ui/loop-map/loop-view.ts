/** What the loop panel shows of one moment: the place of the loop, and in words why it goes on or stops. */
import type { Trace } from '../../trace';
import { loopPlace } from '../../trace/loop-place';
import type { LoopPlace } from '../../trace/loop-place';
import { whyDetail, whySentence } from '../conversation/why-text';

/** Holds nothing of the trace that changes. */
export interface LoopView {
  place: LoopPlace;
  sentence: string;
  detail: string;
}

export function loopView(trace: Trace): LoopView {
  return { place: loopPlace(trace), sentence: whySentence(trace), detail: whyDetail(trace) };
}
