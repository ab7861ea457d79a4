/** Settings that change while a session is open. */
import { createInitialSystemMessage } from '../loop';
import type { Command } from '../protocol';
import type { SessionConfig } from '../records/types';
import { parseRules } from '../scenario';
import { cloneable, problem } from '../store';
import { modelRef } from './bodies';
import { checkedEndpoint } from './plan';
import { modelOf } from './session-model';
import type { SessionParts } from './session-parts';

export type Settings = Omit<Extract<Command, { type: 'configure' }>, 'id' | 'type' | 'session'>;

/**
 * A run that goes on keeps its model and tools. Throws `tool.unknown`, `config.promptFixed`, `config.scripted`, or the
 * problems of an endpoint; nothing was changed then.
 */
export function configure(parts: SessionParts, { endpoint, tools, systemPrompt, ...modes }: Settings): void {
  const { agent, recorder } = parts;
  const made = tools && parts.tools.make(tools);
  if (endpoint && parts.virtual) throw problem('config.scripted');
  const model = endpoint && modelOf(checkedEndpoint(endpoint));
  if (systemPrompt !== undefined) changePrompt(parts, systemPrompt);
  if (made) agent.state.tools = made;
  if (model) agent.state.model = model;
  if (modes.thinkingLevel) agent.state.thinkingLevel = modes.thinkingLevel;
  if (modes.steeringMode) agent.steeringMode = modes.steeringMode;
  if (modes.followUpMode) agent.followUpMode = modes.followUpMode;
  if (modes.toolExecution) agent.toolExecution = modes.toolExecution;
  // Without what is `undefined`, which a page may well send.
  const set = cloneable({ ...modes, tools, systemPrompt, model: model && modelRef(model) }) as SessionConfig;
  recorder.write({ type: 'config', set, ...recorder.on() });
}

/** From the next time on that a hook is asked, also of a run that goes on. Throws a ScenarioError. */
export function setRules({ recorder, trace }: SessionParts, rules: unknown): void {
  const set = { rules: parseRules(rules, trace.config.requestLimit) };
  recorder.write({ type: 'config', set, ...recorder.on() });
}

/** Only before the first message: what was sent would no longer be what the transcript says. */
function changePrompt({ agent, recorder, newId }: SessionParts, systemPrompt: string): void {
  const { state } = agent;
  if (state.messages.some(({ role }) => role !== 'system')) throw problem('config.promptFixed');
  const drop = recorder.ids.of(state.messages);
  if (drop.length > 0) recorder.write({ type: 'rewind', why: 'edit', drop });
  const message = createInitialSystemMessage(systemPrompt, state.tools);
  state.messages = message ? [message] : [];
  if (message) recorder.message(newId(), message, { origin: 'history' });
}
