import { getCurrentSystemPrompt } from '../loop';
import type { Message, SystemMessage } from '../loop';

/** A system message in the middle of a transcript, as text: what it adds and what it changes. Empty when it only changes tools. */
export function systemPatchText(message: SystemMessage): string {
  const removed = Object.entries(message.sections ?? {}).filter(([, text]) => text === null);
  const gone = removed.map(([name]) => `The section "${name}" of your instructions no longer applies.`);
  return [getCurrentSystemPrompt([message]), ...gone].filter(Boolean).join('\n\n');
}

/** How many system messages the transcript begins with. */
export function leadingSystemMessages(transcript: readonly Message[]): number {
  const first = transcript.findIndex((message) => message.role !== 'system');
  return first === -1 ? transcript.length : first;
}
