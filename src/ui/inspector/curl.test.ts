import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RequestBody } from '../../protocol';
import { curlCommand, shellWord } from './curl';

/** What `curl` would get from a real shell: its arguments, and its standard input. */
function run(command: string): { args: string[]; input: string } {
  const script = `curl() { printf '%s\\0' "$@"; printf '\\0'; case "$*" in *@-*) cat;; esac; }\n${command}`;
  const env = { PATH: process.env.PATH, API_KEY: 'typed by the person' };
  const output = execFileSync('sh', ['-s'], { input: script, env, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const end = output.indexOf('\0\0');
  return { args: output.slice(0, end).split('\0'), input: output.slice(end + 2) };
}

function request(body: unknown, more: Partial<RequestBody> = {}): RequestBody {
  const headers = { 'Content-Type': 'application/json' };
  return { method: 'POST', url: 'https://m.test/v1/chat', headers, body, repairs: [], ...more };
}

const nasty = `it's "quoted" $HOME \`id\` \\ back\\\nand a line feed !! %s & ; | é 你好 '\\''`;

describe('a request as a curl command', () => {
  it('reaches curl as it is, whatever quotes, line feeds and dollars it holds', () => {
    const body = { model: 'm', messages: [{ role: 'user', content: nasty }] };
    const { args } = run(curlCommand(request(body, { url: `https://m.test/v1?q='$HOME'` })));
    expect(args).toEqual([
      ...['-N', '-X', 'POST', `https://m.test/v1?q='$HOME'`],
      ...['-H', 'Content-Type: application/json', '--data-raw', JSON.stringify(body)],
    ]);
  });

  it('has the key of the person who runs it, and none of ours', () => {
    const headers = { Authorization: 'Bearer sk-secret', 'x-api-key': 'sk-secret' };
    const command = curlCommand(request({}, { headers }));
    expect(command).not.toContain('sk-secret');
    expect(run(command).args).toEqual(
      expect.arrayContaining(['Authorization: Bearer typed by the person', 'x-api-key: typed by the person']),
    );
  });

  it('leaves the address to the person where nothing was sent', () => {
    const { args } = run(`BASE_URL='https://m.test/v1'\n${curlCommand(request({ input: [] }, { url: '' }))}`);
    expect(args).toContain('https://m.test/v1/responses');
  });

  it('gives a body that is too long for an argument on standard input', () => {
    const body = { text: `${nasty}BODY\nBODY`.repeat(4000) };
    const { args, input } = run(curlCommand(request(body)));
    expect(args.at(-1)).toBe('@-');
    expect(input.trimEnd()).toBe(JSON.stringify(body));
  });

  it('keeps any text one word', () => {
    const texts = fc.array(
      fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '')),
      {
        minLength: 40,
        maxLength: 80,
      },
    );
    fc.assert(
      fc.property(texts, (words) => {
        const script = `printf '%s\\0' ${words.map(shellWord).join(' ')}`;
        const output = execFileSync('sh', ['-s'], { input: script, encoding: 'utf8' });
        expect(output.split('\0').slice(0, -1)).toEqual(words);
      }),
      { numRuns: 20 },
    );
  });
});
