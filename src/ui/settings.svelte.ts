/** What the person chose for this browser: theme and language; and how small things are kept in it. */
import { initialLocale, loadErrorTexts, provideLocale } from '../i18n';
import type { Locale } from '../i18n';

export type Theme = 'system' | 'light' | 'dark';

/** A browser may refuse storage; then settings last as long as the page. */
export function readStored(storage: () => Storage, key: string): string | undefined {
  try {
    return storage().getItem(`epicycle.${key}`) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a text, or removes it. Returns whether it was kept. */
export function writeStored(storage: () => Storage, key: string, value: string | undefined): boolean {
  try {
    if (value === undefined) storage().removeItem(`epicycle.${key}`);
    else storage().setItem(`epicycle.${key}`, value);
    return true;
  } catch {
    return false;
  }
}

export const lasting = () => localStorage;
export const ofThisTab = () => sessionStorage;

const themes: readonly string[] = ['system', 'light', 'dark'] satisfies Theme[];

function storedTheme(): Theme {
  const theme = readStored(lasting, 'theme') ?? '';
  return themes.includes(theme) ? (theme as Theme) : 'system';
}

export class Settings {
  #theme = $state<Theme>('system');
  #locale = $state<Locale>('en');
  #textsLoaded = $state(false);

  constructor() {
    this.#locale = initialLocale(navigator.languages, readStored(lasting, 'locale'));
    provideLocale(() => (void this.#textsLoaded, this.#locale));
    // Every text asks for the locale, so what named a code before says its sentence now.
    void loadErrorTexts().then(() => (this.#textsLoaded = true));
    this.theme = storedTheme();
    this.#tellLanguage();
  }

  get theme(): Theme {
    return this.#theme;
  }
  set theme(theme: Theme) {
    this.#theme = theme;
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    writeStored(lasting, 'theme', theme === 'system' ? undefined : theme);
  }

  get locale(): Locale {
    return this.#locale;
  }
  set locale(locale: Locale) {
    this.#locale = locale;
    writeStored(lasting, 'locale', locale);
    this.#tellLanguage();
  }

  #tellLanguage(): void {
    document.documentElement.lang = this.#locale === 'zh' ? 'zh-Hans' : this.#locale;
  }
}
