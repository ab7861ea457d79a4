export { createHooks, type RuleHooks } from './create-hooks';
export type { Consulted, HookRule } from './types';
