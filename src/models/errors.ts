import { brief } from './error-detail';

/** What a model request failed of. Each code has a sentence in the catalogue of texts. */
export type ModelErrorCode =
  | 'model.aborted'
  | 'model.badBaseUrl'
  | 'model.badKey'
  | 'model.missingKey'
  | 'model.unauthorized'
  | 'model.notFound'
  | 'model.notAModelServer'
  | 'model.notThere'
  | 'model.noModelList'
  | 'model.badRequest'
  | 'model.quota'
  | 'model.rateLimited'
  /** `count` minutes, hours or days. */
  | 'model.waitsMinutes'
  | 'model.waitsHours'
  | 'model.waitsDays'
  | 'model.server'
  | 'model.connection'
  | 'model.offline'
  | 'model.cors'
  | 'model.localNetwork'
  | 'model.mixedContent'
  | 'model.idle'
  | 'model.cut'
  | 'model.inStream'
  | 'model.badChunk'
  | 'model.refused'
  | 'model.unexpected';

/** A failure of a model request. Its message is the readable English `errorMessage` of the final message. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  /** Another attempt may succeed. */
  readonly retryable: boolean;
  /** ms that the server asks to wait. */
  readonly retryAfterMs: number | undefined;
  /** What its sentence names; a long `detail` is cut there, and whole in the message. */
  readonly params: Record<string, string | number>;

  constructor(
    readonly code: ModelErrorCode,
    message: string,
    params: Record<string, string | number> = {},
    retry: { retryable?: boolean; retryAfterMs?: number | undefined } = {},
  ) {
    super(message);
    const { detail } = params;
    this.params = typeof detail === 'string' ? { ...params, detail: brief(detail) } : params;
    this.retryable = retry.retryable ?? false;
    this.retryAfterMs = retry.retryAfterMs;
  }
}

export function abortedError(): ModelError {
  return new ModelError('model.aborted', 'Request was aborted');
}

/** Anything that was thrown, as a model error. */
export function asModelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  const text = error instanceof Error ? error.message || error.name : String(error);
  return new ModelError('model.unexpected', text || 'Unknown error', { detail: text });
}

/** The text without the key, for servers that echo what they got. */
export function withoutKey(text: string, apiKey: string | undefined): string {
  return apiKey && apiKey.length >= 4 ? text.replaceAll(apiKey, '***') : text;
}
