/** What a session that goes on has counted before. */
import type { HookRule } from '../records/types';
import type { Trace } from '../trace/types';

/** How often rules applied at least: one that acted at its nth time does not act again. */
export function rulesThatApplied(rules: readonly HookRule[], { ruleActs }: Trace): Map<string, number> {
  return new Map(
    rules.flatMap(({ id, nth = 0 }) => {
      const acts = ruleActs.get(id);
      return acts === undefined ? [] : [[id, Math.max(acts, nth)]];
    }),
  );
}

/** How often tools ran, by their names. A call that an abort kept from running has a result, and took no time. */
export function callsThatRan(trace: Trace): Map<string, number> {
  const ran = new Map<string, number>();
  for (const { toolName, executeAt, result, durationMs } of trace.calls.values()) {
    if (executeAt === undefined || (result && durationMs === undefined)) continue;
    ran.set(toolName, (ran.get(toolName) ?? 0) + 1);
  }
  return ran;
}
