/** What was typed in the setup of a session and is in no record: kept as long as the page. */
import type { RequestOptions } from '../../records/types';

export class SetupDrafts {
  /** System prompts that are not in use yet, by session. */
  readonly prompts = new Map<string, string>();
  /** What was last set, with the secrets that records leave out, by session. */
  readonly options = new Map<string, RequestOptions>();

  /** `undefined`: it is in use, or given up. */
  keepPrompt(session: string, text: string | undefined): void {
    if (text === undefined) this.prompts.delete(session);
    else this.prompts.set(session, text);
  }
}
