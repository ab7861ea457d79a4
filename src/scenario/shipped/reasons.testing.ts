import type { ShippedId } from './index';

/** The scenarios that are about what breaks, refuses or changes: their errors and aborts belong to the story. */
export const reasonIds = [
  'cut-off',
  'abort-and-go-on',
  'provider-error',
  'all-terminate',
  'blocked-call',
  'turn-hooks',
  'tools-change',
  'three-continues',
] as const satisfies readonly ShippedId[];
