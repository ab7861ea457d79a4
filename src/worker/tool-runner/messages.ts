/** What goes between a session's worker and its tool worker, which runs one job at a time. */
import type { JobOutcome, JobRequest, NestedResult, StopReason } from '../../tools';

export type ToToolWorker =
  | { type: 'run'; request: JobRequest }
  /** The result of the nested call with that number. */
  | { type: 'answer'; call: number; result: NestedResult };

export type FromToolWorker =
  /** The libraries that the job needs are loaded: its time begins. */
  | { type: 'started' }
  | { type: 'output'; text: string }
  | { type: 'call'; call: number; name: string; args: unknown }
  | { type: 'done'; outcome: JobOutcome }
  | { type: 'stopped'; reason: StopReason }
  | { type: 'failed'; message: string };
