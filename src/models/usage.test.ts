import { expect, it } from 'vitest';
import { endpointModel } from './presets';
import { usageOf } from './usage';

const used = {
  prompt_tokens: 100,
  completion_tokens: 20,
  prompt_tokens_details: { cached_tokens: 10, cache_write_tokens: 5 },
};
const costWith = (prices: { input: number; output: number; cacheRead?: number; cacheWrite?: number }) =>
  usageOf(used, endpointModel({ baseUrl: 'http://model.test/v1', model: 'm', prices }).cost)?.cost.total;

it('charges tokens of the cache as input, unless they have a price of their own', () => {
  expect(costWith({ input: 3, output: 15 })).toBeCloseTo((100 * 3 + 20 * 15) / 1_000_000, 12);
  expect(costWith({ input: 3, output: 15, cacheRead: 0.3, cacheWrite: 4 })).toBeCloseTo(
    (85 * 3 + 10 * 0.3 + 5 * 4 + 20 * 15) / 1_000_000,
    12,
  );
  expect(costWith({ input: 3, output: 15, cacheRead: 0, cacheWrite: 0 })).toBeCloseTo(
    (85 * 3 + 20 * 15) / 1_000_000,
    12,
  );
});
