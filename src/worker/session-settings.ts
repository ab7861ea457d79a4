/** Settings that change while a session is open. */
import { createInitialSystemMessage } from '../loop';
import type { SystemMessage } from '../loop/types';
import type { Command, Endpoint, ManualModel } from '../protocol';
import type { SessionConfig } from '../records/types';
import { parseRules } from '../scenario';
import { cloneable, problem } from '../store';
import { modelRef } from './bodies';
import { checkedLimit, checkedModel, checkedOptions } from './plan';
import { untoldPrompt } from './prompt-change';
import { withHidden } from './secrets';
import { modelOf } from './session-model';
import type { SessionParts } from './session-parts';

export type Settings = Omit<Extract<Command, { type: 'configure' }>, 'id' | 'type' | 'session'>;

/**
 * A run that goes on keeps its model and tools; its later requests have the options, and its later turns the limit. Throws
 * `tool.unknown`, `config.scripted`, `config.badOptions`, `config.badLimit` or the problems of an endpoint; nothing was
 * changed then.
 */
export function configure(parts: SessionParts, { endpoint, tools, options, ...modes }: Settings): void {
  const { agent, recorder, trace } = parts;
  const made = tools && parts.tools.make(tools);
  if (endpoint && endpoint !== 'manual' && parts.virtual) throw problem('config.scripted');
  const known = endpoint && checkedModel(endpoint);
  const asked = options && checkedOptions(options);
  checkedLimit(modes.requestLimit);
  // Rules that continue for ever need a limit.
  if (modes.requestLimit === 0) parseRules(trace.config.rules ?? [], undefined);
  const model = known && modelOf(known);
  if (made) agent.state.tools = made;
  if (model) {
    agent.state.model = model;
    parts.endpointUnconfirmed = false;
  }
  if (asked) parts.requestOptions = asked;
  if (modes.thinkingLevel) agent.state.thinkingLevel = modes.thinkingLevel;
  if (modes.steeringMode) agent.steeringMode = modes.steeringMode;
  if (modes.followUpMode) agent.followUpMode = modes.followUpMode;
  if (modes.toolExecution) agent.toolExecution = modes.toolExecution;
  // Without what is `undefined`, which a page may well send.
  const set = cloneable({
    ...modes,
    tools,
    ...(known ? modelSettings(known) : {}),
    options: asked && withHidden(asked),
  }) as SessionConfig;
  recorder.write({ type: 'config', set, ...recorder.on() });
  if (modes.systemPrompt !== undefined) changePrompt(parts, modes.systemPrompt);
}

/** What records say of a session's model. */
export function modelSettings(endpoint: Endpoint | ManualModel | undefined): SessionConfig {
  const { prices, images } = typeof endpoint === 'object' ? endpoint : {};
  return {
    model: modelRef(modelOf(endpoint)),
    ...(prices ? { prices } : {}),
    ...(images === undefined ? {} : { images }),
  };
}

/** From the next time on that a hook is asked, also of a run that goes on. Throws a ScenarioError. */
export function setRules({ recorder, trace }: SessionParts, rules: unknown): void {
  const set = { rules: parseRules(rules, trace.config.requestLimit) };
  recorder.write({ type: 'config', set, ...recorder.on() });
}

/** Before the first message the prompt itself is another one; behind it, the next run says so in the transcript. */
function changePrompt({ agent, recorder, newId }: SessionParts, systemPrompt: string): void {
  const { state } = agent;
  if (state.messages.some(({ role }) => role !== 'system')) return;
  const drop = recorder.ids.of(state.messages);
  if (drop.length > 0) recorder.write({ type: 'rewind', why: 'edit', drop });
  const message = createInitialSystemMessage(systemPrompt, state.tools);
  state.messages = message ? [message] : [];
  if (message) recorder.message(newId(), message, { origin: 'history' });
}

/** What tells the model of a prompt that was changed since the transcript began: one message, or none. */
export function changedPrompt({ trace, now }: SessionParts): SystemMessage[] {
  const content = untoldPrompt(trace);
  return content === undefined ? [] : [{ role: 'system', content, timestamp: now() }];
}

/** Tells it before a run does anything else. */
export function tellPrompt(parts: SessionParts): void {
  const { agent, recorder, newId } = parts;
  for (const message of changedPrompt(parts)) {
    agent.state.messages = [...agent.state.messages, message];
    recorder.message(newId(), message, { origin: 'history' });
  }
}
