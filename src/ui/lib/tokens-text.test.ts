import { expect, it } from 'vitest';
import { tokensText } from './tokens-text';

it('counts cached tokens among those that went in, and says how many they are', () => {
  expect(tokensText({ input: 90, output: 20, cacheRead: 10, cacheWrite: 0 })).toBe(
    '100 in (10 cached), 20 out',
  );
  expect(tokensText({ input: 60, output: 20, cacheRead: 0, cacheWrite: 40 })).toBe('100 in, 20 out');
});
