/** What a search found, in what the inspector shows: which tab holds it, and where it stands there. */
import { foldedText } from '../../trace/search';
import type { SearchHit } from '../../trace/search';

/** More are not marked. */
const MOST = 2000;
const NAME = 'found';

/** The tab that holds the hit; none when any tab may stay open. */
export function tabOfHit({ ref, field }: SearchHit): 'message' | 'arguments' | 'result' | undefined {
  if (ref.kind === 'message') return 'message';
  if (ref.kind === 'note' || field === 'toolName') return undefined;
  return field === 'arguments' ? 'arguments' : 'result';
}

/** Marks the text wherever it stands in the element, and brings the first place into sight; returns what takes the marks away. */
export function markFound(element: HTMLElement, text: string): () => void {
  const ranges = rangesOf(element, text);
  const [first] = ranges;
  if (typeof Highlight === 'function') CSS.highlights.set(NAME, new Highlight(...ranges));
  if (first) reveal(first, element);
  return () => {
    if (typeof Highlight === 'function') CSS.highlights.delete(NAME);
  };
}

/** Where the text stands, also across the borders of elements: a long text is drawn in parts. */
function rangesOf(element: HTMLElement, text: string): Range[] {
  const nodes: { node: Text; from: number }[] = [];
  let all = '';
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text) || !node.parentElement?.closest('[data-raw]')) continue;
    nodes.push({ node, from: all.length });
    all += node.data;
  }
  const [hay, needle] = [foldedText(all), foldedText(text)];
  const ranges: Range[] = [];
  let at = 0;
  const place = (offset: number): [Text, number] | undefined => {
    while ((nodes[at + 1]?.from ?? Infinity) <= offset) at++;
    const found = nodes[at];
    return found && [found.node, offset - found.from];
  };
  for (
    let offset = hay.indexOf(needle);
    offset !== -1 && ranges.length < MOST;
    offset = hay.indexOf(needle, offset + needle.length)
  ) {
    const start = place(offset);
    const last = place(offset + needle.length - 1);
    if (!start || !last) break;
    const range = document.createRange();
    range.setStart(...start);
    range.setEnd(last[0], last[1] + 1);
    ranges.push(range);
  }
  return ranges;
}

/** Scrolls all that scrolls around it, from the inside out, as far as the element. */
function reveal(range: Range, within: HTMLElement): void {
  for (let box = range.startContainer.parentElement; box; box = box.parentElement) {
    if (box.scrollHeight > box.clientHeight + 1 && getComputedStyle(box).overflowY !== 'visible') {
      const [at, edge] = [range.getBoundingClientRect(), box.getBoundingClientRect()];
      const isSeen = at.top >= edge.top && at.bottom <= edge.top + box.clientHeight;
      if (!isSeen) box.scrollTop += at.top - edge.top - box.clientHeight / 3;
    }
    if (box === within) return;
  }
}
