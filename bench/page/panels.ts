/** Panels of the page: showing and hiding them, and what those that are hidden still do. */
import type { Page } from 'playwright';

/** Panels whose code is in files of their own. */
const files = /\/(LoopPanel|Timeline|Inspector|Outline|Markdown)-[^/]*\.js$/;

export async function showLower(page: Page, name: 'Conversation' | 'Time' | 'Files'): Promise<void> {
  await page.getByRole('tab', { name, exact: true }).click();
  if (name === 'Time') await page.locator('canvas').waitFor();
}

/** Leaves nothing but the bar, the composer and an empty list of files. */
export async function hidePanels(page: Page): Promise<void> {
  await showLower(page, 'Files');
  await page.getByRole('button', { name: 'Loop', exact: true, pressed: true }).click();
  await page.getByRole('button', { name: 'Hide: Outline' }).click();
  await page.getByRole('button', { name: 'Hide: Inspector' }).click();
}

/** How many functions of these panels are called while `during` goes on. */
export async function panelCalls(page: Page, during: () => Promise<void>): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Profiler.enable');
  await session.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.send('Profiler.takePreciseCoverage');
  await during();
  const { result } = await session.send('Profiler.takePreciseCoverage');
  await session.detach();
  return result
    .filter(({ url }) => files.test(url))
    .flatMap(({ functions }) => functions)
    .filter(({ ranges }) => ranges.some(({ count }) => count > 0)).length;
}
