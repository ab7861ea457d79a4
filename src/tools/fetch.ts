import type { AgentTool, ToolResult } from '../loop/types';
import { formatBytes } from './encoding';
import { MAX_FILE_BYTES } from './file-system';
import type { VirtualFileSystem } from './file-system';
import { bodyKind, bodyText, guessedText, readBody } from './http-body';
import type { Body, BodyKind } from './http-body';
import { prepareFetchArguments, requestFrom } from './http-request';
import type { HttpRequest } from './http-request';
import { seconds, withNotices } from './job-output';
import { errorMessage, JobStopped } from './jobs/job';
import type { ToolRunner } from './jobs/job-runner';
import { displayPath } from './paths';
import { keepStart, MAX_BYTES, truncateHead } from './truncate';

/** `bytes` were read of the body. `path` is the file that holds it, when the model got only a part or nothing of it. */
export interface FetchDetails {
  url: string;
  method: string;
  status: number;
  bytes: number;
  contentType: string;
  truncated: boolean;
  path?: string;
}

export interface FetchOptions {
  fetch: typeof fetch;
  runner: ToolRunner;
  /** Where the page's sample files are, with a slash at the end. */
  samplesUrl?: string | undefined;
  /** Whether the person allows redirects that start at an origin; nobody can see where they lead before they are followed. */
  permitRedirects?: ((origin: string) => boolean) | undefined;
}

const TIMEOUT_MS = 30_000;
const HTML_TIMEOUT_MS = 5000;
const MAX_TEXT_BYTES = 5 * 1024 * 1024;
/** Kept free for the status line and notices, since the limit is for all that the model gets. */
const NOTICE_BYTES = 1200;
const DOWNLOADS = '/project/downloads';

export function createFetchTool(fs: VirtualFileSystem, options: FetchOptions): AgentTool {
  return {
    name: 'fetch',
    label: 'Fetch',
    description:
      'Fetch a URL from the browser. Text and JSON are shown as they are, HTML as readable text; anything else is saved ' +
      `as a file in downloads/. At most ${formatBytes(MAX_BYTES)} are shown. The server must allow other origins (CORS), ` +
      'and the person may have to give permission.',
    parameters: {
      type: 'object',
      properties: {
        url: { type: 'string', description: 'The whole URL, http or https.' },
        method: { type: 'string', description: 'GET when absent.' },
        headers: {
          type: 'object',
          additionalProperties: { type: 'string' },
          description: 'Names and values.',
        },
        body: { type: 'string', description: 'The body, for methods that have one.' },
      },
      required: ['url'],
    },
    prepareArguments: prepareFetchArguments,
    async execute(_toolCallId, rawArguments, signal) {
      const request = requestFrom(prepareFetchArguments(rawArguments), options.samplesUrl);
      const timeout = AbortSignal.timeout(TIMEOUT_MS);
      const stop = signal ? AbortSignal.any([signal, timeout]) : timeout;
      try {
        return await receive(fs, options, request, await send(options, request, stop), signal);
      } catch (error) {
        if (signal?.aborted) throw new Error('Aborted.', { cause: error });
        if (!timeout.aborted) throw error;
        throw new Error(`${request.url.href} did not answer within ${seconds(TIMEOUT_MS)}.`, {
          cause: error,
        });
      }
    },
  };
}

async function send(options: FetchOptions, request: HttpRequest, signal: AbortSignal): Promise<Response> {
  const { url, method, headers, body } = request;
  const response = await fetchOnce(options, url, {
    method,
    headers,
    ...(body !== undefined && { body }),
    redirect: options.permitRedirects?.(url.origin) ? 'follow' : 'manual',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    signal,
  });
  if (response.type === 'opaqueredirect' || [301, 302, 303, 307, 308].includes(response.status)) {
    const target = response.headers.get('location');
    throw new Error(
      `${url.href} answers with a redirect${target === null ? '' : ` to ${target}`}, which is not followed: it may lead to another ` +
        'site. Fetch the final URL instead, or ask the person to allow redirects of this origin.',
    );
  }
  return response;
}

async function fetchOnce({ fetch }: FetchOptions, url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url.href, init);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Error(
      `${url.href} could not be fetched: ${error.message}. A browser does not say why. Likely causes: the server does not allow ` +
        'other origins to read it (CORS); it is down, its name does not exist, or there is no connection; or it is an http: URL ' +
        'and this page came over https:. Trying again in the same way will not help.',
      { cause: error },
    );
  }
}

async function receive(
  fs: VirtualFileSystem,
  { runner }: FetchOptions,
  request: HttpRequest,
  response: Response,
  signal: AbortSignal | undefined,
): Promise<ToolResult> {
  const contentType = response.headers.get('content-type') ?? '';
  const kind = bodyKind(contentType);
  const body = await readBody(response, kind === 'unknown' ? MAX_FILE_BYTES : MAX_TEXT_BYTES);
  const url = response.url || request.url.href;
  const text = kind === 'unknown' ? guessedText(body) : bodyText(body, contentType, kind);
  const shown =
    text === undefined
      ? await saved(fs, url, body)
      : await readable(fs, runner, { text, kind, url, isCut: body.isCut }, signal);
  const size = `${formatBytes(body.bytes.length)}${body.isCut ? ' read' : ''}`;
  const status = [`${response.status} ${response.statusText}`.trim(), contentType, size]
    .filter(Boolean)
    .join(', ');
  const details: FetchDetails = {
    url,
    method: request.method,
    status: response.status,
    bytes: body.bytes.length,
    contentType,
    truncated: shown.truncated,
    ...(shown.path !== undefined && { path: shown.path }),
  };
  return {
    content: [
      {
        type: 'text',
        text: withNotices(`[${status}]${shown.text === '' ? '' : `\n\n${shown.text}`}`, shown.notices),
      },
    ],
    details,
    ...(!response.ok && { isError: true }),
  };
}

interface Shown {
  text: string;
  notices: string[];
  truncated: boolean;
  path?: string;
}

async function saved(fs: VirtualFileSystem, url: string, { bytes, isCut }: Body): Promise<Shown> {
  if (isCut)
    throw new Error(`${url} is a binary file of more than ${formatBytes(MAX_FILE_BYTES)}: it was not saved.`);
  const path = await keepDownload(fs, url, bytes);
  return { text: '', notices: [`Binary: saved as ${displayPath(path)}.`], truncated: false, path };
}

interface Page {
  text: string;
  kind: BodyKind;
  url: string;
  isCut: boolean;
}

async function readable(
  fs: VirtualFileSystem,
  runner: ToolRunner,
  page: Page,
  signal: AbortSignal | undefined,
): Promise<Shown> {
  const notices: string[] = [];
  const text = page.kind === 'html' ? await pageText(fs, runner, page, notices, signal) : page.text;
  if (page.isCut)
    notices.push(`The body is longer: only its first ${formatBytes(MAX_TEXT_BYTES)} were read.`);
  const head = truncateHead(text, { maxBytes: MAX_BYTES - NOTICE_BYTES });
  if (!head.truncated) return { text: head.content, notices, truncated: page.isCut };
  const start = head.firstLineExceedsLimit ? keepStart(text, MAX_BYTES - NOTICE_BYTES) : head.content;
  const what = head.firstLineExceedsLimit
    ? `Showing the start of line 1 of ${head.totalLines}`
    : `Showing lines 1-${head.outputLines} of ${head.totalLines}`;
  try {
    const path = await keepDownload(fs, page.url, text, page.kind === 'html' ? '.md' : '.txt');
    notices.unshift(`${what}. All of it is in ${displayPath(path)}.`);
    return { text: start, notices, truncated: true, path };
  } catch (error) {
    notices.unshift(`${what}. The rest could not be kept: ${errorMessage(error)}`);
    return { text: start, notices, truncated: true };
  }
}

/** As a job, since a page may be made to take very long. */
async function pageText(
  fs: VirtualFileSystem,
  runner: ToolRunner,
  { text, url }: Page,
  notices: string[],
  signal: AbortSignal | undefined,
): Promise<string> {
  try {
    const job = { kind: 'html' as const, html: text, baseUrl: url, timeoutMs: HTML_TIMEOUT_MS };
    return (await runner.run(job, fs, { signal })).result.text;
  } catch (error) {
    if (!(error instanceof JobStopped) || error.reason === 'aborted') throw error;
    notices.push('The page is too complicated to be turned into text: this is its source.');
    return text;
  }
}

/** Under the URL's last name, and a number when that is taken. */
async function keepDownload(
  fs: VirtualFileSystem,
  url: string,
  content: string | Uint8Array,
  extension = '',
): Promise<string> {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  const name =
    last
      .replace(/%[0-9a-f]{2}/gi, '_')
      .replace(/[^\w.-]/g, '_')
      .replace(/^\.+/, '')
      .slice(0, 100) || 'download';
  const [, stem = name, ending = ''] = /^(.+?)(\.\w{1,8})?$/.exec(name) ?? [];
  const full = ending === '' || extension === '.md' ? extension || ending : ending;
  let path = `${DOWNLOADS}/${stem}${full}`;
  for (let number = 2; fs.exists(path); number++) path = `${DOWNLOADS}/${stem}-${number}${full}`;
  await fs.runExclusive(path, () => fs.writeContent(path, content));
  return path;
}
