/** The built-in tools that a scenario may name. Their code is in `src/tools`; a test keeps the two lists the same. */
export const builtInTools: readonly string[] = [
  'read',
  'write',
  'edit',
  'ls',
  'find',
  'grep',
  'bash',
  'fetch',
  'js',
  'wait',
  'finish',
  'ask',
];
