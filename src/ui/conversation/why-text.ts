/** The sentence that says why the loop goes on or stops. */
import { m } from '../../i18n';
import { why, whyDecided } from '../../trace';
import type { Trace, Why } from '../../trace';

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
  'why.stops.requestLimit': ({ n }) => m.why_stops_request_limit({ count: n ?? 0 }),
  'why.stops.error': () => m.why_stops_error(),
  'why.stops.aborted': () => m.why_stops_aborted(),
  'why.stops.interrupted': () => m.why_stops_interrupted(),
  'why.asksOuter.nothing': () => m.why_asks_outer_nothing(),
  'why.asksOuter.terminated': ({ n }) => m.why_asks_outer_terminated({ n: n ?? 0 }),
};

/** Why the loop goes on or stopped; before it decided anything, what it does. */
export function whySentence(trace: Trace): string {
  const reason = why(trace);
  if (reason) return sentences[reason.code](reason.params ?? {});
  if (trace.runs.length === 0) return m.why_ready();
  if (trace.state !== 'running') return m.why_no_decision();
  const last = trace.runs.at(-1)?.children.at(-1);
  const turn = last?.kind === 'turn' ? trace.turns.get(last.id) : undefined;
  const kinds = turn?.children.map(({ kind }) => kind) ?? [];
  if (kinds.includes('call')) return m.why_first_tools();
  return turn?.request ? m.why_first_answer() : m.why_first_turn();
}

/** Why the loop went on or stopped at one decision, as it stood then. */
export function decisionSentence(decision: Parameters<typeof whyDecided>[0]): string {
  const { code, params = {} } = whyDecided(decision);
  return sentences[code](params);
}

/** What the last poll found, and how many messages wait. */
export function whyDetail(trace: Trace): string {
  if (trace.runs.length === 0) return m.why_ready_detail();
  const parts: string[] = [];
  const note = trace.notes.findLast(({ note }) => note.type === 'step' && note.step.type === 'poll')?.note;
  if (note?.type === 'step' && note.step.type === 'poll') {
    const { queue, count } = note.step;
    parts.push(queue === 'steering' ? m.poll_steering_found({ count }) : m.poll_follow_up_found({ count }));
  }
  const count = trace.queues.steering.length + trace.queues.followUp.length;
  if (count > 0) parts.push(m.still_waiting({ count }));
  return parts.join(' ');
}
