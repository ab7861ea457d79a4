import type { Page } from 'playwright/test';
import { startMockServer } from './mock-server';
import type { MockServer } from './mock-server';
import { button, composer, conversation, expectRows, row, runState, tall, visit, why } from './support/parts';
import { expect, test } from './support/test';

test.use({ viewport: tall });

let server: MockServer;
test.beforeEach(async () => {
  server = await startMockServer();
});
test.afterEach(() => server.close());

async function useEndpoint(page: Page, baseUrl: string, model: string, key = ''): Promise<void> {
  await page.getByRole('button', { name: /^Model: / }).click();
  await page.getByLabel('Base URL').fill(baseUrl);
  if (key) await page.getByLabel('API key').fill(key);
  await page.getByLabel('Model', { exact: true }).fill(model);
  await button(page, 'New session with it').click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: `Model: ${model}` })).toBeVisible();
}

async function send(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press('Enter');
}

test('a run with an endpoint writes and reads a file with two tool calls', async ({ page }) => {
  await visit(page);
  await useEndpoint(page, `${server.url}/v1`, 'files', 'sk-test-1234');
  await send(page, 'Write a file and read it.');
  await expect(runState(page)).toHaveText('idle');
  await expectRows(page, [
    'Write a file and read it.',
    'Turn 1',
    'write',
    'Turn 2',
    'read',
    'Turn 3',
    'The file says: Hello, file!',
  ]);
  await expect(page.getByText('hello.txt').first()).toBeVisible();
  const asked = server.requests.filter(({ method }) => method === 'POST');
  expect(asked.map(({ apiKey }) => apiKey)).toEqual(['sk-test-1234', 'sk-test-1234', 'sk-test-1234']);
  await row(page, /read\s+\/notes/).click();
  await expect(page.getByRole('tabpanel', { name: 'Result' })).toContainText('Hello, file!');
});

test('the key is kept for this tab and its origin only, and can be forgotten', async ({ page, context }) => {
  await visit(page);
  await useEndpoint(page, `${server.url}/v1`, 'hello', 'sk-test-1234');
  const kept = await page.evaluate(
    () => JSON.stringify({ ...localStorage }) + JSON.stringify(sessionStorage),
  );
  expect(kept.match(/sk-test-1234/g)).toHaveLength(1);
  await send(page, 'Hello?');
  await expect(conversation(page).getByText('Hello from the mock server.')).toBeVisible();
  await page.getByRole('button', { name: /^Model: / }).click();
  await button(page, 'Forget key').click();
  await button(page, 'Close').click();
  await send(page, 'And again?');
  await expect.poll(() => server.requests.filter(({ method }) => method === 'POST').length).toBe(2);
  expect(server.requests.at(-1)?.apiKey).toBeUndefined();

  const other = await context.newPage();
  await other.goto('./');
  await expect(runState(other)).toBeVisible();
  expect(await other.evaluate(() => sessionStorage.getItem('epicycle.keys'))).toBeNull();
});

test('the models of an endpoint are listed', async ({ page }) => {
  await visit(page);
  await page.getByRole('button', { name: /^Model: / }).click();
  await page.getByLabel('Base URL').fill(`${server.url}/v1`);
  await button(page, 'List models').click();
  await expect(page.getByRole('dialog').getByText(/models found/)).toBeVisible();
  await page.getByRole('option', { name: 'parallel' }).click();
  await expect(page.getByLabel('Model', { exact: true })).toHaveValue('parallel');
});

test('Escape aborts an answer that streams, and Retry asks again', async ({ page }) => {
  await visit(page);
  await useEndpoint(page, `${server.url}/v1`, 'slow');
  await send(page, 'Slowly.');
  await expect(conversation(page).getByText(/One word comes/)).toBeVisible();
  await composer(page).press('Escape');
  await expect(runState(page)).toHaveText('aborted');
  await expect(why(page)).toHaveText('Stopped: aborted.');
  await button(page, 'Retry').click();
  await expect(runState(page)).toHaveText('running');
  await composer(page).press('Escape');
  await expect(runState(page)).toHaveText('aborted');
});

for (const [behaviour, sentence] of [
  ['unauthorized', /asks for an API key/],
  ['no-cors', /does not allow pages of/],
  ['html', /does not answer like a model API/],
] as const)
  test(`a server that is ${behaviour} is explained in the conversation`, async ({ page, breakages }) => {
    await visit(page);
    await useEndpoint(page, `${server.url}/${behaviour}/v1`, 'hello');
    await send(page, 'Hello?');
    await expect(runState(page)).toHaveText('failed');
    await expect(conversation(page).getByText(sentence)).toBeVisible();
    await expect(button(page, 'Retry')).toBeEnabled();
    // The browser itself logs what it refuses.
    if (behaviour === 'no-cors') breakages.length = 0;
  });

test('a port where nobody listens is explained, and the session stays usable', async ({ page }) => {
  await visit(page);
  await useEndpoint(page, `${server.url}/v1`, 'hello');
  await server.close();
  await send(page, 'Hello?');
  await expect(runState(page)).toHaveText('failed', { timeout: 20_000 });
  await expect(conversation(page).getByText(/cannot be reached/)).toBeVisible();
  server = await startMockServer({ port: Number(new URL(server.url).port) });
  await button(page, 'Retry').click();
  await expect(conversation(page).getByText('Hello from the mock server.')).toBeVisible();
});

test('an address that is none is said at the field', async ({ page }) => {
  await visit(page);
  await page.getByRole('button', { name: /^Model: / }).click();
  await page.getByLabel('Base URL').fill('example');
  await expect(page.getByText('This is not a web address.')).toBeVisible();
  await expect(button(page, 'New session with it')).toBeDisabled();
});

test('an address with secrets is refused at the field, and neither it nor they are stored', async ({
  page,
}) => {
  await visit(page);
  await page.getByRole('button', { name: /^Model: / }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Base URL').fill('http://user:PASSWORD@host.test/v1?api_key=SECRET');
  await dialog.getByLabel('Model', { exact: true }).fill('hello');
  await expect(dialog.getByText('must not carry a name, a password or a query')).toBeVisible();
  await expect(button(page, 'New session with it')).toBeDisabled();
  await dialog.getByLabel('Model', { exact: true }).press('Enter');
  await expect(dialog).toBeVisible();
  await button(page, 'Close').click();
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(kept).not.toMatch(/PASSWORD|SECRET/);
});

test('what was typed for an endpoint is there again after Escape and a reload, but for the key', async ({
  page,
}) => {
  await visit(page);
  const open = () => page.getByRole('button', { name: /^Model: / }).click();
  const dialog = page.getByRole('dialog');
  const expectDraft = async () => {
    await expect(dialog.getByLabel('Base URL')).toHaveValue('https://draft.test/v1');
    await expect(dialog.getByLabel('Model', { exact: true })).toHaveValue('draft-model');
    await expect(dialog.getByLabel('System prompt')).toHaveValue('Be a draft.');
    await expect(dialog.getByLabel('API key')).toHaveValue('');
  };
  await open();
  await dialog.getByLabel('Base URL').fill('https://draft.test/v1');
  await dialog.getByLabel('Model', { exact: true }).fill('draft-model');
  await dialog.getByLabel('API key').fill('half a key');
  await dialog.getByLabel('System prompt').fill('Be a draft.');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await open();
  await expectDraft();
  await page.reload();
  await expect(button(page, 'Play')).toBeEnabled();
  await open();
  await expectDraft();
});

test('the dialog stays open with what the worker refuses, and says it there', async ({ page }) => {
  await visit(page);
  await page.getByRole('button', { name: /^Model: / }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Base URL').fill(`${server.url}/v1`);
  await dialog.getByLabel('Model', { exact: true }).fill('hello');
  await page.evaluate(() => {
    // The worker is asked, and answers with a refusal.
    type Send = (this: Worker, message: { type: string }) => void;
    const send = Reflect.get(Worker.prototype, 'postMessage') as Send;
    Worker.prototype.postMessage = function (this: Worker, message: { type: string; setup?: object }) {
      const bad = { ...message.setup, endpoint: { baseUrl: 'none', model: 'm', api: 'openai-chat' } };
      send.call(this, message.type === 'create' ? { ...message, setup: bad } : message);
    } as typeof Worker.prototype.postMessage;
  });
  await button(page, 'New session with it').click();
  await expect(dialog.getByRole('alert')).toContainText('“none” is not an http or https address');
  await expect(dialog.getByLabel('Model', { exact: true })).toHaveValue('hello');
  expect(await page.evaluate(() => localStorage.getItem('epicycle.endpoints'))).toBeNull();
});

for (const key of ['schlüssel-1234', 'sk-two words'])
  test(`the key “${key}” is refused at its field and kept nowhere`, async ({ page }) => {
    await visit(page);
    await page.getByRole('button', { name: /^Model: / }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Base URL').fill(`${server.url}/v1`);
    await dialog.getByLabel('Model', { exact: true }).fill('hello');
    await dialog.getByLabel('API key').fill(key);
    await dialog.getByLabel('API key').blur();
    await expect(dialog.getByText('This cannot be a key')).toBeVisible();
    await expect(button(page, 'New session with it')).toBeDisabled();
    expect(await page.evaluate(() => sessionStorage.getItem('epicycle.keys') ?? '')).not.toContain(key);
    await dialog.getByLabel('API key').fill('  sk-fine-1234  ');
    await button(page, 'New session with it').click();
    await expect(dialog).toBeHidden();
    await send(page, 'Hello?');
    await expect(conversation(page).getByText('Hello from the mock server.')).toBeVisible();
    expect(server.requests.at(-1)?.apiKey).toBe('sk-fine-1234');
  });

test('an address without a model list says what to check', async ({ page }) => {
  await visit(page);
  await page.getByRole('button', { name: /^Model: / }).click();
  await page.getByLabel('Base URL').fill(`${server.url}/other`);
  await button(page, 'List models').click();
  await expect(
    page.getByRole('dialog').getByText(/There is no model list at .*Check the base URL/),
  ).toBeVisible();
});

test('a browser that is offline says so', async ({ page, context, breakages }) => {
  await visit(page);
  await useEndpoint(page, `${server.url}/v1`, 'hello');
  await context.setOffline(true);
  await page.getByRole('button', { name: /^Model: / }).click();
  await button(page, 'List models').click();
  await expect(page.getByRole('dialog').getByText(/The browser is offline/)).toBeVisible();
  await context.setOffline(false);
  // The browser itself logs the request that failed.
  breakages.length = 0;
});
