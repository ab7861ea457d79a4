/** What was typed and not yet sent, for each session, so that no reload and no crash loses it. */
import { lasting, ofThisTab, readStored, writeStored } from './settings.svelte';

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

/** Earlier prompts of a session as a person is changing them in this tab, by message. */
export function readPromptEdits(session: string): ReadonlyMap<string, string> {
  return readTexts(`promptEdits.${session}`);
}

/** `undefined`: it was sent, or says what the message says. */
export function writePromptEdit(session: string, message: string, text: string | undefined): void {
  writeText(`promptEdits.${session}`, message, text);
}

/** Rules as a person began to write or to change them in this tab, by rule: data that `hooks/draft.ts` reads. */
export function readRuleDrafts(session: string): ReadonlyMap<string, string> {
  return readTexts(`rules.${session}`);
}

/** `undefined`: it is saved, or thrown away. */
export function writeRuleDraft(session: string, rule: string, draft: string | undefined): void {
  writeText(`rules.${session}`, rule, draft);
}

/** A system prompt that was typed in this tab and is not in use. */
export function readSystemPrompt(session: string): string | undefined {
  return readStored(ofThisTab, `systemPrompt.${session}`);
}

export function writeSystemPrompt(session: string, text: string | undefined): void {
  writeStored(ofThisTab, `systemPrompt.${session}`, text);
}

/** Of a session that is deleted. */
export function forgetDrafts(session: string): void {
  writeDraft(session, '');
  writeAnswer(session, undefined);
  writeSystemPrompt(session, undefined);
  writeStored(ofThisTab, `promptEdits.${session}`, undefined);
  writeStored(ofThisTab, `rules.${session}`, undefined);
}

/** Texts behind each other with an empty line between them, without those that say nothing. */
export function joinedTexts(...texts: string[]): string {
  return texts.filter((part) => part.trim() !== '').join('\n\n');
}

function readTexts(name: string): ReadonlyMap<string, string> {
  const stored = jsonOf(readStored(ofThisTab, name));
  if (typeof stored !== 'object' || stored === null) return new Map();
  const entries = Object.entries(stored) as [string, unknown][];
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function writeText(name: string, key: string, text: string | undefined): void {
  const texts = new Map(readTexts(name));
  if (text === undefined) texts.delete(key);
  else texts.set(key, text);
  const kept = texts.size === 0 ? undefined : JSON.stringify(Object.fromEntries(texts));
  writeStored(ofThisTab, name, kept);
}

function jsonOf(stored = ''): unknown {
  try {
    return JSON.parse(stored);
  } catch {
    return undefined;
  }
}
