/** The catalogue has what the sources ask for, and nothing else. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const source = fileURLToPath(new URL('..', import.meta.url));
const messages = JSON.parse(readFileSync(new URL('./messages/en.json', import.meta.url), 'utf8')) as object;
const keys = Object.keys(messages);

/** Where errors for people come from: the first word of their codes. */
const areas =
  'model|scenario|session|storage|record|worker|page|command|ask|clock|config|continue|endpoint|files|import|prompt|queue|retry|run|tool';

/** The text of every source that is neither a test nor generated. */
const texts = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter(
    (file) => /\.(ts|svelte)$/.test(file) && !/\.(test|testing)\.ts$|[\\/]testing[\\/]|^i18n/.test(file),
  )
  .map((file) => readFileSync(join(source, file), 'utf8'));

/** The first group of every match in the sources. */
function mentioned(pattern: RegExp): Set<string> {
  return new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => String(name))));
}

const codes = mentioned(new RegExp(`['"]((?:${areas})(?:\\.[a-z][a-zA-Z]*)+)['"]`, 'g'));
const errorKeys = new Set([...codes].map((code) => `error_${code.replaceAll('.', '_')}`))
  .add('error_unknown')
  // What nobody foresaw in the worker: the one code without an area.
  .add('error_internal');
/** Areas whose codes are put together. */
const areasPutTogether = [...mentioned(new RegExp(`\`(${areas})\\.\\$\\{`, 'g'))];

it('every error code of the sources has a sentence', () => {
  expect([...errorKeys].filter((key) => !keys.includes(key))).toEqual([]);
});

it('every sentence for an error has a code in the sources', () => {
  const isAsked = (key: string) =>
    errorKeys.has(key) || areasPutTogether.some((area) => key.startsWith(`error_${area}_`));
  expect(keys.filter((key) => key.startsWith('error_') && !isAsked(key))).toEqual([]);
});

it('every other message is used, by its name or by the beginning of its name', () => {
  const names = new Set([...mentioned(/\bm\.(\w+)/g), ...mentioned(/['"]([a-z]\w*_\w+)['"]/g)]);
  const beginnings = [...mentioned(/`([a-z]\w*_)\$\{/g)];
  const isUsed = (key: string) => names.has(key) || beginnings.some((beginning) => key.startsWith(beginning));
  expect(keys.filter((key) => !key.startsWith('error_') && !isUsed(key))).toEqual([]);
});
