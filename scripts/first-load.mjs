// Checks the build: how much JavaScript the page loads before its first paint, and that the model client waits
// until it is needed.
import { readdirSync, readFileSync } from 'node:fs';
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

const worker = scripts.filter((file) => holds(file, 'src/worker/main.ts'));
if (worker.length !== 1) giveUp(`The build should have one worker, and has ${worker.length}.`);
const client = scripts.filter((file) => holds(file, 'node_modules/openai/'));
const early = [...first, ...loadedWith(worker)].filter((file) => client.includes(file));
if (early.length > 0)
  giveUp(`The model client loads at the start, in ${early.join(', ')}: import it when it is first used.`);
if (client.length === 0) giveUp('The model client is in no script of the build.');
if (scripts.some((file) => text(file).includes('⟦'))) giveUp('The build holds the pseudo-locale.');
