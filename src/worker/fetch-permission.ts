/** What people are asked before `fetch` reaches out. */
import { looksLikeSecret } from '../json/secret-name';
import type { AskSubject } from '../records/types';
import { needsPermission } from '../tools';
import { prepareFetchArguments, requestFrom } from '../tools/http-request';
import { hidden } from './secrets';

/** The question for a call with these arguments, which are the final ones; `undefined` when nobody need be asked. */
export function fetchSubject(args: unknown, samplesUrl?: string): AskSubject | undefined {
  const fetch = needsPermission(args, samplesUrl);
  if (!fetch) return undefined;
  const { url, method, headers, body } = requestFrom(prepareFetchArguments(args), samplesUrl);
  const sent = {
    url: url.href,
    method,
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(body === undefined ? {} : { body }),
  };
  return { toolName: 'fetch', args: withoutSecrets(sent), fetch };
}

/** Arguments as they may be recorded: values of headers that look secret are hidden. */
export function withoutSecrets(args: Record<string, unknown>): Record<string, unknown> {
  const { headers } = args;
  if (headers === undefined) return args;
  // Headers in a text of JSON are understood too; nobody need read them here.
  if (typeof headers !== 'object' || headers === null) return { ...args, headers: hidden };
  const shown = Object.entries(headers).map(([name, value]: [string, unknown]) => [
    name,
    looksLikeSecret(name) ? hidden : value,
  ]);
  return { ...args, headers: Object.fromEntries(shown) as Record<string, unknown> };
}
