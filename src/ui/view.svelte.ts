/** What the reader looks at: selection, what is folded, which panel and which dialog. No truth about the session. */
import { MediaQuery } from 'svelte/reactivity';
import { FilesView } from './files/files-view.svelte';
import { OutlineFolds } from './outline/folds.svelte';
import { SidePanel } from './side-panel.svelte';
import { TraceSearch } from './search/trace-search.svelte';
import { SetupDrafts } from './setup/setup-drafts';
import { lasting, readStored, writeStored } from './settings.svelte';

export type Selection =
  | { kind: 'run'; id: string }
  | { kind: 'turn'; id: string }
  | { kind: 'message'; id: string }
  | { kind: 'call'; id: string }
  /** By the number of its record. */
  | { kind: 'note'; seq: number };

export type PanelName = 'outline' | 'conversation' | 'loop' | 'time' | 'files' | 'inspector' | 'queues';
/** What stands below the loop in the middle of the page. */
export type LowerName = 'conversation' | 'time' | 'files';
export type DialogName = 'sessions' | 'endpoint' | 'setup' | 'hooks' | 'help' | 'palette';

/** A text that is the same for the same thing: as the outline's rows have it. */
export function selectionKey(selection: Selection): string {
  return selection.kind === 'note' ? `note:${selection.seq}` : `${selection.kind}:${selection.id}`;
}

const lowerNames: readonly string[] = ['conversation', 'time', 'files'] satisfies LowerName[];

function storedLower(): LowerName {
  const name = readStored(lasting, 'lower') ?? '';
  return lowerNames.includes(name) ? (name as LowerName) : 'conversation';
}

/** How the middle of the page is divided; remembered for this browser. */
class CentreLayout {
  #lower = $state<LowerName>(storedLower());
  #hasLoop = $state(readStored(lasting, 'loop') !== 'hidden');
  #share = $state(Number(readStored(lasting, 'share')) || 60);
  #shareOverFiles = $state(Number(readStored(lasting, 'share.files')) || 36);

  get lower(): LowerName {
    return this.#lower;
  }
  set lower(name: LowerName) {
    this.#lower = name;
    writeStored(lasting, 'lower', name);
  }
  get hasLoop(): boolean {
    return this.#hasLoop;
  }
  set hasLoop(shown: boolean) {
    this.#hasLoop = shown;
    writeStored(lasting, 'loop', shown ? undefined : 'hidden');
  }
  /** What the loop has of the height, in per cent. Files are read and need more room below it. */
  get share(): number {
    return this.#lower === 'files' ? this.#shareOverFiles : this.#share;
  }
  set share(share: number) {
    if (this.#lower === 'files') this.#shareOverFiles = share;
    else this.#share = share;
    writeStored(lasting, this.#lower === 'files' ? 'share.files' : 'share', String(share));
  }
}

const wide = new MediaQuery('min-width: 1440px');

export class View {
  readonly centre = new CentreLayout();
  /** Wider where the loop beside it does not need the room. */
  readonly outline = new SidePanel('outline', () => (wide.current ? 22 : 20));
  readonly inspector = new SidePanel('inspector', () => 25);
  readonly search = new TraceSearch();
  readonly files = new FilesView();
  readonly setup = new SetupDrafts();
  selection = $state.raw<Selection | undefined>();
  /** The inspector shows what the loop works on, until something is selected. */
  #followsRun = $state(false);
  /** Of the narrow form, which shows one panel at a time. */
  panel = $state<PanelName>('conversation');
  dialog = $state<DialogName | undefined>();
  readonly folds = new OutlineFolds();

  get selectedKey(): string | undefined {
    return this.selection && selectionKey(this.selection);
  }

  /** Selecting the same thing again keeps it selected. */
  select(selection: Selection | undefined): void {
    this.selection = selection;
    if (selection) this.#followsRun = false;
  }

  get followsRun(): boolean {
    return this.#followsRun;
  }
  set followsRun(follows: boolean) {
    this.#followsRun = follows;
    if (follows) this.selection = undefined;
  }

  /** Brings a file into sight. */
  showFile(path: string): void {
    this.centre.lower = 'files';
    this.panel = 'files';
    this.files.open(path);
  }

  /** Brings the field that searches the trace into sight, and the focus into it. */
  openSearch(): void {
    this.panel = 'outline';
    this.outline.isShown = true;
    this.search.focus();
  }

  /** To the next thing that was found, or the one before. */
  stepSearch(by: 1 | -1): void {
    this.search.step(by, (selection) => this.select(selection));
  }

  /** Another session: nothing of the old one is meant any more. */
  reset(): void {
    this.selection = undefined;
    this.search.clear();
    this.folds.clear();
    this.files.reset();
  }
}
