/** Options of requests as they are typed: texts, which may not (yet) be what they shall become. */
import { isOwnField } from '../../json/own-fields';
import { secretNames } from '../../json/secret-name';
import type { RequestOptions } from '../../records/types';
import { jsonErrorPosition } from '../../scenario/json-position';

export interface OptionsDraft {
  temperature: string;
  maxTokens: string;
  /** JSON text of an object. */
  extraBody: string;
  tellFailures: boolean;
}

/** Where a text stops being JSON, or another thing that is wrong with a field. */
export type OptionProblem =
  | { kind: 'number' }
  | { kind: 'whole' }
  | { kind: 'noObject' }
  | { kind: 'noJson'; line: number; column: number };

export type OptionProblems = Partial<Record<'temperature' | 'maxTokens' | 'extraBody', OptionProblem>>;

export function optionsDraft(options: RequestOptions = {}): OptionsDraft {
  const { temperature, maxTokens, extraBody, tellFailures = false } = options;
  return {
    temperature: temperature === undefined ? '' : String(temperature),
    maxTokens: maxTokens === undefined ? '' : String(maxTokens),
    extraBody:
      extraBody === undefined || Object.keys(extraBody).length === 0
        ? ''
        : JSON.stringify(extraBody, undefined, 2),
    tellFailures,
  };
}

/** What must be mended before the draft can be used, by field. */
export function optionProblems({ temperature, maxTokens, extraBody }: OptionsDraft): OptionProblems {
  const problems: OptionProblems = {};
  if (Number.isNaN(numberOf(temperature))) problems.temperature = { kind: 'number' };
  const limit = numberOf(maxTokens);
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit > 0))
    problems.maxTokens = { kind: 'whole' };
  const body = bodyOf(extraBody);
  if (body && 'kind' in body) problems.extraBody = body;
  return problems;
}

/** The options that a draft without problems stands for. */
export function optionsOf(draft: OptionsDraft): RequestOptions {
  const temperature = numberOf(draft.temperature);
  const maxTokens = numberOf(draft.maxTokens);
  const body = bodyOf(draft.extraBody);
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(body && 'fields' in body ? { extraBody: body.fields } : {}),
    ...(draft.tellFailures ? { tellFailures: true } : {}),
  };
}

/** Names of extra fields whose values are probably secrets: they are sent, and recorded nowhere. */
export function secretFields(extraBody: string): string[] {
  const body = bodyOf(extraBody);
  return body && 'fields' in body ? secretNames(body.fields) : [];
}

/** Names of extra fields that the request itself sets, so that they are left out. */
export function ignoredFields(extraBody: string): string[] {
  const body = bodyOf(extraBody);
  if (!body || !('fields' in body)) return [];
  return Object.keys(body.fields).filter(isOwnField);
}

/** A typed number from 0 on, with a point or a comma; nothing for an empty field; NaN for what is none. */
export function numberOf(text: string): number | undefined {
  const typed = text.trim().replace(',', '.');
  if (typed === '') return undefined;
  return /^\d*\.?\d+$|^\d+\.$/.test(typed) ? Number(typed) : NaN;
}

function bodyOf(text: string): { fields: Record<string, unknown> } | OptionProblem | undefined {
  if (text.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'noJson', ...jsonErrorPosition(text) };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { kind: 'noObject' };
  return Object.keys(value).length === 0 ? undefined : { fields: value as Record<string, unknown> };
}
