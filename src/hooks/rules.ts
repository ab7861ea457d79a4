import type { CallInfo } from '../loop/types';
import { globMatch } from './glob';
import type { HookRule, RuleOf, ToolMatch } from './types';

/** What happened to the rules at one asking of a hook, by their ids. */
export interface Asking {
  /** They counted this time. */
  reached: string[];
  acted: string[];
}

/** The rules that apply now, and how often each would have applied. */
export class Rules {
  readonly #rules: () => readonly HookRule[];
  readonly #counts: Map<string, number>;

  constructor(rules: () => readonly HookRule[], counts: Map<string, number>) {
    this.#rules = rules;
    this.#counts = counts;
  }

  /** Whether some rule of that kind is on. */
  has(kind: HookRule['rule']): boolean {
    return this.#of(kind).length > 0;
  }

  /** The rules of that kind that apply, one by one: each counts this time when it is reached, and is noted in `asking`. */
  *applying<T extends HookRule['rule']>(kind: T, asking: Asking, call?: CallInfo): Generator<RuleOf<T>> {
    for (const rule of this.#of(kind)) {
      if (call && !matches(rule, call)) continue;
      const count = (this.#counts.get(rule.id) ?? 0) + 1;
      this.#counts.set(rule.id, count);
      asking.reached.push(rule.id);
      if (rule.nth === undefined || rule.nth === count) yield rule;
    }
  }

  #of<T extends HookRule['rule']>(kind: T): RuleOf<T>[] {
    return this.#rules().filter((rule): rule is RuleOf<T> => rule.rule === kind && rule.on !== false);
  }
}

/** Rules that are not about calls have no patterns, and match every call. */
function matches(rule: HookRule, { toolCall, args }: CallInfo): boolean {
  const match: ToolMatch =
    rule.rule === 'block' || rule.rule === 'ask' || rule.rule === 'rewrite' ? rule : {};
  if (match.tool !== undefined && !globMatch(match.tool, toolCall.name)) return false;
  return Object.entries(match.args ?? {}).every(([name, pattern]) => {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    if (value === undefined) return false;
    return globMatch(pattern, typeof value === 'string' ? value : JSON.stringify(value));
  });
}
