/** A system prompt that changes behind the first message: system messages only add, so one says what holds from there on. */
import type { Trace } from '../trace/types';

/** What a model is told. */
function changeText(systemPrompt: string): string {
  return systemPrompt === ''
    ? 'The instructions that were given before no longer hold.'
    : `These instructions replace those that were given before:\n\n${systemPrompt}`;
}

/** What the transcript has to say of the prompt that was set last; `undefined` when it says all. */
export function untoldPrompt({ notes, messages, transcript }: Trace): string | undefined {
  const settings = notes.filter(({ note }) => note.type === 'config');
  const last = settings.findLast(({ note }) => note.type === 'config' && note.set.systemPrompt !== undefined);
  if (!last || last === settings[0] || last.note.type !== 'config') return undefined;
  const { systemPrompt = '' } = last.note.set;
  const content = changeText(systemPrompt);
  const isTold = transcript.some((id) => {
    const message = messages.get(id);
    const body = message?.role === 'system' && message.seq > last.seq ? message.body : undefined;
    return body && 'content' in body && (body.content === content || body.content === systemPrompt);
  });
  // An empty transcript has no instructions that would have to be taken back.
  return isTold || (systemPrompt === '' && transcript.length === 0) ? undefined : content;
}
