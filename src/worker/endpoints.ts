/** The person's endpoints: their keys, what models they offer, and whether they answer. */
import { endpointModel, findModels, ModelError, testConnection } from '../models';
import { withoutKey } from '../models/errors';
import type { Command, ConnectionTest, Endpoint, FoundModels } from '../protocol';
import type { Problem } from '../records/types';
import { problem, ProblemError } from '../store';
import { checkedEndpoint, originOf } from './plan';
import type { Keys } from './session-model';

type Tested = Pick<Extract<Command, { type: 'testConnection' }>, 'endpoint' | 'thinkingLevel' | 'options'>;

export class Endpoints {
  readonly #keys = new Map<string, string>();

  get keys(): Keys {
    return this.#keys;
  }

  /** Keeps a key for an exact origin in memory, or forgets it. Throws `endpoint.badAddress {address}`. */
  setKey(origin: string, key: string | undefined): void {
    const exact = originOf(origin);
    if (exact === undefined) throw problem('endpoint.badAddress', { address: origin });
    if (key) this.#keys.set(exact, key);
    else this.#keys.delete(exact);
  }

  /** What models are behind an address. Rejects with the problems of a ModelError, the key taken out of them. */
  async listModels(baseUrl: string, signal: AbortSignal): Promise<FoundModels> {
    const apiKey = this.#keyFor(baseUrl);
    try {
      return await findModels(baseUrl, { signal, ...(apiKey ? { apiKey } : {}) });
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      throw problem(error.code, paramsWithoutKey(error.params, apiKey), error);
    }
  }

  /** Never rejects for what is wrong with the endpoint. */
  async test(
    { endpoint, thinkingLevel = 'off', options = {} }: Tested,
    signal: AbortSignal,
  ): Promise<ConnectionTest> {
    let checked: Endpoint;
    try {
      // Without a model, all but the answer can be tested.
      const model = endpoint.model.trim();
      checked = { ...checkedEndpoint({ ...endpoint, model: model || 'none' }), model };
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      return { problem: error.problem, models: [], durationMs: 0 };
    }
    const apiKey = this.#keyFor(checked.baseUrl);
    const { problem: found, ...rest } = await testConnection(endpointModel(checked), {
      ...options,
      reasoning: thinkingLevel,
      signal,
      ...(apiKey ? { apiKey } : {}),
    });
    return {
      ...rest,
      ...(found ? { problem: { code: found.code, params: paramsWithoutKey(found.params, apiKey) } } : {}),
    };
  }

  #keyFor(address: string): string | undefined {
    return this.#keys.get(originOf(address) ?? '');
  }
}

function paramsWithoutKey(
  params: NonNullable<Problem['params']>,
  apiKey: string | undefined,
): NonNullable<Problem['params']> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? withoutKey(value, apiKey) : value,
    ]),
  );
}
