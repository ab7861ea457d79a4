/** The model of a session, and the stream function that asks it. */
import type { HttpAttempt, Model, StreamFn } from '../loop/types';
import {
  endpointModel,
  manualModelInfo,
  openaiChat,
  openaiResponses,
  scriptedModel,
  scriptedModelInfo,
} from '../models';
import { withoutKey } from '../models/errors';
import type { Endpoint, ManualModel } from '../protocol';
import type { RequestOptions } from '../records/types';
import type { Scenario } from '../scenario/types';
import type { Clock } from './clock';
import { originOf } from './plan';

/** Keys by the exact origin that they were typed for. In memory only. */
export type Keys = ReadonlyMap<string, string>;

export interface SessionModelOptions {
  scenario: Scenario | undefined;
  clock: Clock;
  /** ms since the epoch. */
  now: () => number;
  keys: Keys;
  /** Requests that were made before. */
  requests: number;
  /** Read anew for each request. */
  options: () => RequestOptions;
  /** Of a person. */
  manual: StreamFn;
  onHttp: (attempt: HttpAttempt) => void;
}

export function modelOf(endpoint: Endpoint | ManualModel | undefined): Model {
  if (endpoint === 'manual') return manualModelInfo;
  return endpoint ? endpointModel(endpoint) : scriptedModelInfo;
}

/** Whether requests to it leave this browser. */
export function isAsked({ api }: Model): boolean {
  return api !== scriptedModelInfo.api && api !== manualModelInfo.api;
}

/** Asks whichever model the request names: the script, the person, or an endpoint with the key of its origin. */
export function sessionStream({
  scenario,
  clock,
  now,
  keys,
  requests,
  options,
  manual,
  onHttp,
}: SessionModelOptions): StreamFn {
  const turns = scenario?.model.kind === 'scripted' ? scenario.model.turns : [];
  let next = requests;
  const scripted = scriptedModel({
    turns,
    next: () => next++,
    sleep: (ms, signal) => clock.sleep(ms, signal),
    now,
  });
  return (model, context, request) => {
    if (model.api === scriptedModelInfo.api) return scripted(model, context, request);
    if (model.api === manualModelInfo.api) return manual(model, context, request);
    const apiKey = keys.get(originOf(model.baseUrl) ?? '');
    const ask = model.api === 'openai-responses' ? openaiResponses : openaiChat;
    return ask(model, context, {
      ...request,
      ...options(),
      ...(apiKey ? { apiKey } : {}),
      // A server may echo what it got, and what is told here becomes a record.
      onHttp: ({ error, ...attempt }) =>
        onHttp({ ...attempt, ...(error === undefined ? {} : { error: withoutKey(error, apiKey) }) }),
    });
  };
}
