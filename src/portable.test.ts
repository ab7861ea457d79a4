/** Loop, argument parsing, models and tools are for any host: they bundle without our configuration and load in Node. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { beforeAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const bundles = join(root, '.cache/portable');
const entries = {
  loop: 'src/loop/index.ts',
  'tool-arguments': 'src/json/tool-arguments.ts',
  models: 'src/models/index.ts',
  tools: 'src/tools/index.ts',
};

beforeAll(async () => {
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    publicDir: false,
    ssr: { target: 'webworker', noExternal: true },
    build: { ssr: true, outDir: bundles, emptyOutDir: true, rolldownOptions: { input: entries } },
  });
}, 60_000);

it.each(Object.keys(entries))('%s loads in plain Node, by itself', (name) => {
  const program = `import(${JSON.stringify(join(bundles, `${name}.js`))}).then((all) => console.log(Object.keys(all).length))`;
  const exported = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  expect(Number(exported)).toBeGreaterThan(0);
});

it('nothing of it asks for a Node module', () => {
  const files = readdirSync(bundles, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.js'),
  );
  expect(files.filter((file) => /from\s*["']node:/.test(readFileSync(join(bundles, file), 'utf8')))).toEqual(
    [],
  );
});
