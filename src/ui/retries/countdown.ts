import { m } from '../../i18n';
import type { RetryWait } from '../../trace/retries';
import { duration, number } from '../lib/format';

/** What is left of a wait, in whole seconds: at 1 ms it still says 1 s. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return seconds < 100 ? m.unit_seconds({ value: number(seconds) }) : duration(seconds * 1000);
}

/** "HTTP 429 · asks again in 12 s · attempt 2"; without a status when no server answered. */
export function waitText({ status, leftMs, attempt }: RetryWait): string {
  const texts = [
    ...(status === undefined ? [] : [m.http_status({ status })]),
    m.retry_in({ duration: countdown(leftMs) }),
    m.retry_attempt({ attempt }),
  ];
  return texts.join(' · ');
}
