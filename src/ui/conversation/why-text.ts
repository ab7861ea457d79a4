/** The sentence that says why the loop goes on or stops. */
import { m } from '../../i18n';
import type { Why } from '../../trace';

type Params = Record<string, string | number>;

const sentences: Record<Why['code'], (params: Params) => string> = {
  'why.goesOn.toolResults': ({ n }) => m.why_goes_on_tool_results({ n: n ?? 0 }),
  'why.goesOn.steering': ({ n }) => m.why_goes_on_steering({ n: n ?? 0 }),
  'why.goesOn.both': ({ n, waiting }) => m.why_goes_on_both({ n: n ?? 0, waiting: waiting ?? 0 }),
  'why.goesOn.followUp': ({ n }) => m.why_goes_on_follow_up({ n: n ?? 0 }),
  'why.goesOn.finishTurn': () => m.why_goes_on_finish_turn(),
  'why.stops.nothing': () => m.why_stops_nothing(),
  'why.stops.terminated': ({ n }) => m.why_stops_terminated({ n: n ?? 0 }),
  'why.stops.finishTurn': () => m.why_stops_finish_turn(),
  'why.stops.error': () => m.why_stops_error(),
  'why.stops.aborted': () => m.why_stops_aborted(),
  'why.stops.interrupted': () => m.why_stops_interrupted(),
  'why.asksOuter.nothing': () => m.why_asks_outer_nothing(),
  'why.asksOuter.terminated': ({ n }) => m.why_asks_outer_terminated({ n: n ?? 0 }),
};

export function whyText({ code, params = {} }: Why): string {
  return sentences[code](params);
}
