/** The parts of the page by their roles and names, and the few things that every spec does with them. */
import { expect } from 'playwright/test';
import type { Locator, Page } from 'playwright/test';

export const composer = (page: Page) => page.getByRole('textbox', { name: 'Message' });
export const outline = (page: Page) => page.getByRole('tree', { name: 'Outline' });
export const row = (page: Page, text: string | RegExp) =>
  page.getByRole('treeitem').filter({ hasText: text });
export const conversation = (page: Page) => page.getByRole('region', { name: 'Conversation' });
export const inspector = (page: Page) => page.getByRole('region', { name: 'Inspector' });
export const queue = (page: Page, name: 'Steering' | 'Follow-up') => page.getByRole('region', { name });
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** What the page says of the run, in one word. */
export const runState = (page: Page) => page.getByRole('status', { name: 'Run state' });

/** The sentence that says why. */
export const why = (page: Page) => page.getByRole('status').getByRole('heading', { level: 2 });

export async function visit(page: Page): Promise<void> {
  await page.goto('./');
  await expect(button(page, 'Play')).toBeEnabled();
}

/** Opens a scenario from a file, as a person does. */
export async function openScenario(page: Page, scenario: { title: string } & object): Promise<void> {
  const text = JSON.stringify({ version: 1, start: 'prompt', ...scenario });
  const chosen = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: /^Scenario: / }).click();
  await page.getByRole('menuitem', { name: 'Open a scenario file…' }).click();
  await (
    await chosen
  ).setFiles({ name: 'test.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await expect(page.getByRole('button', { name: `Scenario: ${scenario.title}` })).toBeVisible();
  await expect(button(page, 'Play')).toBeEnabled();
}

export async function setSpeed(page: Page, speed: string): Promise<void> {
  await page.getByRole('button', { name: /^Speed: / }).click();
  await page.getByRole('menuitemradio', { name: speed, exact: true }).click();
  await expect(page.getByRole('button', { name: `Speed: ${speed}` })).toBeVisible();
}

/** Tall enough for every row of the outline: only those in sight are in the page. */
export const tall = { width: 1440, height: 1800 };

/** The texts of the outline's rows in sight, from the top. */
export async function rowTexts(page: Page): Promise<string[]> {
  const texts = await outline(page).getByRole('treeitem').allInnerTexts();
  return texts.map((text) => text.replace(/\s+/g, ' ').trim());
}

/** Whether the texts appear in this order, with others between them. */
function inOrder(texts: readonly string[], wanted: readonly (string | RegExp)[]): boolean {
  let at = 0;
  for (const text of texts) {
    const next = wanted[at];
    if (next !== undefined && (typeof next === 'string' ? text.includes(next) : next.test(text))) at++;
  }
  return at === wanted.length;
}

export async function expectRows(page: Page, wanted: readonly (string | RegExp)[]): Promise<void> {
  await expect(async () => {
    const texts = await rowTexts(page);
    expect(inOrder(texts, wanted), `rows in order: ${wanted.join(', ')}\nfound: ${texts.join(' / ')}`).toBe(
      true,
    );
  }).toPass();
}

/** Chooses the tab of a narrow page or the tab of the inspector. */
export function tab(page: Page, name: string): Locator {
  return page.getByRole('tab', { name, exact: true });
}
