/** The person's endpoints: their keys, and what models they offer. */
import { listModels, ModelError } from '../models';
import { withoutKey } from '../models/errors';
import { problem } from '../store';
import { originOf } from './plan';
import type { Keys } from './session-model';

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

  /** The ids of the models behind an address. Rejects with the problems of a ModelError, the key taken out of them. */
  async listModels(baseUrl: string): Promise<string[]> {
    const apiKey = this.#keys.get(originOf(baseUrl) ?? '');
    try {
      return await listModels(baseUrl, apiKey ? { apiKey } : {});
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      const params = Object.entries(error.params).map(([name, value]) => [
        name,
        typeof value === 'string' ? withoutKey(value, apiKey) : value,
      ]);
      throw problem(error.code, Object.fromEntries(params) as ModelError['params'], error);
    }
  }
}
