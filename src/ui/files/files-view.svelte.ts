/** What the reader looks at among the files. No truth about them, but texts that are being edited. */
import { SvelteSet } from 'svelte/reactivity';
import type { FileContent } from '../../records/types';
import type { FileBase } from '../../trace';

/** A text that is not saved yet, and what the file was when it was begun. */
export interface Draft {
  text: string;
  before: FileContent | undefined;
}

export class FilesView {
  /** The key of a row: a path, of a folder with a slash at its end. */
  selected = $state<string | undefined>();
  base = $state<FileBase>('start');
  tab = $state<'file' | 'changes'>('file');
  find = $state('');
  inContents = $state(false);
  /** Only files that differ from the base. */
  changedOnly = $state(false);
  /** A line (from 1) to bring into sight. */
  line = $state.raw<{ path: string; line: number } | undefined>();
  /** Where there is room for one: what is selected is shown, not the list. */
  reading = $state(false);
  readonly collapsed = new SvelteSet<string>();
  /** By path. */
  drafts = $state.raw<Readonly<Record<string, Draft>>>({});

  select(key: string | undefined, line?: number): void {
    this.selected = key;
    this.line = key === undefined || line === undefined ? undefined : { path: key, line };
    if (line !== undefined) this.tab = 'file';
  }

  /** Selects a file to be read, at a line (from 1). */
  open(key: string, line?: number): void {
    this.reveal(key);
    this.select(key, line);
    this.reading = true;
  }

  /** Opens the folders above a path. */
  reveal(path: string): void {
    for (const key of this.collapsed) if (path.startsWith(key)) this.collapsed.delete(key);
  }

  /** Keeps what is not saved yet, or (`undefined`) forgets it. */
  setDraft(path: string, draft: Draft | undefined): void {
    const { [path]: _old, ...others } = this.drafts;
    this.drafts = draft ? { ...others, [path]: draft } : others;
  }

  setExpanded(key: string, expanded: boolean): void {
    if (expanded) this.collapsed.delete(key);
    else this.collapsed.add(key);
  }

  /** Another session: nothing of the old one is meant any more. */
  reset(): void {
    this.selected = undefined;
    this.line = undefined;
    this.reading = false;
    this.find = '';
    this.collapsed.clear();
    this.drafts = {};
  }
}
