/** Rules in one sentence each. */
import { m } from '../../i18n';
import type { HookRule } from '../lib/types';

type RuleOf<T extends HookRule['rule']> = Extract<HookRule, { rule: T }>;

/** What a rule does, in one sentence. */
export function ruleText(rule: HookRule): string {
  const text = effectText(rule);
  return rule.nth === undefined ? text : m.hooks_rule_nth({ rule: text, nth: rule.nth });
}

function effectText(rule: HookRule): string {
  switch (rule.rule) {
    case 'block':
      return rule.terminate
        ? m.hooks_rule_block_terminate({ calls: callsText(rule) })
        : m.hooks_rule_block({ calls: callsText(rule) });
    case 'ask':
      return m.hooks_rule_ask({ calls: callsText(rule) });
    case 'rewrite':
      return m.hooks_rule_rewrite({ calls: callsText(rule), changes: changesText(rule) });
    case 'finishTurn':
      return rule.action === 'end' ? m.hooks_rule_end() : m.hooks_rule_continue();
    case 'append':
      return m.hooks_rule_append({ text: rule.text });
    case 'thinkingLevel':
      return m.hooks_rule_level({ level: rule.level });
    case 'limitContext':
      return m.hooks_rule_limit({ count: rule.keep });
  }
}

function callsText({ tool, args }: RuleOf<'block'> | RuleOf<'ask'> | RuleOf<'rewrite'>): string {
  const calls = tool === undefined ? m.hooks_calls_all() : m.hooks_calls_of({ tool });
  const conditions = Object.entries(args ?? {}).map(([name, pattern]) => m.hooks_when({ name, pattern }));
  const [first, ...others] = conditions;
  if (first === undefined) return calls;
  const when = others.reduce((text, next) => m.hooks_and({ first: text, second: next }), first);
  return m.hooks_calls_when({ calls, when });
}

function changesText({ text, isError, terminate }: RuleOf<'rewrite'>): string {
  const changes: string[] = [];
  if (text !== undefined)
    changes.push(text === '' ? m.hooks_change_no_text() : m.hooks_change_text({ text }));
  if (isError !== undefined) changes.push(isError ? m.hooks_change_error() : m.hooks_change_no_error());
  if (terminate !== undefined)
    changes.push(terminate ? m.hooks_change_terminate() : m.hooks_change_no_terminate());
  const [first, ...others] = changes;
  if (first === undefined) return m.hooks_change_none();
  return others.reduce((all, next) => m.hooks_and({ first: all, second: next }), first);
}
