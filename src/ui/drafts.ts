/** What was typed and not yet sent, for each session, so that no reload and no crash loses it. */
import { lasting, readStored, writeStored } from './settings.svelte';

export function readDraft(session: string): string {
  return readStored(lasting, `draft.${session}`) ?? '';
}

export function writeDraft(session: string, text: string): void {
  writeStored(lasting, `draft.${session}`, text === '' ? undefined : text);
}

/** What a person was writing as the model of a session: data that `manual/draft.ts` reads. */
export function readAnswer(session: string): string | undefined {
  return readStored(lasting, `answer.${session}`);
}

export function writeAnswer(session: string, answer: string | undefined): void {
  writeStored(lasting, `answer.${session}`, answer);
}

/** Of a session that is deleted. */
export function forgetDrafts(session: string): void {
  writeDraft(session, '');
  writeAnswer(session, undefined);
}

/** Texts behind each other with an empty line between them, without those that say nothing. */
export function joinedTexts(...texts: string[]): string {
  return texts.filter((part) => part.trim() !== '').join('\n\n');
}
