/** Whether a form that appears may take the keyboard. */

const writes = 'input, textarea, select, [contenteditable]';

/**
 * Only when nothing has it, or a field in which nothing is written: who types, walks a list or reads a dialog is left
 * alone. On a touch screen never, where a keyboard would cover what came.
 */
export function mayTakeFocus(active: Element | null): boolean {
  if (matchMedia('(pointer: coarse)').matches) return false;
  if (document.querySelector('dialog[open], :popover-open')) return false;
  if (!active || active === document.body) return true;
  return active.matches(writes) && 'value' in active && active.value === '';
}
