/** Prompts that a person edits, to send them again from where they stand; what was typed outlives a reload of the tab. */
import { createContext } from 'svelte';
import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import { m } from '../../i18n';
import { readPromptEdits, writePromptEdit } from '../drafts';
import type { Page } from '../page.svelte';

/** Of the open session. */
export class PromptEdits {
  readonly #page: Page;
  /** As changed in this page, by session and message; `undefined` where nothing is kept any more. */
  readonly #changed = new SvelteMap<string, string | undefined>();
  readonly #open = new SvelteSet<string>();

  constructor(page: Page) {
    this.#page = page;
  }

  isOpen(message: string): boolean {
    return this.#open.has(this.#key(message));
  }

  /** What was typed; `undefined` when it says what the message says. */
  textOf(message: string): string | undefined {
    const key = this.#key(message);
    return this.#changed.has(key) ? this.#changed.get(key) : readPromptEdits(this.#session).get(message);
  }

  open(message: string): void {
    this.#open.add(this.#key(message));
  }

  /** What was typed stays. */
  close(message: string): void {
    this.#open.delete(this.#key(message));
  }

  /** `undefined`: as the message has it. */
  change(message: string, text: string | undefined): void {
    this.#keep(this.#session, message, text);
  }

  /** Why nothing can be sent now. */
  get blocked(): string | undefined {
    const { session, isLocked } = this.#page;
    void session.version;
    if (session.readOnly) return m.read_only_hint();
    if (isLocked) return m.setup_locked();
    return session.trace.state === 'idle' ? undefined : m.edit_prompt_running();
  }

  /** How many messages of the transcript come after this one. */
  behind(message: string): number {
    const { session } = this.#page;
    void session.version;
    const { transcript } = session.trace;
    return transcript.length - 1 - transcript.indexOf(message);
  }

  /** Starts a run with the text in the message's place. Resolves to whether it was accepted. */
  async send(message: string, text: string): Promise<boolean> {
    // Another session may be open by the time that it is answered.
    const session = this.#session;
    const key = this.#key(message);
    if (!(await this.#page.act({ type: 'editPrompt', message, text }))) return false;
    this.#open.delete(key);
    this.#keep(session, message, undefined);
    return true;
  }

  #keep(session: string, message: string, text: string | undefined): void {
    this.#changed.set(`${session} ${message}`, text);
    writePromptEdit(session, message, text);
  }

  get #session(): string {
    return this.#page.session.id ?? '';
  }

  #key(message: string): string {
    return `${this.#session} ${message}`;
  }
}

export const [getPromptEdits, setPromptEdits] = createContext<PromptEdits>();
