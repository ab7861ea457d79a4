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
  'a blockquote br code del em h1 h2 h3 h4 h5 h6 hr li ol p pre strong table tbody td th thead tr ul'.split(
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

/** One block as DOM, safe to put into the page. */
export function renderMarkdown(block: string): DocumentFragment {
  return DOMPurify.sanitize(marked.parse(block, { async: false }), { RETURN_DOM_FRAGMENT: true });
}
