// `npm test`: everything, on a fresh clone too. The last line sums it up; nothing before it ends the run early.
import { ensureChromium } from './chromium.mjs';
import { setUp } from './setup.mjs';
import {
  checks,
  conclude,
  countBeside,
  countStep,
  failed,
  runBrowserTests,
  runUnitTests,
} from './stages.mjs';

setUp();
const pages = [
  { name: 'build', command: 'vite', args: ['build', '--logLevel', 'warn'] },
  { name: 'first load', command: 'node', args: ['scripts/first-load.mjs'] },
  { name: 'build of the pseudo-locale', command: 'node', args: ['scripts/build-pseudo.mjs'] },
];
const messages = await countStep({
  name: 'messages',
  command: 'node',
  args: ['scripts/messages.mjs'],
});
// The checks and the builds use one processor; the unit tests run beside them on another.
const [units, beside] = await Promise.all([runUnitTests(), countBeside([...checks, ...pages])]);
const counts = [messages, units, ...beside];
const pagesFailed = beside.slice(-pages.length).some((count) => count.failed > 0);
counts.push(pagesFailed ? failed : await browserTests());
conclude(counts);

async function browserTests() {
  const problem = await ensureChromium();
  if (!problem) return runBrowserTests();
  console.error(`\nFAILED: browser tests. ${problem}`);
  return failed;
}
