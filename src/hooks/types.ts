import type { CallInfo, ThinkingLevel } from '../loop/types';

/** Which calls a rule is for. Patterns are globs with `*` and `?`, or literals: never regular expressions. */
export interface ToolMatch {
  /** Glob of tool names; absent: all. */
  tool?: string;
  /** By argument name, a glob that the argument's text must match. */
  args?: Record<string, string>;
}

/** A hook as data. Rules are judged in their order. */
export type HookRule = {
  id: string;
  /** Default true. */
  on?: boolean;
  /** Only at the nth time that the rule would apply. */
  nth?: number;
} & (
  | ({ rule: 'block'; reason?: string; terminate?: boolean } & ToolMatch)
  | ({ rule: 'ask'; text?: string } & ToolMatch)
  | ({ rule: 'rewrite'; text?: string; isError?: boolean; terminate?: boolean } & ToolMatch)
  | { rule: 'finishTurn'; action: 'end' | 'continue' }
  | { rule: 'append'; text: string }
  | { rule: 'thinkingLevel'; level: ThinkingLevel }
  | { rule: 'limitContext'; keep: number }
);
export type RuleOf<T extends HookRule['rule']> = Extract<HookRule, { rule: T }>;

/** What the person is asked: may this call run, with these arguments. */
export interface AskSubject {
  toolName: string;
  args: unknown;
  text?: string;
}

/** What the rules had to do with one asking of a hook. */
export interface Consulted {
  hook:
    | 'transformContext'
    | 'prepareRequest'
    | 'prepareNextTurn'
    | 'finishTurn'
    | 'beforeToolCall'
    | 'afterToolCall';
  /** Some rule of that hook was on, or a limit stood: it is no idle one, also when it decided nothing. */
  judged: boolean;
  /** Ids of the rules that acted, in order. */
  acted: string[];
  /** Ids of the other rules that counted this time, in order: it was not their nth, or there was nothing to do. */
  counted: string[];
}

export interface HookOptions {
  /** Resolves to whether the call may run. Rejecting refuses the call with the error's message. */
  ask: (subject: AskSubject, signal: AbortSignal | undefined, call: CallInfo) => Promise<boolean>;
  /**
   * Judges a call that no rule blocks, last, by the arguments that will run. Resolves to why it may not run, which the
   * model reads.
   */
  permit?: (call: CallInfo, signal: AbortSignal | undefined) => Promise<string | undefined>;
  /** ms since the epoch, for the messages that rules append. */
  now: () => number;
  /** Requests that a run may make: after as many turns it ends. Read anew each time; `undefined` for no limit. */
  requestLimit?: () => number | undefined;
  /** Told when a hook has answered, also when it threw. */
  consulted?: (what: Consulted, call?: CallInfo) => void;
  /** How often each rule, by id, would have applied: one map to go on counting over several calls of `createHooks`. */
  counts?: Map<string, number>;
}
