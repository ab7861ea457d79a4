import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pseudoCatalogue, pseudoText } from '../../scripts/pseudo-locale.mjs';
import type { Catalogue } from '../../scripts/pseudo-locale.mjs';

const locales = ['en', 'zh'] as const;
const catalogues = Object.fromEntries(locales.map((locale) => [locale, read(locale)])) as Record<
  (typeof locales)[number],
  Catalogue
>;

function read(locale: string): Catalogue {
  return JSON.parse(readFileSync(new URL(`./messages/${locale}.json`, import.meta.url), 'utf8')) as Catalogue;
}

/** Every text of a message: one, or one for each of its variants. */
function texts(message: Catalogue[string]): string[] {
  return typeof message === 'string' ? [message] : message.flatMap((variant) => Object.values(variant.match));
}

function placeholders(text: string): string[] {
  return [...new Set(text.match(/\{[^}]*\}/g))].sort();
}

describe('the catalogues', () => {
  it('have the same keys', () => {
    expect(Object.keys(catalogues.zh).sort()).toEqual(Object.keys(catalogues.en).sort());
  });

  it('have the same placeholders in every text of a message', () => {
    const different = Object.entries(catalogues.en).flatMap(([key, message]) => {
      const wanted = JSON.stringify([...new Set(texts(message).flatMap(placeholders))].sort());
      const all = [...texts(message), ...texts(catalogues.zh[key] ?? '')];
      return all
        .filter((text) => JSON.stringify(placeholders(text)) !== wanted)
        .map((text) => `${key}: ${text}`);
    });
    expect(different).toEqual([]);
  });

  it('leave no text empty', () => {
    const empty = locales.flatMap((locale) =>
      Object.entries(catalogues[locale])
        .filter(([, message]) => texts(message).some((text) => text.trim() === ''))
        .map(([key]) => `${locale}: ${key}`),
    );
    expect(empty).toEqual([]);
  });

  it('tell one from other wherever English counts', () => {
    const incomplete = Object.entries(catalogues.en).filter(
      ([, message]) =>
        typeof message !== 'string' &&
        message.some(({ declarations, selectors, match }) =>
          selectors.some(
            (selector) =>
              declarations.some(
                (each) => each.startsWith(`local ${selector} = `) && each.includes(': plural'),
              ) &&
              ['one', 'other'].some(
                (form) => !Object.keys(match).some((when) => when.includes(`${selector}=${form}`)),
              ),
          ),
        ),
    );
    expect(incomplete.map(([key]) => key)).toEqual([]);
  });
});

describe('the pseudo-locale', () => {
  it('accents and brackets a text, and keeps its placeholders', () => {
    expect(pseudoText('Turn {count} of one')).toBe('⟦Türñ {count} óf óñé⟧');
  });

  it('brackets every text of the English catalogue', () => {
    const plain = Object.entries(pseudoCatalogue(catalogues.en)).filter(([, message]) =>
      texts(message).some((text) => !/^⟦.*⟧$/s.test(text)),
    );
    expect(plain).toEqual([]);
  });
});
