/** Which grammar a file is read with, by its name. */
export type Language =
  'awk' | 'bash' | 'css' | 'javascript' | 'json' | 'markdown' | 'python' | 'typescript' | 'xml';

const byEnding: Record<string, Language> = {
  awk: 'awk',
  bash: 'bash',
  sh: 'bash',
  css: 'css',
  cjs: 'javascript',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  json: 'json',
  jsonl: 'json',
  webmanifest: 'json',
  md: 'markdown',
  py: 'python',
  cts: 'typescript',
  mts: 'typescript',
  ts: 'typescript',
  tsx: 'typescript',
  htm: 'xml',
  html: 'xml',
  svelte: 'xml',
  svg: 'xml',
  vue: 'xml',
  xml: 'xml',
};

/** What is longer takes too long, and so do lines that no person wrote. */
const longest = 300_000;
const longestLine = 5000;

/** The language of a text, or nothing when it has none that we know or is too long. */
export function languageOf(name: string, text: string): Language | undefined {
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const language = Object.hasOwn(byEnding, ending) ? byEnding[ending] : undefined;
  if (!language || text.length > longest) return undefined;
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf('\n', start);
    if ((end === -1 ? text.length : end) - start > longestLine) return undefined;
    if (end === -1) break;
    start = end + 1;
  }
  return language;
}
