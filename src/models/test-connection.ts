import { normalizeContext, type Model, type StreamOptions } from '../loop';
import { ModelError, type ModelErrorCode } from './errors';
import { listModels } from './list-models';
import { openaiChat } from './openai-chat';
import { openaiResponses } from './openai-responses';

const TIMEOUT_MS = 30_000;
/** The least that both APIs take. */
const MAX_TOKENS = 16;

/** What a test found; without a `problem` the model answered. `durationMs`: of the whole test. */
export interface ConnectionTestResult {
  problem?: { code: string; params: Record<string, string | number> };
  models: string[];
  durationMs: number;
}

type Asking = Pick<StreamOptions, 'apiKey' | 'fetch' | 'signal'>;

/** Failures of the list after which a request would say nothing else. */
const FINAL: readonly ModelErrorCode[] = [
  'model.aborted',
  'model.badBaseUrl',
  'model.badKey',
  'model.connection',
  'model.cors',
  'model.idle',
  'model.localNetwork',
  'model.missingKey',
  'model.mixedContent',
  'model.offline',
  'model.unauthorized',
];

/**
 * Asks for the list of models, where there is one, and then the model for a few tokens, as a session would. Never rejects:
 * the first thing that is wrong is the `problem`, and `model.aborted` when `signal` ended it.
 */
export async function testConnection(
  model: Model,
  options: Asking & { timeoutMs?: number } = {},
): Promise<ConnectionTestResult> {
  const startedAt = performance.now();
  const { timeoutMs = TIMEOUT_MS, ...request } = options;
  const { models, error } = await list(model.baseUrl, { ...request, timeoutMs });
  const isFinal = error !== undefined && FINAL.includes(error.code);
  const failure = isFinal
    ? { code: error.code, params: error.params }
    : await ask(model, { ...request, idleTimeoutMs: timeoutMs });
  const problem = failure && inViewOf(failure, model, error ? undefined : models);
  return {
    ...(problem ? { problem } : {}),
    models,
    durationMs: Math.round(performance.now() - startedAt),
  };
}

async function list(
  baseUrl: string,
  options: Asking & { timeoutMs: number },
): Promise<{ models: string[]; error?: ModelError }> {
  try {
    return { models: await listModels(baseUrl, options) };
  } catch (error) {
    if (error instanceof ModelError) return { models: [], error };
    throw error;
  }
}

async function ask(model: Model, options: StreamOptions): Promise<ConnectionTestResult['problem']> {
  const context = normalizeContext({
    messages: [{ role: 'user', content: 'Say OK.', timestamp: 0 }],
  });
  const stream = model.api === 'openai-responses' ? openaiResponses : openaiChat;
  const message = await stream(model, context, { ...options, maxTokens: MAX_TOKENS, maxRetries: 0 }).result();
  if (message.stopReason !== 'error' && message.stopReason !== 'aborted') return undefined;
  const {
    errorCode = 'model.unexpected',
    errorMessage = '',
    errorParams = { detail: errorMessage },
  } = message;
  return { code: errorCode, params: errorParams };
}

/** What a failure means once it is known which models are listed: `undefined` when there was no list. */
function inViewOf(
  failure: NonNullable<ConnectionTestResult['problem']>,
  model: Model,
  models: readonly string[] | undefined,
): NonNullable<ConnectionTestResult['problem']> {
  if (!models) return failure;
  if (isUnlisted(failure.code, model, models)) return notListed(model, failure);
  // The list was there: the address is right, and only what the server says is wrong.
  const isRefusal = failure.code === ('model.notThere' satisfies ModelErrorCode);
  return isRefusal ? { ...failure, code: 'model.badRequest' satisfies ModelErrorCode } : failure;
}

/** Servers answer in many ways when they do not know a model; some know names that they do not list. */
function isUnlisted(code: string, { id }: Model, models: readonly string[]): boolean {
  const mayMean: readonly ModelErrorCode[] = [
    'model.badRequest',
    'model.notAModelServer',
    'model.notThere',
    'model.server',
  ];
  return models.length > 0 && !models.includes(id) && mayMean.some((one) => one === code);
}

function notListed(
  { id, baseUrl }: Model,
  { params }: NonNullable<ConnectionTestResult['problem']>,
): NonNullable<ConnectionTestResult['problem']> {
  return {
    code: 'model.notFound' satisfies ModelErrorCode,
    params: { model: id, baseUrl, detail: params.detail ?? '' },
  };
}
