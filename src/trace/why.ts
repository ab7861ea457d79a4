/** Why the loop goes on or stops: a sentence of the catalogue, derived from what the loop looked at. */
import type { Problem, RecordedStep } from '../records/types';
import type { Trace } from './types';

export type WhyCode =
  | 'why.goesOn.toolResults'
  | 'why.goesOn.steering'
  | 'why.goesOn.both'
  | 'why.goesOn.followUp'
  | 'why.goesOn.finishTurn'
  | 'why.stops.nothing'
  | 'why.stops.terminated'
  | 'why.stops.finishTurn'
  | 'why.stops.requestLimit'
  | 'why.stops.error'
  | 'why.stops.aborted'
  | 'why.stops.interrupted'
  | 'why.asksOuter.nothing'
  | 'why.asksOuter.terminated';

/** A code of the catalogue and its parameters: `n` counts messages or results, `waiting` steering beside results. */
export interface Why extends Problem {
  code: WhyCode;
}

type Decide = Extract<RecordedStep, { type: 'decide' }>;

/** The reason of the last decision of the last run, or of its end when something broke it; `undefined` before. */
export function why(trace: Trace): Why | undefined {
  const run = trace.runs.at(-1);
  if (!run) return undefined;
  if (run.status === 'interrupted') return { code: 'why.stops.interrupted' };
  // What throws ends the run without a decision of its own, at any place: the one before it is out of date then.
  if (run.status === 'error') return { code: 'why.stops.error' };
  if (run.status === 'aborted') return { code: 'why.stops.aborted' };
  const reason = run.lastDecision && whyDecided(run.lastDecision);
  const limit = reason?.code === 'why.stops.finishTurn' && limitReached(trace, run);
  return limit ? { code: 'why.stops.requestLimit', params: { n: limit } } : reason;
}

/** The limit of requests that a run came to, as it was set then; `undefined` when it came to none. */
export function limitReached(
  { notes }: Trace,
  { requests, endSeq = Infinity }: { requests: number; endSeq?: number | undefined },
): number | undefined {
  for (let index = notes.length - 1; index >= 0; index--) {
    const { seq, note } = notes[index] ?? { seq: Infinity };
    if (seq > endSeq || note?.type !== 'config' || note.set.requestLimit === undefined) continue;
    const limit = note.set.requestLimit;
    return limit > 0 && requests >= limit ? limit : undefined;
  }
  return undefined;
}

/** The reason of one decision. */
export function whyDecided({ loop, go, values }: Decide): Why {
  if (go) return loop === 'inner' ? goesOnInside(values) : goesOnOutside(values);
  if (values.stopReason === 'error') return { code: 'why.stops.error' };
  if (values.stopReason === 'aborted') return { code: 'why.stops.aborted' };
  if (values.finishTurn === 'end') return { code: 'why.stops.finishTurn' };
  const ended = values.terminated && values.toolResults > 0;
  const reason = ended ? 'terminated' : 'nothing';
  const code = loop === 'inner' ? (`why.asksOuter.${reason}` as const) : (`why.stops.${reason}` as const);
  return ended ? { code, params: { n: values.toolResults } } : { code };
}

function goesOnInside({ toolResults, terminated, pending }: Decide['values']): Why {
  const results = terminated ? 0 : toolResults;
  if (results > 0 && pending > 0)
    return { code: 'why.goesOn.both', params: { n: results, waiting: pending } };
  if (results > 0) return { code: 'why.goesOn.toolResults', params: { n: results } };
  return { code: 'why.goesOn.steering', params: { n: pending } };
}

function goesOnOutside({ followUps = 0 }: Decide['values']): Why {
  if (followUps > 0) return { code: 'why.goesOn.followUp', params: { n: followUps } };
  return { code: 'why.goesOn.finishTurn' };
}
