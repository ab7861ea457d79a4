/** Edits of earlier prompts that outlive a reload of the tab. */
import { SvelteMap } from 'svelte/reactivity';
import { PromptEdits } from './conversation/prompt-edits.svelte';
import { readPromptEdits, writePromptEdit } from './drafts';
import type { Page } from './page.svelte';

export class KeptPromptEdits extends PromptEdits {
  readonly #page: Page;
  /** As changed in this page, by session and message; `undefined` where nothing is kept any more. */
  readonly #changed = new SvelteMap<string, string | undefined>();

  constructor(page: Page) {
    super(page);
    this.#page = page;
  }

  override textOf(message: string): string | undefined {
    const key = `${this.#session} ${message}`;
    if (this.#changed.has(key)) return this.#changed.get(key);
    return readPromptEdits(this.#session).get(message);
  }

  override change(message: string, text: string | undefined): void {
    this.#keep(this.#session, message, text);
  }

  override async send(message: string, text: string): Promise<boolean> {
    const session = this.#session;
    const isAccepted = await super.send(message, text);
    if (isAccepted) this.#keep(session, message, undefined);
    return isAccepted;
  }

  #keep(session: string, message: string, text: string | undefined): void {
    this.#changed.set(`${session} ${message}`, text);
    writePromptEdit(session, message, text);
  }

  get #session(): string {
    return this.#page.session.id ?? '';
  }
}
