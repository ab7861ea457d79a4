import type { HttpAttempt } from '../loop';
import { asModelError, ModelError } from './errors';
import type { ModelErrorCode } from './errors';
import type { Watch } from './watch';

const MAX_RETRIES = 2;
const MAX_RETRY_DELAY_MS = 60_000;
const FIRST_DELAY_MS = 500;
const MAX_BACKOFF_MS = 8000;

export interface RetryOptions {
  maxRetries?: number;
  maxRetryDelayMs?: number;
  onHttp?: (attempt: HttpAttempt) => void;
}

/**
 * Sends until an attempt gives a good response or fails for good, and reports each attempt when it has ended. A server
 * that asks to wait longer than `maxRetryDelayMs` is not asked again: the error says how long.
 */
export async function withRetries(
  send: () => Promise<Response>,
  watch: Watch,
  options: RetryOptions,
): Promise<Response> {
  const { maxRetries = MAX_RETRIES, maxRetryDelayMs = MAX_RETRY_DELAY_MS, onHttp } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await send();
      onHttp?.({ attempt, status: response.status });
      return response;
    } catch (thrown) {
      const error = asModelError(thrown);
      const asked = error.retryAfterMs;
      const again = error.retryable && attempt <= maxRetries && !watch.signal.aborted;
      const waitMs = again ? Math.min(asked ?? backoff(attempt), asked ?? maxRetryDelayMs) : undefined;
      const tooLong = waitMs !== undefined && asked !== undefined && asked > maxRetryDelayMs;
      report(onHttp, attempt, error, tooLong ? undefined : waitMs);
      if (tooLong) throw tooLongToWait(error, asked);
      if (waitMs === undefined) throw error;
      await watch.sleep(waitMs);
    }
  }
}

function backoff(attempt: number): number {
  const jitter = 1 - Math.random() * 0.25;
  return Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), MAX_BACKOFF_MS) * jitter;
}

function report(
  onHttp: RetryOptions['onHttp'],
  attempt: number,
  error: ModelError,
  waitMs: number | undefined,
): void {
  const { status } = error.params;
  onHttp?.({
    attempt,
    ...(typeof status === 'number' ? { status } : {}),
    ...(waitMs === undefined ? {} : { waitMs: Math.round(waitMs) }),
    error: error.message,
  });
}

function tooLongToWait(error: ModelError, waitMs: number): ModelError {
  const { unit, code, count } = inWords(waitMs / 60_000);
  const message = `${error.message} (the server asks to wait ${count} ${unit})`;
  return new ModelError(code, message, { ...error.params, count });
}

function inWords(minutes: number): { unit: string; code: ModelErrorCode; count: number } {
  const tenths = (value: number) => Math.round(value * 10) / 10;
  if (minutes >= 2880) return { unit: 'days', code: 'model.waitsDays', count: tenths(minutes / 1440) };
  if (minutes >= 120) return { unit: 'hours', code: 'model.waitsHours', count: tenths(minutes / 60) };
  return { unit: 'minutes', code: 'model.waitsMinutes', count: tenths(minutes) };
}
