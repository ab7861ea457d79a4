/** The texts of queued messages that a person is editing: kept outside of their cards, which a poll takes away. */
import { SvelteMap } from 'svelte/reactivity';

interface Edit {
  session: string;
  item: string;
  /** Of the message when the edit began. */
  before: string;
  text: string;
}

export class QueueEdits {
  readonly #edits = new SvelteMap<string, Edit>();

  /** What a message's card is being edited to; `undefined` while nobody edits it. */
  textOf(session: string, item: string): string | undefined {
    return this.#edits.get(keyOf(session, item))?.text;
  }

  begin(session: string, item: string, text: string): void {
    this.#edits.set(keyOf(session, item), { session, item, before: text, text });
  }

  /** Nothing happens to an edit that is over. */
  change(session: string, item: string, text: string): void {
    const edit = this.#edits.get(keyOf(session, item));
    if (edit) this.#edits.set(keyOf(session, item), { ...edit, text });
  }

  end(session: string, item: string): void {
    this.#edits.delete(keyOf(session, item));
  }

  /** Ends the edits of a session whose messages are in no queue any more; gives the texts that were changed. */
  takeLost(session: string, isQueued: (item: string) => boolean): string[] {
    const lost = [...this.#edits.values()].filter((edit) => edit.session === session && !isQueued(edit.item));
    for (const { item } of lost) this.end(session, item);
    return lost.filter(({ before, text }) => text.trim() !== '' && text !== before).map(({ text }) => text);
  }
}

function keyOf(session: string, item: string): string {
  return `${session} ${item}`;
}
