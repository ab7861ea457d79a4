/** What the reader looks at: selection, what is folded, which panel and which dialog. No truth about the session. */
import { SvelteSet } from 'svelte/reactivity';

export type Selection =
  | { kind: 'run'; id: string }
  | { kind: 'turn'; id: string }
  | { kind: 'message'; id: string }
  | { kind: 'call'; id: string }
  /** By the number of its record. */
  | { kind: 'note'; seq: number };

export type PanelName = 'outline' | 'conversation' | 'inspector' | 'queues';
export type DialogName = 'sessions' | 'endpoint' | 'help';

/** A text that is the same for the same thing: as the outline's rows have it. */
function selectionKey(selection: Selection): string {
  return selection.kind === 'note' ? `note:${selection.seq}` : `${selection.kind}:${selection.id}`;
}

export class View {
  selection = $state.raw<Selection | undefined>();
  /** Of the narrow form, which shows one panel at a time. */
  panel = $state<PanelName>('conversation');
  dialog = $state<DialogName | undefined>();
  /** The outline's rows that the reader folded, and those that the reader opened. */
  readonly folded = new SvelteSet<string>();
  readonly opened = new SvelteSet<string>();

  get selectedKey(): string | undefined {
    return this.selection && selectionKey(this.selection);
  }

  /** Selecting the same thing again keeps it selected. */
  select(selection: Selection | undefined): void {
    this.selection = selection;
  }

  setExpanded(key: string, expanded: boolean): void {
    if (expanded) {
      this.folded.delete(key);
      this.opened.add(key);
    } else {
      this.opened.delete(key);
      this.folded.add(key);
    }
  }

  /** Another session: nothing of the old one is meant any more. */
  reset(): void {
    this.selection = undefined;
    this.folded.clear();
    this.opened.clear();
  }
}
