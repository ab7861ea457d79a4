import { normalizeContext, type Model, type StreamOptions, type ToolDeclaration } from '../loop';
import { ModelError, type ModelErrorCode } from './errors';
import { findModels } from './list-models';
import { openaiChat } from './openai-chat';
import { openaiResponses } from './openai-responses';

const TIMEOUT_MS = 30_000;
/** The least that both APIs take. */
const MAX_TOKENS = 16;

/** Models that cannot be given tools refuse a request that offers one, and a run offers some. */
const TOOL: ToolDeclaration = {
  name: 'clock',
  description: 'Tells the time. Nobody needs it now.',
  parameters: { type: 'object', properties: {} },
};

/**
 * What a test found; without a `problem` the model answered, or without a model: there is a list. `baseUrl`: where, when that
 * is not the address as it was given. `durationMs`: of the whole test.
 */
export interface ConnectionTestResult {
  problem?: { code: string; params: Record<string, string | number> };
  models: string[];
  baseUrl?: string;
  durationMs: number;
}

type Asking = Pick<StreamOptions, 'apiKey' | 'fetch' | 'signal'>;
/** What a run would ask for. */
type Asked = Pick<StreamOptions, 'reasoning' | 'temperature' | 'maxTokens' | 'extraBody'>;

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
 * Asks for the list of models, where there is one, and then the model for a few words, with the options and a tool as a run
 * would; of a model without an id only the list. Never rejects: the first thing that is wrong is the `problem`, and
 * `model.aborted` when `signal` ended it.
 */
export async function testConnection(
  model: Model,
  options: Asking & Asked & { timeoutMs?: number } = {},
): Promise<ConnectionTestResult> {
  const startedAt = performance.now();
  const { timeoutMs = TIMEOUT_MS, ...request } = options;
  const { models, error, baseUrl } = await list(model.baseUrl, { ...request, timeoutMs });
  const isFinal = error !== undefined && (model.id === '' || FINAL.includes(error.code));
  const failure = isFinal
    ? { code: error.code, params: error.params }
    : model.id === ''
      ? undefined
      : await ask({ ...model, baseUrl }, { ...request, idleTimeoutMs: timeoutMs });
  const problem = failure && inViewOf(failure, model, error ? undefined : models);
  return {
    ...(problem ? { problem } : {}),
    ...(baseUrl === model.baseUrl ? {} : { baseUrl }),
    models,
    durationMs: Math.round(performance.now() - startedAt),
  };
}

async function list(
  baseUrl: string,
  options: Asking & { timeoutMs: number },
): Promise<{ models: string[]; baseUrl: string; error?: ModelError }> {
  try {
    return await findModels(baseUrl, options);
  } catch (error) {
    if (error instanceof ModelError) return { models: [], baseUrl, error };
    throw error;
  }
}

async function ask(model: Model, options: StreamOptions): Promise<ConnectionTestResult['problem']> {
  const context = normalizeContext({
    messages: [{ role: 'user', content: 'Say OK.', timestamp: 0 }],
    tools: [TOOL],
  });
  const stream = model.api === 'openai-responses' ? openaiResponses : openaiChat;
  // Who thinks needs more than a few tokens, and a limit that was typed is what the run will ask for.
  const thinks = (options.reasoning ?? 'off') !== 'off';
  const limit = thinks ? {} : { maxTokens: MAX_TOKENS };
  const message = await stream(model, context, { ...limit, ...options, maxRetries: 0 }).result();
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
