/** What is near sight in something that scrolls. */
import type { Attachment } from 'svelte/attachments';

const observers = new WeakMap<Element, IntersectionObserver>();
const told = new WeakMap<Element, (near: boolean) => void>();
/** Those that came near and were not told yet, the one that waits longest first. */
const waiting = new Set<Element>();
let frame: number | undefined;

/**
 * Says when the element comes within a screen of sight, and when it leaves. Of several that come near at once one is told
 * in each frame, so that what it draws then does not hold up the page.
 */
export function whenNear(tell: (near: boolean) => void): Attachment<HTMLElement> {
  return (element) => {
    const observer = observerOf(scrollerOf(element));
    told.set(element, tell);
    observer.observe(element);
    return () => {
      observer.unobserve(element);
      told.delete(element);
      waiting.delete(element);
    };
  };
}

function observerOf(scroller: Element | null): IntersectionObserver {
  const key = scroller ?? document.documentElement;
  const known = observers.get(key);
  if (known) return known;
  const observer = new IntersectionObserver(notice, { root: scroller, rootMargin: '100% 0px' });
  observers.set(key, observer);
  return observer;
}

function notice(entries: readonly IntersectionObserverEntry[]): void {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting) waiting.add(target);
    else {
      waiting.delete(target);
      if (!isSelected(target)) told.get(target)?.(false);
    }
  }
  if (waiting.size > 0) frame ??= requestAnimationFrame(tellNext);
}

function tellNext(): void {
  const [next] = waiting;
  frame = undefined;
  if (!next) return;
  waiting.delete(next);
  told.get(next)?.(true);
  if (waiting.size > 0) frame = requestAnimationFrame(tellNext);
}

/** What a person marks must stay as it is. */
function isSelected(element: Element): boolean {
  const selection = document.getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(element, true);
}

/** What scrolls it; `null` where that is the page itself, as on one that is much enlarged. */
function scrollerOf(element: Element): Element | null {
  for (let outer = element.parentElement; outer; outer = outer.parentElement)
    if (/auto|scroll/.test(getComputedStyle(outer).overflowY) && outer.scrollHeight > outer.clientHeight)
      return outer;
  return null;
}
