// Checks the build: how much JavaScript the page loads before its first paint, and that large libraries wait until
// they are needed.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseAst } from 'vite';
import { giveUp, root } from './setup.mjs';

const limit = 110_000;
const dist = join(root, 'dist');
const assets = join(dist, 'assets');

/** @param {string} file */
const text = (file) => readFileSync(join(assets, file), 'utf8');
const scripts = readdirSync(assets).filter((file) => file.endsWith('.js'));

/** Those of `entries` and of everything they import statically, at any depth. @param {string[]} entries */
function loadedWith(entries) {
  const loaded = new Set(entries);
  for (const file of loaded)
    for (const statement of parseAst(text(file)).body)
      if ('source' in statement && statement.source) loaded.add(basename(String(statement.source.value)));
  return [...loaded];
}

/** Whether the file holds code of such a path, by its source map. @param {string} file @param {string} path */
function holds(file, path) {
  // What has no map is nobody's code: the bundler's own, or an empty stand-in.
  if (!existsSync(join(assets, `${file}.map`))) return false;
  const { sources } = JSON.parse(text(`${file}.map`));
  return sources.some((/** @type {string} */ source) => source.includes(path));
}

const page = readFileSync(join(dist, 'index.html'), 'utf8');
const entries = [...page.matchAll(/(?:src|href)="\.\/assets\/([^"]+\.js)"/g)].map(([, file]) => String(file));
if (entries.length === 0) giveUp('The built page names no script.');

const first = loadedWith(entries);
const bytes = first.reduce((sum, file) => sum + gzipSync(text(file)).length, 0);
console.log(
  `first load: ${(bytes / 1000).toFixed(1)} of ${limit / 1000} KB of JavaScript, gzipped (${first.join(', ')})`,
);
if (bytes > limit)
  giveUp('The first load is too large: import what the first paint does not need when it is needed.');

/** The one script with this entry. @param {string} path */
function workerOf(path) {
  const [worker, ...others] = scripts.filter((file) => holds(file, path));
  if (worker === undefined || others.length > 0) giveUp(`The build should have one script with ${path}.`);
  return worker;
}

/** What waits until it is first used, by paths of its code. */
const lazy = {
  'The model client': 'node_modules/openai/',
  'The shell': 'node_modules/just-bash/',
  'The JavaScript engine': 'node_modules/quickjs-emscripten-core/',
  'The WebAssembly of the engine': 'node_modules/@jitl/',
  'The HTML converter': 'node_modules/html-to-text/',
  'The highlighter': 'node_modules/highlight.js/',
};
const early = new Set([
  ...first,
  ...loadedWith([workerOf('src/worker/main.ts'), workerOf('src/worker/tool-worker.ts')]),
]);
for (const [what, path] of Object.entries(lazy)) {
  const holders = scripts.filter((file) => holds(file, path));
  if (holders.length === 0) giveUp(`${what} is in no script of the build.`);
  const tooEarly = holders.filter((file) => early.has(file));
  if (tooEarly.length > 0)
    giveUp(`${what} loads at the start, in ${tooEarly.join(', ')}: import it when it is first used.`);
}
if (scripts.some((file) => text(file).includes('⟦'))) giveUp('The build holds the pseudo-locale.');
