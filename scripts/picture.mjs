// `npm run picture`: takes docs/picture.png, the README's picture, of the built page while a scenario plays.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromiumLaunch, ensureChromium } from './chromium.mjs';
import { giveUp, root, setUp } from './setup.mjs';
import { runStep } from './stages.mjs';

setUp();
if (!(await runStep({ name: 'build', command: 'npm', args: ['run', 'build', '--silent'] })))
  giveUp('The build failed (see above).');
const problem = await ensureChromium();
if (problem) giveUp(problem);

const { preview } = await import('vite');
const { chromium } = await import('playwright');
const server = await preview({
  root,
  logLevel: 'warn',
  preview: { host: '127.0.0.1', port: 4839, strictPort: false },
});
const browser = await chromium.launch(chromiumLaunch());
const picture = join(root, 'docs/picture.png');
try {
  const page = await browser.newPage({
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  await page.goto(server.resolvedUrls?.local[0] ?? giveUp('The built page is not served.'));
  await page.getByRole('button', { name: 'Play', exact: true }).first().click();
  await page.getByRole('tab', { name: 'Time' }).click();
  // Enough of a run that every panel shows something: a message that waited has joined.
  await page.getByRole('treeitem').filter({ hasText: 'joined before turn 2' }).waitFor();
  await page.getByRole('treeitem').filter({ hasText: 'find_restarts' }).first().click();
  mkdirSync(join(root, 'docs'), { recursive: true });
  await page.screenshot({ path: picture });
} finally {
  await browser.close();
  await server.close();
}
console.log(`Wrote ${picture}`);
process.exit(0);
