/** Brings the endpoint dialog into sight, from wherever an endpoint failed. */
import { createContext } from 'svelte';

export const [getShowEndpoint, setShowEndpoint] = createContext<() => void>();

const codes: readonly string[] = [
  'model.badBaseUrl',
  'model.badKey',
  'model.connection',
  'model.cors',
  'model.localNetwork',
  'model.missingKey',
  'model.mixedContent',
  'model.notAModelServer',
  'model.notFound',
  'model.notThere',
  'model.unauthorized',
];

/** Whether an error is one that another address, key or model may mend. */
export function isAboutEndpoint(code: string | undefined): boolean {
  return code !== undefined && codes.includes(code);
}
