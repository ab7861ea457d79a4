/** The built page in a real browser, for measuring. */
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { chromium } from 'playwright';
import type { Browser, BrowserContext, Page } from 'playwright';
import { preview } from 'vite';
import { chromiumLaunch } from '../../scripts/chromium.mjs';

const port = Number(process.env.EPICYCLE_TEST_PORT ?? 4842);
const address = `http://127.0.0.1:${port}/`;

export class Site {
  private constructor(
    readonly browser: Browser,
    private readonly closeServer: () => Promise<void>,
  ) {}

  /** Builds the page, serves it, and starts a browser. */
  static async open(root: string): Promise<Site> {
    const outDir = '.cache/bench-page';
    const build = spawn('npx', ['vite', 'build', '--logLevel', 'error', '--outDir', outDir], {
      cwd: root,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
    const [code] = (await once(build, 'exit')) as [number];
    if (code !== 0) throw new Error('The page could not be built (see above).');
    const server = await preview({
      root,
      configFile: join(root, 'vite.config.ts'),
      logLevel: 'warn',
      build: { outDir },
      preview: { port, strictPort: true, host: '127.0.0.1' },
    });
    return new Site(await chromium.launch(chromiumLaunch()), () => server.close());
  }

  /** A person's browser without history; the outline's first rows tell when they were painted. */
  async context(): Promise<BrowserContext> {
    const context = await this.browser.newContext({
      baseURL: address,
      locale: 'en-US',
      colorScheme: 'light',
      viewport: { width: 1440, height: 900 },
    });
    await context.addInitScript(noticeFirstOutline);
    return context;
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.closeServer();
  }
}

/** Runs in the page: ms from the beginning of the page's load to the frame in which the outline's rows are painted. */
function noticeFirstOutline(): void {
  const look = (): void => {
    if (!document.querySelector('[role="treeitem"]')) {
      requestAnimationFrame(look);
      return;
    }
    // What follows the frame in which the rows are there, painting included.
    const channel = new MessageChannel();
    channel.port1.onmessage = () => performance.mark('outline painted');
    requestAnimationFrame(() => channel.port2.postMessage(undefined));
  };
  requestAnimationFrame(look);
}

/** Opens the page with its first session. */
export async function visit(page: Page): Promise<void> {
  await page.goto('./');
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
}

/** Waits until the outline is painted; ms since the page began to load. */
export async function outlinePainted(page: Page): Promise<number> {
  const marked = await page.waitForFunction(
    () => performance.getEntriesByName('outline painted')[0]?.startTime,
    undefined,
    { timeout: 30_000 },
  );
  return (await marked.jsonValue()) ?? Number.NaN;
}

/** Bytes of objects that are in use in the page, in MB. */
export async function heap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1e6;
}

/** ms that a fixed piece of plain work takes in the page: tells a slow or busy machine from a slow page. */
export async function plainWork(page: Page): Promise<number> {
  return page.evaluate(() => {
    const times = Array.from({ length: 7 }, () => {
      const started = performance.now();
      const numbers = new Map<string, number>();
      let state = 1;
      for (let index = 0; index < 100_000; index++) {
        state = (state * 48_271) % 2_147_483_647;
        numbers.set(String(state), index);
      }
      [...numbers.keys()].sort();
      return performance.now() - started;
    });
    return times.sort((a, b) => a - b)[3] ?? Number.NaN;
  });
}
