/** How a session begins, and how one that was stored goes on. */
import type { SessionConfig } from '../records/types';
import { closeInterrupted } from './interrupted';
import type { SessionPlan } from './plan';
import type { Restored } from './restore';
import { withHidden } from './secrets';
import type { SessionParts } from './session-parts';
import { modelSettings } from './session-settings';

/** The first records: settings, files, and the transcript that is there before the first run. */
export function begin(
  { agent, recorder, files, newId }: SessionParts,
  plan: SessionPlan,
  contents: Record<string, string | Uint8Array>,
): void {
  const { systemPrompt, thinkingLevel, tools, steeringMode, followUpMode, toolExecution, requestLimit } =
    plan;
  const rules = plan.scenario?.rules;
  const set: SessionConfig = {
    ...modelSettings(plan.endpoint),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    thinkingLevel,
    tools,
    steeringMode,
    followUpMode,
    toolExecution,
    ...(requestLimit === undefined ? {} : { requestLimit }),
    ...(plan.options ? { options: withHidden(plan.options) } : {}),
    ...(rules && rules.length > 0 ? { rules } : {}),
  };
  recorder.write({ type: 'config', set });
  files.record('start');
  for (const [path, content] of Object.entries(contents)) files.write(path, content);
  files.record('person');
  for (const message of agent.state.messages) recorder.message(newId(), message, { origin: 'history' });
}

/**
 * Takes up files and queues where the records left them. A run that was open is closed: `interrupted`, and a result for each
 * call that has none. What is queued stays queued.
 */
export function goOn(parts: SessionParts, { transcript, files, queues }: Restored): void {
  const { agent, recorder, trace, requestOptions: options } = parts;
  for (const { id, message } of transcript) recorder.ids.set(message, id);
  for (const { path, content } of files) parts.files.write(path, content);
  parts.files.record('person');
  recorder.silently(() => {
    for (const { id, message } of queues.steering) parts.withId(id, () => agent.steer(message));
    for (const { id, message } of queues.followUp) parts.withId(id, () => agent.followUp(message));
  });
  // Values that were never recorded are gone, and what is asked for from now on is without them.
  if (trace.config.options && JSON.stringify(options) !== JSON.stringify(trace.config.options))
    recorder.write({ type: 'config', set: { options } });
  if (trace.state === 'idle') return;
  agent.state.messages = [...agent.state.messages, ...closeInterrupted(trace, recorder, parts)];
}
