/** Where the keyboard goes when the card that it was in has left its queue. */

export interface FocusedCard {
  item: string;
  /** The cards of its queue after it, then those before it, nearest first. */
  neighbours: string[];
  /** How many cards of its queue stand before it. */
  place: number;
}

/** The card that has the focus, or something in it. */
export function focusedCard(root: HTMLElement): FocusedCard | undefined {
  const { activeElement } = document;
  const card = root.contains(activeElement) ? activeElement?.closest<HTMLElement>('[data-item]') : undefined;
  const item = card?.dataset.item;
  if (!card || item === undefined) return undefined;
  const items = [...(card.parentElement?.children ?? [])].map((child) => (child as HTMLElement).dataset.item);
  const at = items.indexOf(item);
  const neighbours = [...items.slice(at + 1), ...items.slice(0, at).reverse()];
  return { item, neighbours: neighbours.filter((id) => id !== undefined), place: at };
}

/** If the focus was lost with the card: into the card where it stands now, else a neighbour. False if none is left. */
export function focusAgain(root: HTMLElement, { item, neighbours }: FocusedCard): boolean {
  const { activeElement } = document;
  if (activeElement && activeElement !== document.body) return true;
  for (const id of [item, ...neighbours]) {
    const button = root.querySelector<HTMLElement>(`[data-item="${CSS.escape(id)}"] button`);
    if (!button) continue;
    button.focus();
    return true;
  }
  return false;
}

/** A card that was moved while it had the focus is in sight again. */
export function showMoved(root: HTMLElement, before: FocusedCard): void {
  const now = focusedCard(root);
  if (now?.item !== before.item || now.place === before.place) return;
  root.querySelector(`[data-item="${CSS.escape(now.item)}"]`)?.scrollIntoView({ block: 'nearest' });
}
