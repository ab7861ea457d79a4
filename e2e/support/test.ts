/** The `test` of every spec: Playwright's, and a page that breaks makes its test fail. */
import { test as base, expect } from 'playwright/test';
import type { Page } from 'playwright/test';

export { expect };

export const test = base.extend<{ breakages: string[] }>({
  /** What broke on the page so far: uncaught errors, errors and warnings on the console, violations of the policy. */
  breakages: [
    async ({ page }, use) => {
      const breakages: string[] = [];
      watch(page, breakages);
      await use(breakages);
      expect(breakages, 'the page reported no errors').toEqual([]);
    },
    { auto: true },
  ],
});

function watch(page: Page, breakages: string[]): void {
  page.on('pageerror', (error) => breakages.push(error.stack ?? error.message));
  page.on('console', (message) => {
    // A request that fails is logged by the browser itself; what the page says of it is for the test to look at.
    if (
      ['error', 'warning'].includes(message.type()) &&
      !message.text().startsWith('Failed to load resource')
    )
      breakages.push(message.text());
  });
  page.on('crash', () => breakages.push('the page crashed'));
}
