/** What leaves the transcript again: messages at its end. */
import type { Trace } from '../trace/types';
import type { SessionParts } from './session-parts';

export function rewind({ recorder, agent }: SessionParts, why: 'retry' | 'edit', drop: string[]): void {
  recorder.write({ type: 'rewind', why, drop });
  agent.state.messages = agent.state.messages.filter(
    (message) => !drop.includes(recorder.ids.get(message) ?? ''),
  );
}

/** Takes a prompt and all behind it back. False when it is no prompt of the transcript (any more). */
export function rewindToPrompt(parts: SessionParts, id: string | undefined): boolean {
  const { trace } = parts;
  const at = trace.transcript.findIndex((one) => one === id && promptIds(trace).includes(one));
  if (at === -1) return false;
  rewind(parts, 'edit', trace.transcript.slice(at));
  return true;
}

/** All prompts that were sent, in order. */
export function promptIds({ messages }: Trace): string[] {
  return [...messages.values()].flatMap(({ id, origin, role }) =>
    origin === 'prompt' && role === 'user' ? [id] : [],
  );
}
