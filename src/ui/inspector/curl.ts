/** A request as a command for a shell. */
import type { RequestBody } from '../../protocol';

/** Systems refuse an argument of 128 KiB or more. */
const longestArgument = 100_000;
const secretHeader = /^(authorization|proxy-authorization|(x-)?api-?key)$/i;

/** A text as one word of a POSIX shell: nothing in it means anything. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Where a request would go that went to no server. */
export function emptyUrl(body: unknown): string {
  const isResponses = typeof body === 'object' && body !== null && 'input' in body;
  return `$BASE_URL/${isResponses ? 'responses' : 'chat/completions'}`;
}

/**
 * The command that sends the same. For the key it has `$API_KEY`, and for an absent address `$BASE_URL`: variables that
 * the person sets.
 */
export function curlCommand({ method, url, headers, body }: RequestBody): string {
  const json = JSON.stringify(body);
  const isLong = new TextEncoder().encode(json).length > longestArgument;
  const parts = [
    `curl -N -X ${method} ${url === '' ? `"${emptyUrl(body)}"` : shellWord(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${headerWord(name, value)}`),
    isLong ? "--data-binary @- <<'BODY'" : `--data-raw ${shellWord(json)}`,
  ];
  const command = parts.join(' \\\n  ');
  // JSON in one line holds no line feed, so that no line of it ends the body too early.
  return isLong ? `${command}\n${json}\nBODY\n` : `${command}\n`;
}

function headerWord(name: string, value: string): string {
  if (!secretHeader.test(name)) return shellWord(`${name}: ${value}`);
  const scheme = /authorization/i.test(name) ? 'Bearer ' : '';
  return `${shellWord(`${name}: ${scheme}`)}"$API_KEY"`;
}
