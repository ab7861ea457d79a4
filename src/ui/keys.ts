/** Keys that work everywhere on the page. */

export interface PageActions {
  playPause: () => void;
  /** To the next step of the loop. */
  step: () => void;
  help: () => void;
  /** Goes to what is newest. */
  toLive: () => void;
  search: () => void;
  /** To the next hit of the search, or the one before. */
  stepSearch: (by: 1 | -1) => void;
  palette: () => void;
}

const typing = 'input, textarea, select, [contenteditable]';

/** Listener for `keydown` of the window. Single letters do nothing while somebody types. */
export function pageKeys(actions: PageActions): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.defaultPrevented || event.altKey) return;
    const anywhere = whileTyping(event, actions);
    if (anywhere) {
      event.preventDefault();
      anywhere();
      return;
    }
    if (event.ctrlKey || event.metaKey) return;
    if (event.target instanceof Element && event.target.closest(typing)) return;
    if (event.code === 'KeyL' && !event.shiftKey) actions.toLive();
    // By what they write: where these signs are depends on the keyboard.
    const signs: Record<string, () => void> = { '?': actions.help, '/': actions.search };
    const sign = signs[event.key];
    if (!sign) return;
    event.preventDefault();
    sign();
  };
}

/** What a key does wherever the focus is. */
function whileTyping(
  { code, ctrlKey, metaKey, shiftKey }: KeyboardEvent,
  { playPause, step, stepSearch, palette }: PageActions,
): (() => void) | undefined {
  if (ctrlKey || metaKey) return code === 'KeyK' && !shiftKey ? palette : undefined;
  if (code === 'F8') return playPause;
  if (code === 'F10') return step;
  return code === 'F3' ? () => stepSearch(shiftKey ? -1 : 1) : undefined;
}
