import { fieldsOf } from './chat-chunk';
import { errorDetail, looksLikeHtml } from './error-detail';
import { ModelError, type ModelErrorCode } from './errors';
import { parseJson } from './stream-errors';

const RETRYABLE = new Set([408, 409, 429]);
// These come as 429 too, but waiting does not help.
const NO_CREDIT =
  /insufficient[_ ](?:quota|funds|balance|credits?)|(?<!\/)billing|(?:exceeded your current|monthly) quota|quota[_ ]exceeded|out of (?:budget|credits?)|(?:available|credit) balance|usage ?limit(?: ?error| reached)|payment required/i;
// Both are dates of HTTP or of JSON; anything else that JavaScript takes for a date ("-5", "later 5") is none.
const DATE = /^[A-Za-z]{3,9},? .*\d\d:\d\d|^\d{4}-\d\d-\d\dT/;

/** What the failed answer of a model server means. */
export function httpError(
  status: number,
  headers: Headers,
  body: string,
  request: { model: string; baseUrl: string; hasKey: boolean },
): ModelError {
  const detail = errorDetail(body).replace(` (${status})`, '');
  const code = codeOf(status, body, detail, request.hasKey);
  const message = [String(status), detail, hint(code)].filter(Boolean).join(' ');
  const params = {
    status,
    detail: detail || `HTTP ${status}`,
    model: request.model,
    baseUrl: request.baseUrl,
  };
  return new ModelError(code, message, params, {
    retryable: isRetryable(status, code, headers),
    retryAfterMs: retryAfter(headers),
  });
}

function codeOf(status: number, body: string, detail: string, hasKey: boolean): ModelErrorCode {
  if (status === 402 || (status === 429 && NO_CREDIT.test(`${detail} ${body.slice(0, 2000)}`)))
    return 'model.quota';
  if (status === 401 || status === 403) return hasKey ? 'model.unauthorized' : 'model.missingKey';
  if (status === 429) return 'model.rateLimited';
  if (status === 404) return codeOf404(body, detail);
  if (status === 405 || (status < 500 && looksLikeHtml(body))) return 'model.notAModelServer';
  if (status >= 500 || RETRYABLE.has(status)) return 'model.server';
  return 'model.badRequest';
}

/** A model API that knows its place says in its own shape that something else is missing. */
function codeOf404(body: string, detail: string): ModelErrorCode {
  if (looksLikeHtml(body)) return 'model.notAModelServer';
  if (/model/i.test(detail)) return 'model.notFound';
  return fieldsOf(parseJson(body))?.error ? 'model.notThere' : 'model.notAModelServer';
}

function hint(code: ModelErrorCode): string {
  if (code === 'model.missingKey') return '(no API key was sent)';
  if (code === 'model.notAModelServer')
    return '(is this the base URL of a model API? It often ends with /v1)';
  return '';
}

function isRetryable(status: number, code: ModelErrorCode, headers: Headers): boolean {
  if (code === 'model.quota') return false;
  const said = headers.get('x-should-retry');
  if (said === 'true' || said === 'false') return said === 'true';
  return status >= 500 || RETRYABLE.has(status);
}

/** ms from `retry-after-ms` or `retry-after` (seconds or a date to come); nothing when it says nothing sensible. */
function retryAfter(headers: Headers): number | undefined {
  const exact = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (Number.isFinite(exact) && exact >= 0) return exact;
  const text = headers.get('retry-after')?.trim();
  if (!text) return undefined;
  if (/^\d+(?:\.\d*)?$/.test(text)) return Number(text) * 1000;
  const ms = DATE.test(text) ? Date.parse(text) - Date.now() : Number.NaN;
  return ms > 0 ? ms : undefined;
}
