import type { Problem } from '../../records/types';

/** The origin of an address, or nothing when it is not one of the web. */
export function originOf(baseUrl: string): string | undefined {
  try {
    const url = new URL(baseUrl);
    return /^https?:$/.test(url.protocol) ? url.origin : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Why the worker would refuse an address: `endpoint.badAddress {address}`, or `endpoint.credentials` for one that may
 * carry a secret and so must be kept nowhere.
 */
export function addressProblem(baseUrl: string): Problem | undefined {
  const address = baseUrl.trim();
  if (originOf(address) === undefined) return { code: 'endpoint.badAddress', params: { address } };
  const { username, password, search, hash } = new URL(address);
  return username || password || search || hash ? { code: 'endpoint.credentials' } : undefined;
}

/** Whether a text can be sent as a key at all: a header takes no others. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** How an address is named in few words: its host, with the port. */
export function hostOf(baseUrl: string): string {
  return originOf(baseUrl)?.replace(/^https?:\/\//, '') ?? baseUrl;
}
