/** What was sent, and what happens when it must be sent again. */
import type { Page } from 'playwright/test';
import { startMockServer } from './mock-server';
import type { MockServer } from './mock-server';
import { button, composer, conversation, inspector, row, runState, tab, tall, visit } from './support/parts';
import { expect, test } from './support/test';

test.use({ viewport: tall, permissions: ['clipboard-read', 'clipboard-write'] });

let server: MockServer;
test.beforeEach(async () => {
  server = await startMockServer();
});
test.afterEach(() => server.close());

const key = 'sk-test-1234';
const wait = (page: Page) => page.getByRole('region', { name: 'Waits before it asks again' });
const posts = () => server.requests.filter(({ method }) => method === 'POST');

async function start(page: Page, behaviour: string, model: string, text: string): Promise<void> {
  await visit(page);
  await page.getByRole('button', { name: /^Model: / }).click();
  await page.getByLabel('Base URL').fill(`${server.url}${behaviour}/v1`);
  await page.getByLabel('API key').fill(key);
  await page.getByLabel('Model', { exact: true }).fill(model);
  await button(page, 'New session with it').click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await send(page, text);
}

async function send(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press('Enter');
}

async function copied(page: Page, name: string): Promise<string> {
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await inspector(page).getByRole('button', { name, exact: true }).click();
  await expect.poll(clipboard).not.toBe('');
  return clipboard();
}

test('a 429 counts down where the answer will come, and the answer comes', async ({ page }) => {
  await start(page, '/limited-3', 'hello', 'Hello?');
  await expect(wait(page)).toContainText(/HTTP 429 · asks again in [123] s · attempt 2/);
  await expect(conversation(page).getByText('Hello from the mock server.')).toBeVisible();
  await expect(wait(page)).toBeHidden();
  expect(posts()).toHaveLength(2);
  await row(page, 'Hello from the mock server.').first().click();
  await tab(page, 'Request').click();
  const attempts = inspector(page).getByRole('tabpanel', { name: 'Request' }).getByRole('list').first();
  await expect(attempts).toContainText(/attempt 1\s*HTTP 429\s*waited 3.00 s/);
  await expect(attempts).toContainText(/attempt 2\s*HTTP 200/);
});

test('an abort ends the wait, and nothing more is sent', async ({ page }) => {
  await start(page, '/busy', 'hello', 'Hello?');
  await expect(wait(page)).toContainText(/asks again in \d\d s/);
  await wait(page).getByRole('button', { name: 'Abort' }).click();
  await expect(runState(page)).toHaveText('aborted');
  await expect(wait(page)).toBeHidden();
  expect(posts()).toHaveLength(1);
});

test('the request tab shows what the server got, marks repairs, and copies it without the key', async ({
  page,
}) => {
  await start(page, '', 'slow', 'Slowly.');
  await expect(conversation(page).getByText(/One word comes/)).toBeVisible();
  await composer(page).press('Escape');
  await expect(runState(page)).toHaveText('aborted');
  await send(page, "It's a second try.");
  await expect.poll(() => posts().length).toBe(2);
  await expect(row(page, 'Turn 1')).toHaveCount(2);
  await row(page, 'Turn 1').last().click();
  await tab(page, 'Request').click();
  const panel = inspector(page).getByRole('tabpanel', { name: 'Request' });
  await expect(panel).toContainText(`${server.url}/v1/chat/completions`);
  await expect(panel.getByRole('list', { name: 'Messages of the request' })).toContainText(
    'left out: the answer that failed or was aborted',
  );
  await expect(tab(page, 'Request 1 repair')).toBeVisible();
  expect(JSON.parse(await copied(page, 'Copy body'))).toEqual(posts()[1]?.body);
  const curl = await copied(page, 'Copy as curl');
  expect(curl).toContain('"$API_KEY"');
  expect(curl).toContain(String.raw`It'\''s a second try.`);
  expect(curl + (await page.content())).not.toContain(key);
});
