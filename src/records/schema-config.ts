/** Settings of a session, with its rules: what a person may write is looked at before, by the scenario format. */
import * as v from 'valibot';
import {
  anything,
  count,
  flag,
  maybe,
  model,
  number,
  queueMode,
  string,
  strings,
  thinkingLevel,
  toolExecution,
  type Schema,
} from './schema-parts';
import type { HookRule, RequestOptions, SessionConfig, TokenPrices } from './types';

const every = { id: string, on: maybe(flag), nth: maybe(count) };
const calls = { ...every, tool: maybe(string), args: maybe(v.record(v.string(), v.string())) };

const hookRule: Schema<HookRule> = v.variant('rule', [
  v.strictObject({ ...calls, rule: v.literal('block'), reason: maybe(string), terminate: maybe(flag) }),
  v.strictObject({ ...calls, rule: v.literal('ask'), text: maybe(string) }),
  v.strictObject({
    ...calls,
    rule: v.literal('rewrite'),
    text: maybe(string),
    isError: maybe(flag),
    terminate: maybe(flag),
  }),
  v.strictObject({ ...every, rule: v.literal('finishTurn'), action: v.picklist(['end', 'continue']) }),
  v.strictObject({ ...every, rule: v.literal('append'), text: string }),
  v.strictObject({ ...every, rule: v.literal('thinkingLevel'), level: thinkingLevel }),
  v.strictObject({ ...every, rule: v.literal('limitContext'), keep: count }),
]);

export const requestOptions: Schema<RequestOptions> = v.strictObject({
  temperature: maybe(number),
  maxTokens: maybe(number),
  extraBody: maybe(v.record(v.string(), anything)),
  tellFailures: maybe(flag),
});
const prices: Schema<TokenPrices> = v.strictObject({
  input: number,
  output: number,
  cacheRead: maybe(number),
  cacheWrite: maybe(number),
});

export const sessionConfig: Schema<SessionConfig> = v.strictObject({
  model: maybe(model),
  systemPrompt: maybe(string),
  thinkingLevel: maybe(thinkingLevel),
  tools: maybe(strings),
  steeringMode: maybe(queueMode),
  followUpMode: maybe(queueMode),
  toolExecution: maybe(toolExecution),
  requestLimit: maybe(number),
  options: maybe(requestOptions),
  prices: maybe(prices),
  images: maybe(flag),
  rules: maybe(v.array(hookRule)),
});
