// `npm run bench [part of a name]`: runs bench/*.bench.ts as plain JavaScript in Node, and prints each figure with its
// ratio to its limit. Fails when a figure is over its limit.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { giveUp, root, setUp } from './setup.mjs';

setUp();
const wanted = process.argv[2] ?? '';
const names = readdirSync(join(root, 'bench'))
  .filter((file) => file.endsWith('.bench.ts') && file.includes(wanted))
  .map((file) => file.slice(0, -'.ts'.length));
if (names.length === 0) giveUp(`No file in bench/ is named …${wanted}….bench.ts.`);

const bundles = join(root, '.cache/bench');
const { build } = await import('vite');
await build({
  configFile: false,
  root,
  logLevel: 'warn',
  publicDir: false,
  build: {
    ssr: true,
    outDir: bundles,
    emptyOutDir: true,
    rolldownOptions: {
      input: Object.fromEntries(names.map((name) => [name, join(root, `bench/${name}.ts`)])),
    },
  },
});

for (const name of names) {
  /** @type {{ default: import('../bench/measure').Bench }} */
  const { default: bench } = await import(pathToFileURL(join(bundles, `${name}.js`)).href);
  console.log(`\n${name.replace('.bench', '')}`);
  for (const figure of await bench(root)) print(figure);
}

/** @param {import('../bench/measure').Figure} figure */
function print({ name, value, unit, limit }) {
  const ratio = value / limit;
  const verdict = ratio <= 1 ? '' : '  OVER THE LIMIT';
  console.log(`  ${name}: ${value.toFixed(1)} ${unit}, ${ratio.toFixed(2)} of ${limit} ${unit}${verdict}`);
  if (!(ratio <= 1)) process.exitCode = 1;
}
