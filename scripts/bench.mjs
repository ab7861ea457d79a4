// `npm run bench [part of a name]`: runs bench/*.bench.ts as plain JavaScript in Node, and prints each figure beside its
// limit. Fails when a figure is over its limit.
import { readdirSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
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
  console.log(`\n${name.replace('.bench', '')}, load ${loadavg()[0]?.toFixed(1)} on ${cpus().length} cores`);
  print(await bench(root, print));
}

/** @param {import('../bench/measure').Figure[]} figures */
function print(figures) {
  const width = Math.max(...figures.map(({ name }) => name.length));
  for (const { name, value, unit, limit } of figures) {
    const isOver = limit !== undefined && !(value <= limit);
    const verdict = limit === undefined ? '' : `limit ${limit} ${unit}`.padEnd(16) + (isOver ? 'OVER' : 'ok');
    console.log(
      `  ${name.padEnd(width)}  ${value.toFixed(1).padStart(8)} ${unit.padEnd(3)} ${verdict}`.trimEnd(),
    );
    if (isOver) process.exitCode = 1;
  }
}
