// `npm run explore [rounds] [part of a file name]`: looks for what random tests have not drawn yet. Each round runs all files
// with such tests with a seed of its own, where `npm test` always takes the same one. Ends at the first round that fails.
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { giveUp, root, setUp } from './setup.mjs';
import { runStep } from './stages.mjs';

setUp();
const [rounds = '10', wanted = ''] = process.argv.slice(2);
const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((file) => `src/${file.replaceAll('\\', '/')}`)
  .filter((file) => file.endsWith('.test.ts') && file.includes(wanted))
  .filter((file) => readFileSync(join(root, file), 'utf8').includes("from 'fast-check'"));
if (!(Number(rounds) > 0)) giveUp(`"${rounds}" is no number of rounds.`);
if (files.length === 0) giveUp(`No file named …${wanted}… has random tests.`);

for (let round = 1; round <= Number(rounds); round++) {
  const seed = String(randomInt(2 ** 31));
  const step = {
    name: `round ${round} of ${rounds}: ${files.length} files, seed ${seed}`,
    command: 'vitest',
    args: ['run', '--reporter=dot', ...files],
  };
  if (await runStep(step, { env: { EPICYCLE_SEED: seed } })) continue;
  giveUp(`To see it again: EPICYCLE_SEED=${seed} npx vitest run <the file that failed>`);
}
