/** What the reader looks at: selection, what is folded, which panel and which dialog. No truth about the session. */
import { MediaQuery } from 'svelte/reactivity';
import { EarlyKeys } from './early-keys';
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

export type PanelName =
  'outline' | 'conversation' | 'loop' | 'time' | 'files' | 'hooks' | 'inspector' | 'queues';
/** What stands below the loop in the middle of the page. */
export type LowerName = 'conversation' | 'time' | 'files' | 'hooks';
export type DialogName = 'sessions' | 'endpoint' | 'setup' | 'help' | 'palette';
/** What a button opens: a dialog, or the panel of the rules. */
export type OpenName = DialogName | 'hooks';

/** A text that is the same for the same thing: as the outline's rows have it. */
export function selectionKey(selection: Selection): string {
  return selection.kind === 'note' ? `note:${selection.seq}` : `${selection.kind}:${selection.id}`;
}

const lowerNames: readonly string[] = ['conversation', 'time', 'files', 'hooks'] satisfies LowerName[];

function storedLower(): LowerName {
  const name = readStored(lasting, 'lower') ?? '';
  return lowerNames.includes(name) ? (name as LowerName) : 'conversation';
}

/** Per cent that the loop has above the files. */
const filesShare = 36;

/** How the middle of the page is divided; remembered for this browser. */
class CentreLayout {
  #lower = $state<LowerName>(storedLower());
  #hasLoop = $state(readStored(lasting, 'loop') !== 'hidden');
  #share = $state(Number(readStored(lasting, 'share')) || undefined);
  #shareOverFiles = $state(Number(readStored(lasting, 'share.files')) || filesShare);

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
  /**
   * What the loop has of the height, in per cent; `undefined` until somebody chose: then it has what it needs. Files are
   * read and need more room below it.
   */
  get share(): number | undefined {
    return this.#lower === 'files' ? this.#shareOverFiles : this.#share;
  }
  set share(share: number) {
    if (this.#lower === 'files') this.#shareOverFiles = share;
    else this.#share = share;
    writeStored(lasting, this.#lower === 'files' ? 'share.files' : 'share', String(share));
  }
  /** As it was before anybody moved it. */
  resetShare(): void {
    const name = this.#lower === 'files' ? 'share.files' : 'share';
    if (name === 'share') this.#share = undefined;
    else this.#shareOverFiles = filesShare;
    writeStored(lasting, name, undefined);
  }
}

/** Until somebody says that the inspector shall not. */
function wantsToFollow(): boolean {
  return readStored(lasting, 'follow') !== 'off';
}

const wide = new MediaQuery('min-width: 1440px');
const widest = new MediaQuery('min-width: 1500px');

export class View {
  readonly centre = new CentreLayout();
  /** Wider where the loop beside it does not need the room. */
  readonly outline = new SidePanel('outline', () => (wide.current ? 22 : 20));
  readonly inspector = new SidePanel('inspector', () => (widest.current ? 25 : 22));
  readonly search = new TraceSearch();
  readonly paletteKeys = new EarlyKeys();
  readonly files = new FilesView();
  readonly setup = new SetupDrafts();
  selection = $state.raw<Selection | undefined>();
  /** The inspector shows what the loop works on, until something is selected. */
  #followsRun = $state(wantsToFollow());
  /** The rules were asked for, and are to have the focus. */
  hooksAsked = $state(false);
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
    writeStored(lasting, 'follow', follows ? undefined : 'off');
    if (follows) this.selection = undefined;
  }

  /** Opens a dialog, or brings the rules into sight, and the focus to them. */
  open(name: OpenName): void {
    this.dialog = name === 'hooks' ? undefined : name;
    if (name !== 'hooks') return;
    this.centre.lower = 'hooks';
    this.panel = 'hooks';
    this.hooksAsked = true;
  }

  /** Brings a file into sight. */
  showFile(path: string): void {
    this.centre.lower = 'files';
    this.panel = 'files';
    this.files.open(path);
  }

  /** Opens the palette by a key: what is typed from now on is for its field. */
  openPalette(): void {
    this.dialog = 'palette';
    this.paletteKeys.begin({
      isWanted: () => this.dialog === 'palette',
      leave: () => (this.dialog = undefined),
    });
  }

  /** Brings the field that searches the trace into sight, and the focus into it, with what is typed from now on. */
  openSearch(): void {
    this.panel = 'outline';
    this.outline.isShown = true;
    const { search } = this;
    search.focus();
    search.early.begin({
      isWanted: () => search.isAsked && this.dialog === undefined,
      leave: () => (search.handledAsks = search.asks),
    });
  }

  /** To the next thing that was found, or the one before. */
  stepSearch(by: 1 | -1): void {
    this.search.step(by, (selection) => this.select(selection));
  }

  /** Another session: nothing of the old one is meant any more. */
  reset(): void {
    this.#followsRun = wantsToFollow();
    this.selection = undefined;
    this.search.clear();
    this.folds.clear();
    this.files.reset();
  }
}
