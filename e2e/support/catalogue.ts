/** Finds texts on a page that did not come from the message catalogue. */
import type { Page } from 'playwright/test';

/**
 * What a person can read on the page (texts, labels, titles, placeholders, the document's title) without the brackets
 * of the pseudo-locale. Left out is what has no letters (numbers, signs, keys of one letter), the name of the page, and
 * everything inside an element marked `data-raw`: what models, tools and people wrote, code and names; of one marked
 * `data-raw-title` its own title.
 */
export function textsOutsideTheCatalogue(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const check = (text: string | null, where: Element | null) => {
      const words = withoutBracketed(text ?? '')
        .replaceAll('Epicycle', '')
        .trim();
      if (/\p{L}{2}/u.test(words) && !where?.closest('[data-raw], script, style, noscript, svg title'))
        found.push(`${where?.tagName.toLowerCase() ?? 'page'}: ${words}`);
    };
    // A text may be cut into nodes by what stands inside it: brackets are looked for in the whole element.
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const parents = new Set<Element>();
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      // The lines of a drawn text are one text.
      if (parent) parents.add(parent.closest('text') ?? parent);
    }
    for (const parent of parents) check(ownText(parent), parent);
    for (const attribute of [
      'aria-label',
      'aria-description',
      'aria-valuetext',
      'title',
      'placeholder',
      'alt',
    ])
      for (const element of document.querySelectorAll(`[${attribute}]`))
        if (attribute !== 'title' || !element.hasAttribute('data-raw-title'))
          check(element.getAttribute(attribute), element);
    check(document.title, null);
    return found;

    /** A text may be set into another one. */
    function withoutBracketed(text: string): string {
      const shorter = text.replace(/⟦[^⟦⟧]*⟧/g, '');
      return shorter === text ? text : withoutBracketed(shorter);
    }

    function ownText(element: Element): string {
      if (element.tagName === 'text')
        return [...element.children].map((line) => line.textContent).join(' ') || (element.textContent ?? '');
      return [...element.childNodes]
        .map((node) => (node.nodeType === Node.TEXT_NODE ? (node.nodeValue ?? '') : ''))
        .join('');
    }
  });
}
