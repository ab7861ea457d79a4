/**
 * What this browser remembers of endpoints: those used last, and for this tab what was typed and not used. Never a key, nor
 * what looks like a secret in an address or in extra fields.
 */
import * as v from 'valibot';
import { secretNames } from '../../json/secret-name';
import { thinkingLevels } from '../lib/thinking-levels';
import { lasting, ofThisTab, readStored, writeStored } from '../settings.svelte';
import { isSameModel } from './endpoint-draft';
import type { EndpointChoice, EndpointDraft } from './endpoint-draft';
import { optionProblems, secretFields } from './option-draft';
import { addressProblem } from './origin';

const mostRemembered = 6;

const text = v.string();
const price = v.pipe(v.number(), v.finite(), v.minValue(0));
const api = v.picklist(['openai-chat', 'openai-responses']);
const thinkingLevel = v.picklist(thinkingLevels);

const choice: v.GenericSchema<EndpointChoice> = v.strictObject({
  endpoint: v.strictObject({
    baseUrl: v.pipe(
      text,
      v.check((address) => !addressProblem(address)),
    ),
    model: text,
    api,
    prices: v.exactOptional(
      v.strictObject({
        input: price,
        output: price,
        cacheRead: v.exactOptional(price),
        cacheWrite: v.exactOptional(price),
      }),
    ),
    images: v.exactOptional(v.boolean()),
  }),
  thinkingLevel,
  options: v.strictObject({
    temperature: v.exactOptional(price),
    maxTokens: v.exactOptional(price),
    extraBody: v.exactOptional(v.record(text, v.unknown())),
    tellFailures: v.exactOptional(v.boolean()),
  }),
});

const draft: v.GenericSchema<EndpointDraft> = v.strictObject({
  baseUrl: text,
  model: text,
  api,
  systemPrompt: text,
  thinkingLevel,
  options: v.strictObject({ temperature: text, maxTokens: text, extraBody: text, tellFailures: v.boolean() }),
  images: v.boolean(),
  prices: v.strictObject({ input: text, output: text, cacheRead: text, cacheWrite: text }),
});

/** The endpoints of this browser, the last used first. What is stored and cannot be read counts as nothing. */
export function savedEndpoints(): EndpointChoice[] {
  const stored = jsonOf(readStored(lasting, 'endpoints'));
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((entry) => {
    const parsed = v.safeParse(choice, entry);
    return parsed.success ? [parsed.output] : [];
  });
}

/** Puts an endpoint that is used now before the others. */
export function rememberEndpoint(used: EndpointChoice): void {
  const others = savedEndpoints().filter(({ endpoint }) => !isSameModel(endpoint, used.endpoint));
  save([withoutSecrets(used), ...others].slice(0, mostRemembered));
}

export function forgetEndpoint(gone: EndpointChoice): void {
  save(savedEndpoints().filter(({ endpoint }) => !isSameModel(endpoint, gone.endpoint)));
}

function save(all: EndpointChoice[]): void {
  writeStored(lasting, 'endpoints', all.length > 0 ? JSON.stringify(all) : undefined);
}

export function savedDraft(): EndpointDraft | undefined {
  const parsed = v.safeParse(draft, jsonOf(readStored(ofThisTab, 'endpointDraft')));
  return parsed.success ? parsed.output : undefined;
}

export function saveDraft(typed: EndpointDraft | undefined): void {
  writeStored(ofThisTab, 'endpointDraft', typed && JSON.stringify(storable(typed)));
}

/** Half a JSON text may hold a secret whose name cannot be seen yet. */
function storable(typed: EndpointDraft): EndpointDraft {
  const { extraBody } = typed.options;
  const keepsBody = !optionProblems(typed.options).extraBody && secretFields(extraBody).length === 0;
  return {
    ...typed,
    baseUrl: addressProblem(typed.baseUrl) ? '' : typed.baseUrl,
    options: { ...typed.options, extraBody: keepsBody ? extraBody : '' },
  };
}

function withoutSecrets(used: EndpointChoice): EndpointChoice {
  const { extraBody, ...options } = used.options;
  if (!extraBody) return used;
  const kept = Object.entries(extraBody).filter(
    ([name, value]) => secretNames({ [name]: value }).length === 0,
  );
  return {
    ...used,
    options: kept.length > 0 ? { ...options, extraBody: Object.fromEntries(kept) } : options,
  };
}

function jsonOf(stored = ''): unknown {
  try {
    return JSON.parse(stored);
  } catch {
    return undefined;
  }
}
