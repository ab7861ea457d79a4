import { isRecord, parseJson, pickArguments, textArgument } from './arguments';

/** A request as it will be sent. `isSample`: it only reads one of the page's own sample files. */
export interface HttpRequest {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body?: string;
  isSample: boolean;
}

/** What the person is asked for: requests to an origin that read, or ones that may send something there. */
export interface FetchPermission {
  origin: string;
  kind: 'read' | 'send';
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const READING = ['GET', 'HEAD', 'OPTIONS'];

export const prepareFetchArguments = (raw: unknown) =>
  pickArguments(raw, { url: ['uri', 'href'], method: [], headers: [], body: ['data'] });

/**
 * The permission that a call of `fetch` needs; `undefined` when it needs none: it reads a sample, or is refused before
 * anything is sent. Judge the arguments that run, after every hook that may change them. `samplesUrl` ends with a slash.
 */
export function needsPermission(args: unknown, samplesUrl?: string): FetchPermission | undefined {
  try {
    const { url, method, body, isSample } = requestFrom(prepareFetchArguments(args), samplesUrl);
    if (isSample) return undefined;
    return { origin: url.origin, kind: READING.includes(method) && body === undefined ? 'read' : 'send' };
  } catch {
    return undefined; // the tool refuses them with the same error, and says it
  }
}

/** Throws, for the model, what is wrong with the arguments. Relative URLs start where the folder of the samples is. */
export function requestFrom(args: Record<string, unknown>, samplesUrl?: string): HttpRequest {
  const url = urlFrom(textArgument(args, 'url').trim(), samplesUrl);
  const method = args['method'] === undefined ? 'GET' : textArgument(args, 'method').toUpperCase();
  if (!METHODS.includes(method)) throw new Error(`method must be one of ${METHODS.join(', ')}.`);
  const headers = headersFrom(args['headers']);
  const body = bodyFrom(args['body'], headers);
  if (body !== undefined && (method === 'GET' || method === 'HEAD'))
    throw new Error(`A ${method} request has no body: use another method, or put it into the URL.`);
  const isSample =
    samplesUrl !== undefined && url.href.startsWith(samplesUrl) && (method === 'GET' || method === 'HEAD');
  return { url, method, headers, isSample, ...(body !== undefined && { body }) };
}

function urlFrom(text: string, samplesUrl: string | undefined): URL {
  const base = samplesUrl === undefined ? undefined : new URL('..', samplesUrl);
  if (!URL.canParse(text, base))
    throw new Error(`${JSON.stringify(text)} is no URL: give all of it, from https:// on.`);
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Error(`Only http and https can be fetched, not ${url.protocol}`);
  if (url.username !== '' || url.password !== '')
    throw new Error('The URL must not hold a user name or a password.');
  url.hash = '';
  return url;
}

function headersFrom(given: unknown): Record<string, string> {
  const headers = typeof given === 'string' ? parseJson(given) : (given ?? {});
  if (!isRecord(headers)) throw new Error('headers must be an object of strings.');
  const entries = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  try {
    new Headers(Object.fromEntries(entries));
  } catch (error) {
    throw new Error('headers holds a name or a value that no header can have.', { cause: error });
  }
  return Object.fromEntries(entries);
}

/** What is no text is sent as JSON. */
function bodyFrom(given: unknown, headers: Record<string, string>): string | undefined {
  if (given === undefined || typeof given === 'string') return given;
  if (!new Headers(headers).has('content-type')) headers['content-type'] = 'application/json';
  return JSON.stringify(given);
}
