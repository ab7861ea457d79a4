/** Rules as a schema: those of a scenario, and those that a person sets while a session is open. */
import * as v from 'valibot';
import type { HookRule } from '../records/types';
import { ruleProblems } from './cross-checks';
import { ScenarioError } from './error';
import { plainCopy } from './plain-data';
import { issueProblem } from './schema-issues';
import { byName, closed, count, list, name, pattern, thinkingLevel } from './schema-parts';

const rule = { id: name, on: v.exactOptional(v.boolean()), nth: v.exactOptional(count) };
const match = { tool: v.exactOptional(pattern), args: v.exactOptional(byName(pattern)) };
const hookRule = v.variant('rule', [
  closed({
    ...rule,
    ...match,
    rule: v.literal('block'),
    reason: v.exactOptional(v.string()),
    terminate: v.exactOptional(v.boolean()),
  }),
  closed({ ...rule, ...match, rule: v.literal('ask'), text: v.exactOptional(v.string()) }),
  closed({
    ...rule,
    ...match,
    rule: v.literal('rewrite'),
    text: v.exactOptional(v.string()),
    isError: v.exactOptional(v.boolean()),
    terminate: v.exactOptional(v.boolean()),
  }),
  closed({ ...rule, rule: v.literal('finishTurn'), action: v.picklist(['end', 'continue']) }),
  closed({ ...rule, rule: v.literal('append'), text: v.string() }),
  closed({ ...rule, rule: v.literal('thinkingLevel'), level: thinkingLevel }),
  closed({ ...rule, rule: v.literal('limitContext'), keep: count }),
]);

export const rules = list(hookRule, 1_000);
const rulesAlone = closed({ rules });

/**
 * Rules from foreign data, as fresh plain data. `requestLimit` is the session's. Throws a `ScenarioError` with everything that
 * is wrong; its paths begin with `rules`.
 */
export function parseRules(value: unknown, requestLimit?: number): HookRule[] {
  const parsed = v.safeParse(rulesAlone, plainCopy({ rules: value }));
  const problems = parsed.success
    ? ruleProblems({ rules: parsed.output.rules, ...(requestLimit === undefined ? {} : { requestLimit }) })
    : parsed.issues.map(issueProblem);
  const [first, ...others] = problems.slice(0, 100);
  if (first) throw new ScenarioError([first, ...others]);
  if (parsed.success) return parsed.output.rules;
  throw new Error('Rules were refused without a reason.');
}
