/** What the page says of a session's state, in one word. */
import type { Trace } from '../../trace';
import { waitingRequest } from '../../trace/waiting-request';
import { waitsForAnswer } from '../conversation/why-text';

export type RunState =
  'ready' | 'running' | 'waiting' | 'paused' | 'settling' | 'idle' | 'aborted' | 'failed' | 'interrupted';

export function runState(trace: Trace): RunState {
  if (trace.state === 'running') {
    if (trace.paused) return 'paused';
    return waitsForAnswer(trace) || waitingRequest(trace) ? 'waiting' : 'running';
  }
  if (trace.state === 'settling') return 'settling';
  const status = trace.runs.at(-1)?.status;
  if (status === undefined) return 'ready';
  if (status === 'error') return 'failed';
  if (status === 'aborted' || status === 'interrupted') return status;
  return 'idle';
}
