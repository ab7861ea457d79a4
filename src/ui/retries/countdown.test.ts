import { describe, expect, it } from 'vitest';
import { countdown, waitText } from './countdown';

describe('the countdown', () => {
  it('counts whole seconds, and says none before the wait is over', () => {
    expect([3000, 2999, 2001, 1, 0].map(countdown)).toEqual(['3 s', '3 s', '3 s', '1 s', '0 s']);
  });

  it('says long waits in minutes', () => {
    expect(countdown(125_000)).toBe('2 min 05 s');
  });

  it('says which status was answered, when again, and which attempt that is', () => {
    const wait = { run: 'r', attempt: 2, waitMs: 12_000, leftMs: 11_200 };
    expect(waitText({ ...wait, status: 429 })).toBe('HTTP 429 · asks again in 12 s · attempt 2');
    expect(waitText(wait)).toBe('asks again in 12 s · attempt 2');
  });
});
