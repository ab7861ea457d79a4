/** Texts for people: typed messages (`m.play()`), the locale they speak, and sentences for errors. */
import { m } from './compiled/messages';
import { baseLocale, isLocale, locales, overwriteGetLocale } from './compiled/runtime';
import type { Locale } from './compiled/runtime';

export { getLocale } from './compiled/runtime';
export { locales, m };
export type { Locale };

/**
 * Lets the messages speak what `read` returns, asked again at each message. When `read` reads reactive state,
 * every text that a component shows follows it. Until this is called the locale is English.
 */
export function provideLocale(read: () => Locale): void {
  overwriteGetLocale(read);
}

/**
 * The locale to begin with: the one that was chosen before (if there still is such a locale), else the first of the
 * browser's languages that we speak, else English. Any Chinese gets the Simplified Chinese texts.
 */
export function initialLocale(languages: readonly string[], chosen?: string): Locale {
  if (isLocale(chosen)) return chosen;
  for (const language of languages) {
    const spoken = [language, language.split('-')[0]].find(isLocale);
    if (spoken) return spoken;
  }
  return baseLocale;
}

/** An error as it travels from the worker: a code with dots, and the parameters of its sentence. */
interface CodedError {
  code: string;
  params?: Readonly<Record<string, string | number>>;
}

let sentences: typeof import('./errors') | undefined;

/** Loads the sentences for errors, which no first paint needs. Until then `errorText` names codes. */
export async function loadErrorTexts(): Promise<void> {
  sentences = await import('./errors');
}

/**
 * The sentence for an error, in the current locale: the message `error_<code>` with the code's dots as underscores.
 * A code without a message of its own gets `error_unknown`, which names the code and shows its parameters.
 */
export function errorText({ code, params = {} }: CodedError): string {
  const sentence = sentences?.sentenceFor(code);
  if (sentence) return sentence(params);
  const detail = Object.values(params).join(', ');
  return m.error_unknown({ code, detail });
}
