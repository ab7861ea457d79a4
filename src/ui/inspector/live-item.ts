/** What the loop works on now, for an inspector that follows it. */
import type { Trace } from '../../trace';
import type { Selection } from '../view.svelte';

/**
 * The last turn's running call, else its last call, else its answer, else the turn. It changes no more often than the loop
 * goes on to something else: when a call ends, it stays until another one runs.
 */
export function liveItem(trace: Trace): Selection | undefined {
  const run = trace.runs.at(-1);
  const last = run?.children.findLast(({ kind }) => kind === 'turn');
  const turn = last?.kind === 'turn' ? trace.turns.get(last.id) : undefined;
  if (!turn) return run && { kind: 'run', id: run.id };
  const calls = turn.children.flatMap((child) => (child.kind === 'call' ? [child.id] : []));
  const call = calls.findLast((id) => trace.calls.get(id)?.status === 'running') ?? calls.at(-1);
  if (call !== undefined) return { kind: 'call', id: call };
  const answer = turn.request?.message;
  if (answer !== undefined && trace.messages.has(answer)) return { kind: 'message', id: answer };
  return { kind: 'turn', id: turn.id };
}
