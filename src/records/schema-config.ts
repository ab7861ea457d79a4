/** Settings of a session, with its rules: what a person may write is looked at before, by the scenario format. */
import * as v from 'valibot';
import {
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
import type { HookRule, SessionConfig } from './types';

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

export const sessionConfig: Schema<SessionConfig> = v.strictObject({
  model: maybe(model),
  systemPrompt: maybe(string),
  thinkingLevel: maybe(thinkingLevel),
  tools: maybe(strings),
  steeringMode: maybe(queueMode),
  followUpMode: maybe(queueMode),
  toolExecution: maybe(toolExecution),
  requestLimit: maybe(number),
  rules: maybe(v.array(hookRule)),
});
