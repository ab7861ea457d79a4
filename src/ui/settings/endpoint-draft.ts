/** An endpoint with what is asked of it, as it is typed and as it is used. */
import type { Endpoint } from '../../protocol';
import type { RequestOptions, SessionConfig, TokenPrices } from '../../records/types';
import type { ThinkingLevel } from '../lib/types';
import { numberOf, optionProblems, optionsDraft, optionsOf } from './option-draft';
import type { OptionsDraft } from './option-draft';
import { addressProblem, readAddress } from './origin';

/** An endpoint, and how a session with it begins. */
export interface EndpointChoice {
  endpoint: Endpoint;
  thinkingLevel: ThinkingLevel;
  options: RequestOptions;
}

/** What the chosen endpoint is for: a new session, the open one, or the scenario that waits. */
export type EndpointUse = 'create' | 'configure' | 'play';

export type PriceField = keyof TokenPrices;
export const priceFields: readonly PriceField[] = ['input', 'output', 'cacheRead', 'cacheWrite'];

export interface EndpointDraft {
  baseUrl: string;
  model: string;
  api: Endpoint['api'];
  systemPrompt: string;
  thinkingLevel: ThinkingLevel;
  options: OptionsDraft;
  images: boolean;
  prices: Record<PriceField, string>;
}

export function endpointDraft(choice?: EndpointChoice): EndpointDraft {
  const { baseUrl = '', model = '', api = 'openai-chat', images = true, prices } = choice?.endpoint ?? {};
  const priceText = (field: PriceField) => String(prices?.[field] ?? '');
  return {
    baseUrl,
    model,
    api,
    systemPrompt: '',
    thinkingLevel: choice?.thinkingLevel ?? 'off',
    options: optionsDraft(choice?.options),
    images,
    prices: {
      input: priceText('input'),
      output: priceText('output'),
      cacheRead: priceText('cacheRead'),
      cacheWrite: priceText('cacheWrite'),
    },
  };
}

/** The fields of prices that are no numbers. */
export function badPrices({ prices }: EndpointDraft): PriceField[] {
  return priceFields.filter((field) => Number.isNaN(numberOf(prices[field])));
}

/** Whether all that is typed can be used, but that a model may be missing. */
export function isTestable(draft: EndpointDraft): boolean {
  return (
    !addressProblem(draft.baseUrl) &&
    badPrices(draft).length === 0 &&
    Object.keys(optionProblems(draft.options)).length === 0
  );
}

/** Whether all that is typed can be used. */
export function isUsable(draft: EndpointDraft): boolean {
  return isTestable(draft) && draft.model.trim() !== '';
}

/** What a usable draft stands for. Prices are none unless one is typed; then those left empty are 0. */
export function choiceOf(draft: EndpointDraft): EndpointChoice {
  const prices = pricesOf(draft.prices);
  return {
    endpoint: {
      baseUrl: readAddress(draft.baseUrl).baseUrl,
      model: draft.model.trim(),
      api: draft.api,
      ...(prices ? { prices } : {}),
      ...(draft.images ? {} : { images: false }),
    },
    thinkingLevel: draft.thinkingLevel,
    options: optionsOf(draft.options),
  };
}

function pricesOf(texts: EndpointDraft['prices']): TokenPrices | undefined {
  const [input, output, cacheRead, cacheWrite] = priceFields.map((field) => numberOf(texts[field]));
  if ([input, output, cacheRead, cacheWrite].every((price) => price === undefined)) return undefined;
  return {
    input: input ?? 0,
    output: output ?? 0,
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
}

/** What a session with an endpoint uses now; nothing for one without. */
export function choiceOfSession(config: SessionConfig): EndpointChoice | undefined {
  const { model, prices, images, thinkingLevel = 'off', options = {} } = config;
  if (model?.api !== 'openai-chat' && model?.api !== 'openai-responses') return undefined;
  return {
    endpoint: {
      baseUrl: model.baseUrl,
      model: model.id,
      api: model.api,
      ...(prices ? { prices } : {}),
      ...(images === undefined ? {} : { images }),
    },
    thinkingLevel,
    options,
  };
}

/** Whether two choices are about the same model at the same address. */
export function isSameModel(a: Endpoint, b: Endpoint): boolean {
  return a.baseUrl === b.baseUrl && a.model === b.model && a.api === b.api;
}
