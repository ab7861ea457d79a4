/** What a session that goes on has counted before. */
import type { Trace } from '../trace/types';

/** How often tools ran, by their names. A call that an abort kept from running has a result, and took no time. */
export function callsThatRan(trace: Trace): Map<string, number> {
  const ran = new Map<string, number>();
  for (const { toolName, executeAt, result, durationMs } of trace.calls.values()) {
    if (executeAt === undefined || (result && durationMs === undefined)) continue;
    ran.set(toolName, (ran.get(toolName) ?? 0) + 1);
  }
  return ran;
}
