/** What was typed in the setup of a session and is in no record. */
import type { RequestOptions } from '../../records/types';
import { readSystemPrompt, writeSystemPrompt } from '../drafts';

export class SetupDrafts {
  /** As typed in this page, also where the browser stores nothing. */
  readonly #prompts = new Map<string, string | undefined>();
  /** What was last set, with the secrets that records leave out, by session: kept as long as the page. */
  readonly options = new Map<string, RequestOptions>();

  /** The system prompt that was typed and not taken yet; it outlives a reload of the tab. */
  promptOf(session: string): string | undefined {
    return this.#prompts.has(session) ? this.#prompts.get(session) : readSystemPrompt(session);
  }

  /** `undefined`: it is in use, or given up. */
  keepPrompt(session: string, text: string | undefined): void {
    this.#prompts.set(session, text);
    writeSystemPrompt(session, text);
  }
}
