export { createHooks, type RuleHooks } from './create-hooks';
export { globMatch } from './glob';
export type { AskSubject, Consulted, HookOptions, HookRule, ToolMatch } from './types';
