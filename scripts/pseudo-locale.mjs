// The pseudo-locale en-XA: English, accented and in brackets. A text on the page without the brackets
// did not come from the catalogue.

/** @typedef {{ declarations: string[], selectors: string[], match: Record<string, string> }} Variant */
/** @typedef {Record<string, string | Variant[]>} Catalogue  messages by key, in inlang's message format */

const plain = 'aceinouyACEINOUY';
const accented = 'áçéîñóüýÁÇÉÎÑÓÜÝ';

/** Accents the letters of one text and brackets it; `{placeholders}` stay as they are. @param {string} text */
export function pseudoText(text) {
  const accents = text.replace(/\{[^}]*\}|[a-zA-Z]/g, (part) => {
    const at = part.length === 1 ? plain.indexOf(part) : -1;
    return at < 0 ? part : /** @type {string} */ (accented[at]);
  });
  return `⟦${accents}⟧`;
}

/** The pseudo-locale's catalogue, made from another one. @param {Catalogue} catalogue @returns {Catalogue} */
export function pseudoCatalogue(catalogue) {
  return Object.fromEntries(
    Object.entries(catalogue).map(([key, message]) => {
      if (typeof message === 'string') return [key, pseudoText(message)];
      return [key, message.map((variant) => ({ ...variant, match: pseudoMatches(variant.match) }))];
    }),
  );
}

/** @param {Record<string, string>} matches */
function pseudoMatches(matches) {
  return Object.fromEntries(Object.entries(matches).map(([when, text]) => [when, pseudoText(text)]));
}
