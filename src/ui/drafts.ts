/** What was typed and not yet sent, for each session, so that no reload and no crash loses it. */
import { lasting, readStored, writeStored } from './settings.svelte';

export function readDraft(session: string): string {
  return readStored(lasting, `draft.${session}`) ?? '';
}

export function writeDraft(session: string, text: string): void {
  writeStored(lasting, `draft.${session}`, text === '' ? undefined : text);
}

/** Texts behind each other with an empty line between them, without those that say nothing. */
export function joinedTexts(...texts: string[]): string {
  return texts.filter((part) => part.trim() !== '').join('\n\n');
}
