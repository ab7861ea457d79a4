// `npm test`: everything, on a fresh clone too. The last line sums it up; nothing before it ends the run early.
import { ensureChromium } from './chromium.mjs';
import { setUp } from './setup.mjs';
import { checks, conclude, countStep, failed, runBrowserTests, runUnitTests } from './stages.mjs';

setUp();
const counts = [await countStep({ name: 'messages', command: 'node', args: ['scripts/messages.mjs'] })];
for (const check of checks) counts.push(await countStep(check));
counts.push(await runUnitTests());
counts.push(await countStep({ name: 'build', command: 'vite', args: ['build', '--logLevel', 'warn'] }));
counts.push(await countStep({ name: 'first load', command: 'node', args: ['scripts/first-load.mjs'] }));
counts.push(await browserTests());
conclude(counts);

async function browserTests() {
  const pseudo = { name: 'build of the pseudo-locale', command: 'node', args: ['scripts/build-pseudo.mjs'] };
  if ((await countStep(pseudo)).failed) return failed;
  const problem = await ensureChromium();
  if (!problem) return runBrowserTests();
  console.error(`\nFAILED: browser tests. ${problem}`);
  return failed;
}
