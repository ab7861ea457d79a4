/** Dragging cards within a queue and to the other one. */
const type = 'application/x-epicycle-queued';

export function startDrag(event: DragEvent, item: string): void {
  event.dataTransfer?.setData(type, item);
  if (event.dataTransfer) event.dataTransfer.effectAllowed = 'move';
}

/** Whether a card of a queue is dragged, and nothing from elsewhere. */
export function isCard(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes(type) ?? false;
}

export function draggedItem(event: DragEvent): string | undefined {
  return event.dataTransfer?.getData(type) || undefined;
}

/** Between which cards it is: the number of those that it stands after. Cards stand side by side, or below one another. */
export function placeAmong(boxes: readonly DOMRect[], x: number, y: number): number {
  const [first, second] = boxes;
  const isColumn = first && second ? second.top >= first.bottom : false;
  return boxes.filter((box) => (isColumn ? y > box.top + box.height / 2 : x > box.left + box.width / 2))
    .length;
}
