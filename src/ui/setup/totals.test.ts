import { expect, it } from 'vitest';
import { columnsOf } from './totals';

const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 };
const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };

it('shows cache, thinking and cost only when there was any', () => {
  expect(columnsOf({ ...none, cost: free })).toEqual(['requests', 'input', 'output']);
  expect(
    columnsOf({ ...none, cacheRead: 1, cacheWrite: 1, reasoning: 1, cost: { ...free, total: 0.1 } }),
  ).toEqual(['requests', 'input', 'cacheRead', 'cacheWrite', 'output', 'reasoning', 'cost']);
});
