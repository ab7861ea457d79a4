import { connectionError } from './connection';
import { ModelError, type ModelErrorCode } from './errors';
import { endpointUrl } from './endpoint-url';
import { fieldsOf, textOf } from './chat-chunk';
import { errorDetail } from './error-detail';
import { checkedBaseUrl, endpointHeaders, startOf } from './http';
import { httpError } from './http-error';
import { noModelList, notAModelServer, parseJson } from './stream-errors';
import { Watch } from './watch';

const TIMEOUT_MS = 20_000;
/** Something answers, and the list is not there. */
const ELSEWHERE: readonly ModelErrorCode[] = ['model.noModelList', 'model.notAModelServer', 'model.notThere'];

export interface ListModelsOptions {
  apiKey?: string;
  fetch?: typeof fetch;
  signal?: AbortSignal;
  timeoutMs?: number;
}

/**
 * The ids of the models that an endpoint offers, sorted. Rejects with a `ModelError` that says what is wrong with the
 * endpoint: refused, CORS, key, no list there, not a model server.
 */
export async function listModels(baseUrl: string, options: ListModelsOptions = {}): Promise<string[]> {
  const base = checkedBaseUrl(baseUrl);
  const watch = new Watch({ idleTimeoutMs: TIMEOUT_MS, ...watchOptions(options) });
  try {
    const response = await requestModels(base, options, watch);
    const body = await watch.race(response.ok ? response.text() : startOf(response));
    if (response.status === 404) throw noModelList(base, errorDetail(body));
    if (!response.ok) {
      throw httpError(response.status, response.headers, body, {
        model: '',
        baseUrl: base,
        hasKey: Boolean(options.apiKey),
      });
    }
    return modelIds(body, base);
  } finally {
    watch.dispose();
  }
}

/** Models, and the base URL that they were found at. */
export interface FoundModels {
  baseUrl: string;
  models: string[];
}

/**
 * As `listModels`; where there is no list and the address names no version, under `/v1` too, which people leave out. Rejects
 * with what is wrong with the address as it was given.
 */
export async function findModels(baseUrl: string, options: ListModelsOptions = {}): Promise<FoundModels> {
  const base = checkedBaseUrl(baseUrl);
  try {
    return { baseUrl: base, models: await listModels(base, options) };
  } catch (error) {
    const isElsewhere = error instanceof ModelError && ELSEWHERE.includes(error.code);
    if (!isElsewhere || /\/v\d/.test(new URL(base).pathname)) throw error;
    const below = endpointUrl(base, '/v1');
    const models = await listModels(below, options).catch(() => undefined);
    if (!models || options.signal?.aborted) throw error;
    return { baseUrl: below, models };
  }
}

function watchOptions({ signal, timeoutMs }: ListModelsOptions): {
  signal?: AbortSignal;
  idleTimeoutMs?: number;
} {
  return { ...(signal ? { signal } : {}), ...(timeoutMs === undefined ? {} : { idleTimeoutMs: timeoutMs }) };
}

async function requestModels(base: string, options: ListModelsOptions, watch: Watch): Promise<Response> {
  const headers = { Accept: 'application/json', ...endpointHeaders(base, options.apiKey) };
  try {
    return await watch.race(
      (options.fetch ?? fetch)(endpointUrl(base, '/models'), { headers, signal: watch.signal }),
    );
  } catch (error) {
    if (error instanceof ModelError) throw error;
    throw await connectionError(error, base, watch, options.fetch === undefined);
  }
}

/** `{data: [{id}]}` of the API; a bare list, or `models` with names, of servers that do it their own way. */
function modelIds(body: string, baseUrl: string): string[] {
  const json = parseJson(body);
  const fields = fieldsOf(json);
  const list = [fields?.data, fields?.models, json].find((value): value is unknown[] => Array.isArray(value));
  if (!list) throw notAModelServer(baseUrl, errorDetail(body));
  const ids = list.map(
    (entry) => textOf(entry) ?? textOf(fieldsOf(entry)?.id) ?? textOf(fieldsOf(entry)?.name),
  );
  return [...new Set(ids.filter((id) => id !== undefined))].sort((a, b) => a.localeCompare(b, 'en'));
}
