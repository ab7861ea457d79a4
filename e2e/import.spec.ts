import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { startMockServer } from './mock-server';
import type { MockServer } from './mock-server';
import { button, composer, conversation, rowTexts, runState, tall, visit } from './support/parts';
import { expect, test } from './support/test';

test.use({ viewport: tall });

let server: MockServer;
test.beforeEach(async () => {
  server = await startMockServer();
});
test.afterEach(() => server.close());

const dialog = (page: Page) => page.getByRole('dialog');

async function importFile(page: Page, name: string, content: string): Promise<void> {
  await button(page, 'Sessions').click();
  const chosen = page.waitForEvent('filechooser');
  await button(page, 'Import…').click();
  const buffer = Buffer.from(content);
  await (await chosen).setFiles({ name, mimeType: 'application/jsonl', buffer });
}

test('an exported session is imported with the same rows, and asks nobody until its endpoint is chosen here', async ({
  page,
}) => {
  await visit(page);
  await page.getByRole('button', { name: /^Model: / }).click();
  await page.getByLabel('Base URL').fill(`${server.url}/v1`);
  await dialog(page).getByRole('combobox', { name: 'Model' }).fill('hello');
  await button(page, 'New session with it').click();
  await expect(dialog(page)).toBeHidden();
  await composer(page).fill('Hello?');
  await composer(page).press('Enter');
  await expect(conversation(page).getByText('Hello from the mock server.')).toBeVisible();
  await expect(runState(page)).toHaveText('idle');
  const rows = await rowTexts(page);

  await button(page, 'Sessions').click();
  const saved = page.waitForEvent('download');
  await button(page, 'Export “With hello”').click();
  const text = await readFile(await (await saved).path(), 'utf8');
  await button(page, 'Close').click();
  // Another browser: what was used here is unknown to it.
  await page.evaluate(() => localStorage.clear());

  await importFile(page, 'notes.jsonl', '# Notes');
  await expect(dialog(page).getByRole('alert')).toContainText(
    '“notes.jsonl” was not imported. This is not a',
  );
  await button(page, 'Close').click();

  server.requests.length = 0;
  await importFile(page, 'live.jsonl', text);
  await expect(dialog(page)).toBeHidden();
  await expect(conversation(page).getByText('Hello from the mock server.')).toBeVisible();
  expect(await rowTexts(page)).toEqual(rows);

  await page.reload();
  await composer(page).fill('And again?');
  await composer(page).press('Enter');
  await expect(dialog(page)).toContainText(
    `This session came with a file. Nothing has been sent to ${server.url}/v1`,
  );
  await expect(page.getByLabel('Base URL')).toHaveValue(`${server.url}/v1`);
  expect(server.requests).toEqual([]);
  await button(page, 'Use it in this session').click();
  await expect(dialog(page)).toBeHidden();
  await expect(composer(page)).toHaveValue('And again?');
  expect(server.requests).toEqual([]);
  await composer(page).press('Enter');
  await expect(conversation(page).getByText('Hello from the mock server.')).toHaveCount(2);
});
