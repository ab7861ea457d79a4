import type { RequestNode, Trace } from './types';

/** The request that waits for a person to answer as the model; `undefined` when none does. */
export function waitingRequest(trace: Trace): RequestNode | undefined {
  const request = trace.requests.at(-1);
  if (request?.model.api !== 'manual' || trace.messages.has(request.message)) return undefined;
  const run = trace.runsById.get(trace.turns.get(request.turn)?.run ?? '');
  return run?.status === 'running' && run.abortedAt === undefined ? request : undefined;
}
