import { isOpenQuery } from '../../json/open-query';
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

const host = /^(?:\[[0-9a-f:]+\]|[\w-]+(?:\.[\w-]+)*)(?::\d+)?(?=[/?]|$)/i;
const isLocal =
  /^(?:localhost|[\w.-]+\.(?:localhost|local|lan|internal)|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|\[)/i;
const pastedPath = /(\/(?:chat\/completions|completions|responses|models))\/*(?=\?|$)/;

/**
 * The base URL that a typed text means: without a scheme it gets one, and what a request adds is taken off (`suffix`). A text
 * that cannot be read so stays as it is.
 */
export function readAddress(typed: string): { baseUrl: string; suffix?: string } {
  const text = typed.trim();
  const [name] = host.exec(text) ?? [];
  // A word alone is no address yet.
  const lacksScheme = name !== undefined && !text.includes('://') && /[.:]|^localhost$/.test(name);
  const scheme = lacksScheme ? `${isLocal.test(name) ? 'http' : 'https'}://` : '';
  const address = `${scheme}${text}`;
  const [, suffix] = pastedPath.exec(address) ?? [];
  const baseUrl = address.replace(pastedPath, '').replace(/\/+(?=\?|$)/, '');
  // Of `https://` no slash is taken off.
  if (originOf(baseUrl) === undefined) return { baseUrl: text };
  return { baseUrl, ...(suffix === undefined ? {} : { suffix }) };
}

/**
 * Why the worker would refuse an address: `endpoint.badAddress {address}`, or `endpoint.credentials` for one that may
 * carry a secret and so must be kept nowhere.
 */
export function addressProblem(baseUrl: string): Problem | undefined {
  const address = readAddress(baseUrl).baseUrl;
  if (originOf(address) === undefined) return { code: 'endpoint.badAddress', params: { address } };
  const { username, password, search, hash } = new URL(address);
  return username || password || hash || !isOpenQuery(search) ? { code: 'endpoint.credentials' } : undefined;
}

/** Whether a text can be sent as a key at all: a header takes no others. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** How an address is named in few words: its host, with the port. */
export function hostOf(baseUrl: string): string {
  return originOf(baseUrl)?.replace(/^https?:\/\//, '') ?? baseUrl;
}

/** Whether an address is only a host: base URLs of model APIs end with a version mostly. */
export function lacksVersion(baseUrl: string): boolean {
  const { pathname, search } = new URL(baseUrl);
  return pathname === '/' && search === '';
}
