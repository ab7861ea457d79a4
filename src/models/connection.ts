import { endpointUrl } from './endpoint-url';
import { ModelError } from './errors';
import type { Watch } from './watch';

const PROBE_MS = 3000;
const LOCAL_HOST =
  /^(?:localhost|.*\.localhost|.*\.local|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|\[::1\]|\[f[cd])/i;

/** Why a request got no response at all. In a browser a refusal by CORS looks like a dead port: a probe tells them apart. */
export async function connectionError(
  cause: unknown,
  baseUrl: string,
  watch: Watch,
  mayProbe: boolean,
): Promise<ModelError> {
  const detail = causeText(cause);
  if (isOffline()) {
    const message = `The browser is offline, and ${baseUrl} could not be reached`;
    return new ModelError('model.offline', message, { baseUrl, detail }, { retryable: true });
  }
  const origin = pageOrigin();
  if (origin === undefined || !mayProbe || watch.aborted) {
    const hint = isOpaque(detail) ? `. ${CORS_HINT}` : '';
    return unreachable(baseUrl, detail, hint);
  }
  const target = new URL(baseUrl);
  const isLocal = LOCAL_HOST.test(target.hostname);
  if (origin.startsWith('https:') && target.protocol === 'http:' && !isLoopback(target.hostname)) {
    const message = `A page from https may not talk to ${baseUrl}: use an https address, or a server on localhost`;
    return new ModelError('model.mixedContent', message, { baseUrl, origin });
  }
  if (await answersWithoutCors(baseUrl, watch)) {
    const message =
      `${baseUrl} answers, but does not allow this page (${origin}) to read the answer. ` +
      `Allow this origin in the server's CORS settings (Ollama: OLLAMA_ORIGINS=${origin})`;
    return new ModelError('model.cors', message, { baseUrl, origin });
  }
  if (isLocal && !LOCAL_HOST.test(new URL(origin).hostname)) {
    const message =
      `${baseUrl} could not be reached. Is the server running? A page from the web also needs the browser's permission ` +
      'to reach the local network';
    return new ModelError('model.localNetwork', message, { baseUrl, origin }, { retryable: true });
  }
  return unreachable(baseUrl, detail);
}

const CORS_HINT =
  'The server may not be running, or it does not allow this page to read its answers (CORS): ' +
  'then allow the page in its settings (Ollama: OLLAMA_ORIGINS)';

/** What browsers say of any failure, a refusal by CORS among them. */
function isOpaque(detail: string): boolean {
  return /^(?:failed to fetch|load failed|networkerror when attempting)/i.test(detail);
}

function unreachable(baseUrl: string, detail: string, hint = ''): ModelError {
  const message = `Connection error: ${baseUrl} could not be reached${detail ? ` (${detail})` : ''}${hint}`;
  return new ModelError('model.connection', message, { baseUrl, detail }, { retryable: true });
}

async function answersWithoutCors(baseUrl: string, watch: Watch): Promise<boolean> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), PROBE_MS);
  try {
    const url = endpointUrl(baseUrl, '/models');
    await watch.race(
      fetch(url, { mode: 'no-cors', credentials: 'omit', cache: 'no-store', signal: limit.signal }),
    );
    return true;
  } catch {
    // No answer to the probe either: that is what it was to find out.
    return false;
  } finally {
    clearTimeout(timer);
    // It is asked for nothing more, also when the caller gave up.
    limit.abort();
  }
}

/** Only a browser knows, and only `false` says something: `true` may be a network without the web. */
function isOffline(): boolean {
  return (globalThis as { navigator?: { onLine?: boolean } }).navigator?.onLine === false;
}

/** The origin of the page or worker; nothing outside a browser. */
function pageOrigin(): string | undefined {
  const scope = globalThis as { location?: { origin: string } };
  const origin = scope.location?.origin;
  return origin?.startsWith('http') ? origin : undefined;
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|.*\.localhost|127\.|\[::1\])/i.test(host);
}

/** Node hides the reason (`ECONNREFUSED`) in the cause of "fetch failed". */
function causeText(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : '';
  const inner = error.cause instanceof Error ? causeText(error.cause) : '';
  return inner || error.message;
}
