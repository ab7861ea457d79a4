/** What Continue and Retry would do as things stand, by the rules of the loop's `continue`. */
import type { Trace } from './types';

export type ContinueKind =
  'request' | 'steering' | 'followUp' | { blocked: 'running' | 'empty' | 'nothingQueued' };

/**
 * Asks at once unless the last message is the assistant's; then it takes steering, else a follow-up. Blocked while a
 * run is open, without any message but the system's, and when nothing is queued behind an answer.
 */
export function continueKind(trace: Trace): ContinueKind {
  if (trace.state !== 'idle') return { blocked: 'running' };
  return wayOn(trace, trace.transcript);
}

/**
 * The ids of the failed messages at the transcript's end, which Retry drops before it continues; `undefined` when the
 * last answer did not fail or when the loop could not go on without it.
 */
export function canRetry(trace: Trace): string[] | undefined {
  if (trace.state !== 'idle') return undefined;
  const { transcript, messages } = trace;
  const last = transcript.findLastIndex((id) => !isFailure(messages.get(id)?.stopReason));
  const drop = transcript.slice(last + 1);
  if (drop.length === 0 || typeof wayOn(trace, transcript.slice(0, last + 1)) === 'object') return undefined;
  return drop;
}

/** The transcript ends with an answer that came to its limit of tokens. */
export function isCutOff({ transcript, messages }: Trace): boolean {
  return messages.get(transcript.at(-1) ?? '')?.stopReason === 'length';
}

function wayOn({ messages, queues }: Trace, transcript: string[]): ContinueKind {
  const last = transcript.at(-1);
  // A system message alone is nothing to go on from, for the agent too.
  if (last === undefined || transcript.every((id) => messages.get(id)?.role === 'system'))
    return { blocked: 'empty' };
  if (messages.get(last)?.role !== 'assistant') return 'request';
  if (queues.steering.length > 0) return 'steering';
  return queues.followUp.length > 0 ? 'followUp' : { blocked: 'nothingQueued' };
}

function isFailure(stopReason: string | undefined): boolean {
  return stopReason === 'error' || stopReason === 'aborted';
}
