/** What a session and its last run have used so far. */
import type { RunNode, Trace } from '../../trace';

type Usage = Trace['usage'];

export interface TotalsProps {
  /** Of the whole session; grows in place. */
  usage: Usage;
  requests: number;
  /** The last run. */
  run: RunNode | undefined;
  /** Of requests in a run. */
  limit: number | undefined;
  /** Changes when any of them does. */
  stamp: number;
}

export type Column = 'requests' | 'input' | 'cacheRead' | 'cacheWrite' | 'output' | 'reasoning' | 'cost';

/** The columns that have something to tell: requests, input and output always, the others when there was any. */
export function columnsOf({ cacheRead, cacheWrite, reasoning = 0, cost }: Usage): Column[] {
  return [
    'requests',
    'input',
    ...(cacheRead > 0 ? (['cacheRead'] as const) : []),
    ...(cacheWrite > 0 ? (['cacheWrite'] as const) : []),
    'output',
    ...(reasoning > 0 ? (['reasoning'] as const) : []),
    ...(cost.total > 0 ? (['cost'] as const) : []),
  ];
}
