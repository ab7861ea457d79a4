/** What the person chose for this browser: theme, language, endpoint; and keys, which stay in this tab. */
import { initialLocale, loadErrorTexts, provideLocale } from '../i18n';
import type { Locale } from '../i18n';
import type { Endpoint } from '../protocol';
import { addressProblem, isKey } from './settings/origin';

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

/** What was typed for an endpoint and not yet used. */
export type EndpointDraft = Pick<Endpoint, 'baseUrl' | 'model'> & { systemPrompt: string };

function storedEndpoint(): Endpoint | undefined {
  try {
    const value = JSON.parse(readStored(lasting, 'endpoint') ?? '') as Partial<Endpoint>;
    if (
      typeof value.baseUrl === 'string' &&
      typeof value.model === 'string' &&
      !addressProblem(value.baseUrl)
    )
      return { baseUrl: value.baseUrl, model: value.model, api: 'openai-chat' };
  } catch {
    // Not ours, or damaged: as good as none.
  }
  writeStored(lasting, 'endpoint', undefined);
  return undefined;
}

function storedEndpointDraft(): EndpointDraft | undefined {
  try {
    const value = JSON.parse(readStored(ofThisTab, 'endpointDraft') ?? '') as Partial<EndpointDraft>;
    const { baseUrl, model, systemPrompt } = value;
    if (typeof baseUrl !== 'string' || typeof model !== 'string' || typeof systemPrompt !== 'string')
      return undefined;
    return { baseUrl, model, systemPrompt };
  } catch {
    return undefined;
  }
}

export class Settings {
  #theme = $state<Theme>('system');
  #locale = $state<Locale>('en');
  #textsLoaded = $state(false);
  #endpoint = $state.raw<Endpoint | undefined>();
  #endpointDraft: EndpointDraft | undefined = storedEndpointDraft();
  /** Origins that have a key in this tab. */
  #keys = $state.raw<Record<string, string>>({});

  constructor() {
    this.#locale = initialLocale(navigator.languages, readStored(lasting, 'locale'));
    this.#endpoint = storedEndpoint();
    this.#keys = storedKeys();
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

  get endpoint(): Endpoint | undefined {
    return this.#endpoint;
  }
  set endpoint(endpoint: Endpoint | undefined) {
    this.#endpoint = endpoint;
    const kept = endpoint && !addressProblem(endpoint.baseUrl) ? JSON.stringify(endpoint) : undefined;
    writeStored(lasting, 'endpoint', kept);
  }

  /** Kept for this tab. An address that may carry a secret is kept for as long as the page only. */
  get endpointDraft(): EndpointDraft | undefined {
    return this.#endpointDraft;
  }
  set endpointDraft(draft: EndpointDraft | undefined) {
    this.#endpointDraft = draft;
    const kept = draft && (addressProblem(draft.baseUrl) ? { ...draft, baseUrl: '' } : draft);
    writeStored(ofThisTab, 'endpointDraft', kept && JSON.stringify(kept));
  }

  /** Keys of this tab, by the exact origin that they were typed for. */
  get keys(): Readonly<Record<string, string>> {
    return this.#keys;
  }
  setKey(origin: string, key: string | undefined): void {
    const { [origin]: _old, ...others } = this.#keys;
    this.#keys = key ? { ...others, [origin]: key } : others;
    writeStored(ofThisTab, 'keys', JSON.stringify(this.#keys));
  }

  #tellLanguage(): void {
    document.documentElement.lang = this.#locale === 'zh' ? 'zh-Hans' : this.#locale;
  }
}

function storedKeys(): Record<string, string> {
  try {
    const value: unknown = JSON.parse(readStored(ofThisTab, 'keys') ?? '{}');
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(
      Object.entries(value).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string' && isKey(entry[1]),
      ),
    );
  } catch {
    return {};
  }
}
