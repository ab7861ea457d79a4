import type { Model, Usage } from '../loop';

type Fields = Record<string, unknown>;

export function emptyUsage(): Usage {
  return {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 0,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  };
}

/**
 * Usage as servers count it, in our terms: `input` is without what came from or went to the cache, `output` includes
 * reasoning. Takes the field names of both APIs; nothing when the value says nothing.
 */
export function usageOf(raw: unknown, cost: Model['cost'] | undefined): Usage | undefined {
  const fields = asFields(raw);
  if (!fields) return undefined;
  const inputDetails = asFields(fields.prompt_tokens_details) ?? asFields(fields.input_tokens_details) ?? {};
  const outputDetails =
    asFields(fields.completion_tokens_details) ?? asFields(fields.output_tokens_details) ?? {};
  const prompt = count(fields.prompt_tokens, fields.input_tokens);
  const completion = count(fields.completion_tokens, fields.output_tokens);
  const reasoning = count(outputDetails.reasoning_tokens, fields.reasoning_tokens);
  const cacheRead = count(
    inputDetails.cached_tokens,
    fields.prompt_cache_hit_tokens,
    fields.cached_tokens,
    fields.cache_read_input_tokens,
  );
  const cacheWrite = count(
    inputDetails.cache_write_tokens,
    inputDetails.cache_creation_tokens,
    fields.cache_creation_input_tokens,
  );
  const input = Math.max(0, prompt - cacheRead - cacheWrite);
  // Some servers leave reasoning out of the completion and add it only to the total.
  const apart = reasoning > 0 && count(fields.total_tokens) === prompt + completion + reasoning;
  const output = apart ? completion + reasoning : completion;
  const totalTokens = input + output + cacheRead + cacheWrite;
  if (totalTokens === 0) return undefined;
  const usage = {
    input,
    output,
    cacheRead,
    cacheWrite,
    totalTokens,
    ...(reasoning > 0 ? { reasoning } : {}),
  };
  return { ...usage, cost: costOf(usage, cost) };
}

function costOf(usage: Omit<Usage, 'cost'>, perMillion: Model['cost'] | undefined): Usage['cost'] {
  const price = (tokens: number, price: number | undefined): number => (tokens * (price ?? 0)) / 1_000_000;
  const input = price(usage.input, perMillion?.input);
  const output = price(usage.output, perMillion?.output);
  const cacheRead = price(usage.cacheRead, perMillion?.cacheRead);
  const cacheWrite = price(usage.cacheWrite, perMillion?.cacheWrite);
  return { input, output, cacheRead, cacheWrite, total: input + output + cacheRead + cacheWrite };
}

/** The first of the values that counts something. */
function count(...values: unknown[]): number {
  for (const value of values) {
    const number = typeof value === 'string' ? Number(value) : value;
    if (typeof number === 'number' && Number.isFinite(number) && number > 0) return number;
  }
  return 0;
}

function asFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}
