/** Tokens of a request, a run or a session in words. */
import { m } from '../../i18n';
import type { Trace } from '../../trace';
import { count } from './format';

type Usage = Pick<Trace['usage'], 'input' | 'output' | 'cacheRead' | 'cacheWrite'>;

/** All that was sent, as providers count it: what came from the cache or went into it was sent too. */
export function tokensIn({ input, cacheRead, cacheWrite }: Usage): number {
  return input + cacheRead + cacheWrite;
}

/** "100 in (10 cached), 20 out". */
export function tokensText(usage: Usage): string {
  const texts = { input: count(tokensIn(usage)), output: count(usage.output) };
  return usage.cacheRead > 0
    ? m.tokens_in_cached_out({ ...texts, cached: count(usage.cacheRead) })
    : m.tokens_in_out(texts);
}
