import { compile } from 'html-to-text';
import type { FormatCallback, HtmlToTextOptions } from 'html-to-text';

const heading: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 2 });
  builder.addInline(`${'#'.repeat(Number(element.name?.slice(1)))} `);
  walk(element.children, builder);
  builder.closeBlock({ trailingLineBreaks: 2 });
};

/** As Markdown, with the whole address: what is relative to a page means nothing outside of it. */
const link =
  (baseUrl: string): FormatCallback =>
  (element, walk, builder) => {
    const { href } = element.attribs as { href?: string };
    if (href === undefined || href.startsWith('#') || /^\s*(?:javascript|data):/i.test(href)) {
      walk(element.children, builder);
      return;
    }
    builder.addInline('[');
    walk(element.children, builder);
    builder.addInline(`](${absolute(href, baseUrl)})`, { noWordTransform: true });
  };

function absolute(href: string, baseUrl: string): string {
  return URL.canParse(href, baseUrl) ? new URL(href, baseUrl).href : href;
}

const SKIPPED = ['img', 'script', 'style', 'noscript', 'template', 'svg', 'iframe'];

function options(baseUrl: string): HtmlToTextOptions {
  return {
    wordwrap: false,
    // The converter recurses.
    limits: { maxDepth: 100, maxInputLength: Infinity },
    formatters: { heading, link: link(baseUrl) },
    selectors: [
      { selector: 'a', format: 'link' },
      { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, format: 'heading' })),
      ...SKIPPED.map((selector) => ({ selector, format: 'skip' })),
    ],
  };
}

/** The readable text of a page, with its headings and links as Markdown. */
export function htmlToText(html: string, baseUrl: string): string {
  return compile(options(baseUrl))(html).trim();
}
