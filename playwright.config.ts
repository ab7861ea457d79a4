import { defineConfig, devices } from 'playwright/test';
import { chromiumLaunch } from './scripts/chromium.mjs';

// Ports of the tests' own, so that `npm start` can run at the same time; and an origin of their own, so that
// nobody else's database is met.
const port = Number(process.env.EPICYCLE_TEST_PORT ?? 4832);
const builtPage = `http://127.0.0.1:${port}/`;
const pseudoPage = `http://127.0.0.1:${port + 1}/`;

const serve = (folder: string, url: string) => ({
  command: `npx vite preview --outDir ${folder} --port ${new URL(url).port}`,
  url,
  reuseExistingServer: false,
  timeout: 30_000,
});

const chromium = { ...devices['Desktop Chrome'], launchOptions: chromiumLaunch() };

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
  // A machine that others share may stall a page once; a test that fails twice has failed.
  retries: process.env.CI ? 1 : 0,
  reporter: 'list',
  // A state is waited for, not a time; a busy machine takes its time.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  use: {
    // A trace takes about a third of a test's time, so it is recorded when somebody asks for it.
    trace: process.env.EPICYCLE_TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    locale: 'en-US',
    colorScheme: 'light',
  },
  projects: [
    { name: 'page', testIgnore: 'pseudo-locale.spec.ts', use: { ...chromium, baseURL: builtPage } },
    {
      name: 'pseudo-locale',
      testMatch: 'pseudo-locale.spec.ts',
      use: { ...chromium, baseURL: pseudoPage, locale: 'en-XA' },
    },
  ],
  webServer: [serve('dist', builtPage), serve('.cache/pseudo/dist', pseudoPage)],
});
