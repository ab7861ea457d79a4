import type { ThinkingLevel } from './types';

/** From none to the most. */
export const thinkingLevels: readonly ThinkingLevel[] = [
  'off',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
  'max',
];
