/** Keys that work everywhere on the page. */

export interface PageActions {
  playPause: () => void;
  help: () => void;
  /** Goes to what is newest. */
  toLive: () => void;
}

const typing = 'input, textarea, select, [contenteditable]';

/** Listener for `keydown` of the window. Single letters do nothing while somebody types. */
export function pageKeys({ playPause, help, toLive }: PageActions): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.code === 'F8') {
      event.preventDefault();
      playPause();
      return;
    }
    if (event.target instanceof Element && event.target.closest(typing)) return;
    if (event.code === 'KeyL' && !event.shiftKey) toLive();
    // By what it writes: where the question mark is depends on the keyboard.
    if (event.key === '?') {
      event.preventDefault();
      help();
    }
  };
}
