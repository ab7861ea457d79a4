import { detailOfError, errorDetail } from './error-detail';
import { ModelError } from './errors';

/** The JSON value of a text; nothing when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The caller decides what a text that is no JSON means here.
    return undefined;
  }
}

/** The server said inside a good response that something failed. */
export function inStream(detail: string): ModelError {
  return new ModelError('model.inStream', `The model server reported an error in its answer: ${detail}`, {
    detail,
  });
}

/** The answer ended with a reason that is no end. */
export function finishedBadly(finish: string, native: string | undefined): ModelError {
  const reason = native && native !== finish ? `${finish} (${native})` : finish;
  const filtered = /filter|safety|sensitive|recitation|prohibited/i.test(finish);
  return filtered
    ? new ModelError('model.refused', `The provider stopped the answer: ${reason}`, { reason })
    : new ModelError('model.inStream', `The answer ended with an error: ${reason}`, { detail: reason });
}

/** The answer ended before it was complete. */
export function cut(message: string): ModelError {
  return new ModelError('model.cut', message);
}

export function brokenStream(error: unknown): ModelError {
  const detail = detailOfError(error instanceof Error ? error.message : error);
  return new ModelError('model.cut', `The connection broke before the answer was complete: ${detail}`, {
    detail,
  });
}

export function notAModelServer(baseUrl: string, detail: string): ModelError {
  const message = `${baseUrl} did not answer like a model API${detail ? `: ${detail}` : ''}. A base URL often ends with /v1`;
  return new ModelError('model.notAModelServer', message, { baseUrl, detail });
}

/** Nothing is where the list of models should be: the address is wrong, or the server has none. */
export function noModelList(baseUrl: string, detail: string): ModelError {
  const message = `There is no model list at ${baseUrl}/models${detail ? `: ${detail}` : ''}`;
  return new ModelError('model.noModelList', message, { baseUrl, detail });
}

/** A piece of the answer that is not what the API sends, such as broken JSON. */
export function badChunk(text: string): ModelError {
  const detail = errorDetail(text);
  const message = `The model server sent a chunk that is not valid JSON: ${detail}`;
  return new ModelError('model.badChunk', message, { detail });
}
