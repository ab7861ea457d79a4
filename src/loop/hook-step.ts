import { errorText } from './errors';
import type { RunStep } from './run';
import type { AgentMessage, HookDecision, LoopStep, Update } from './types';

type HookName = (LoopStep & { type: 'hook' })['name'];
/** Who is told that a hook ran. */
export interface HookReporter {
  now: () => number;
  report?: ((step: RunStep & { type: 'hook' }) => Promise<void>) | undefined;
}

/**
 * Asks a hook and reports it afterwards, also when it throws. `decide` says what it decided as plain data; it is not
 * asked when nobody listens.
 */
export async function askHook<T>(
  { now, report }: HookReporter,
  name: HookName,
  ask: () => Promise<T> | T,
  decide: (answer: T) => HookDecision | undefined,
): Promise<T> {
  if (!report) return ask();
  const startedAt = now();
  const tell = (decision: HookDecision | undefined) =>
    report({ type: 'hook', name, durationMs: now() - startedAt, ...(decision ? { decision } : {}) });
  let answer: T;
  try {
    answer = await ask();
  } catch (error) {
    await tell({ error: errorText(error) });
    throw error;
  }
  await tell(decide(answer));
  return answer;
}

/** What a hook replaced of the run's context, model and thinking level. */
export function decisionOf(
  update: (Update & { messages?: AgentMessage[] }) | undefined,
): HookDecision | undefined {
  const replaced = (['context', 'model', 'thinkingLevel'] as const).filter(
    (field) => update?.[field] !== undefined,
  );
  const decision: HookDecision = {
    ...(replaced.length > 0 ? { replaced } : {}),
    ...(update?.messages?.length ? { messages: update.messages.length } : {}),
    ...(update?.thinkingLevel ? { thinkingLevel: update.thinkingLevel } : {}),
  };
  return Object.keys(decision).length > 0 ? decision : undefined;
}
