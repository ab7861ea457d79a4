/**
 * Markdown of models to DOM, block by block: the one place where text becomes HTML. Nothing that comes out of it can
 * run or load by itself: HTML in the text is shown as text, images become links, and links open in a new tab.
 */
import DOMPurify from 'dompurify';
import { Marked } from 'marked';
import type { Tokens } from 'marked';

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}

const marked = new Marked({
  gfm: true,
  renderer: {
    html: ({ raw }: Tokens.HTML | Tokens.Tag) => escapeHtml(raw),
    image: ({ href, text }: Tokens.Image) =>
      `<a class="image-link" href="${escapeHtml(href)}">${escapeHtml(text || href)}</a>`,
    checkbox: ({ checked }: Tokens.Checkbox) => (checked ? '☑ ' : '☐ '),
  },
});

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName !== 'A') return;
  node.setAttribute('target', '_blank');
  node.setAttribute('rel', 'noopener noreferrer');
  node.setAttribute('referrerpolicy', 'no-referrer');
});

const allowedTags =
  'a blockquote br code del div em h1 h2 h3 h4 h5 h6 hr li ol p pre strong table tbody td th thead tr ul'.split(
    ' ',
  );

// Once: to read it anew for each block took longer than the blocks.
DOMPurify.setConfig({
  RETURN_DOM_FRAGMENT: true,
  ALLOWED_TAGS: allowedTags,
  ALLOWED_ATTR: ['href', 'class', 'start', 'align', 'target', 'rel', 'referrerpolicy'],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
});

/** Blocks that are drawn before the page is laid out again, each with where it is to stand. */
let waiting: { block: string; element: Element }[] = [];

/**
 * Puts a block into the page, safely: in a microtask, together with all others that are drawn by then, since what it takes
 * to begin reading HTML is more than what a block takes.
 */
export function drawMarkdown(element: Element, block: string): void {
  if (waiting.length === 0) queueMicrotask(drawWaiting);
  waiting.push({ block, element });
}

function drawWaiting(): void {
  const drawn = waiting;
  waiting = [];
  // Of what marked makes, nothing ends that it did not begin: HTML of the text is text.
  const html = drawn.map(({ block }) => `<div>${marked.parse(block, { async: false })}</div>`).join('');
  const { children } = DOMPurify.sanitize(html, { RETURN_DOM_FRAGMENT: true });
  const places = [...children];
  for (const [index, { element }] of drawn.entries())
    element.replaceChildren(...(places[index]?.childNodes ?? []));
}
