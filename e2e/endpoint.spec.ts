import { readFile } from 'node:fs/promises';
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

const key = 'sk-test-1234';
const dialog = (page: Page) => page.getByRole('dialog');
const modelField = (page: Page) => dialog(page).getByRole('combobox', { name: 'Model' });
const asked = () => server.requests.filter(({ method }) => method === 'POST');

async function openDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Model: / }).click();
  await expect(dialog(page).getByLabel('Base URL')).toBeVisible();
}

async function useEndpoint(page: Page, baseUrl: string, model: string, apiKey = ''): Promise<void> {
  await openDialog(page);
  await page.getByLabel('Base URL').fill(baseUrl);
  if (apiKey) await page.getByLabel('API key').fill(apiKey);
  await modelField(page).fill(model);
  await button(page, 'New session with it').click();
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole('button', { name: `Model: ${model} at 127.0.0.1:` })).toBeVisible();
}

/** Nobody types behind a dialog: it closes once its session is open. */
async function send(page: Page, text: string): Promise<void> {
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await composer(page).fill(text);
  await composer(page).press('Enter');
}

test('an endpoint is tested, its models are listed, and a run with reasoning, parallel calls and usage shows its cost', async ({
  page,
}) => {
  await visit(page);
  await openDialog(page);
  await button(page, 'Ollama').click();
  await expect(dialog(page).getByText(/OLLAMA_ORIGINS=http:\/\/127\.0\.0\.1:\d+ ollama serve/)).toBeVisible();
  await page.getByLabel('Base URL').fill(`${server.url}/v1`);
  await page.getByLabel('API key').fill(key);
  await button(page, 'List models').click();
  await expect(dialog(page).getByText(/models found/)).toBeVisible();
  await modelField(page).pressSequentially('para');
  await modelField(page).press('ArrowDown');
  await modelField(page).press('Enter');
  await expect(modelField(page)).toHaveValue('parallel');
  await button(page, 'Test connection').click();
  await expect(dialog(page).getByText(/^parallel answered in \d+ ms\.$/)).toBeVisible();

  await dialog(page).getByText('More options').click();
  await page.getByLabel('Thinking level').selectOption('low');
  await page.getByLabel('Temperature').fill('0,5');
  await page.getByLabel('Token limit').fill('500');
  await page.getByLabel('Extra body fields').fill('{\n "top_p": x }');
  await expect(dialog(page).getByText('Not JSON from line 2, column 11 on.')).toBeVisible();
  await expect(button(page, 'New session with it')).toBeDisabled();
  await page.getByLabel('Extra body fields').fill('{ "top_p": 0.9, "user_token": "EXTRA-SECRET" }');
  await expect(dialog(page).getByText(/^Looks like a secret: user_token\./)).toBeVisible();
  for (const [field, price] of Object.entries({ Input: '1000', Output: '10000', 'Cache read': '500' }))
    await page.getByLabel(field, { exact: true }).fill(price);
  await button(page, 'New session with it').click();
  await expect(dialog(page)).toBeHidden();

  server.requests.length = 0;
  await send(page, 'Write two files.');
  await expect(runState(page)).toHaveText('idle');
  await expectRows(page, [
    'Write two files.',
    'Turn 1',
    'write',
    'write',
    'Turn 2',
    'Both files are written.',
  ]);
  await expect(conversation(page).getByText(/^Thought for/)).toBeVisible();
  await expect(conversation(page).getByText('cost 0.62')).toBeVisible();
  expect(asked().map(({ apiKey }) => apiKey)).toEqual([key, key]);
  expect(asked()[0]?.body).toMatchObject({
    reasoning_effort: 'low',
    temperature: 0.5,
    max_tokens: 500,
    top_p: 0.9,
    user_token: 'EXTRA-SECRET',
  });
  await row(page, /write\s+\/notes\/a/).click();
  await expect(page.getByRole('tabpanel', { name: 'Result' })).toContainText('/notes/a.txt');
  expect(await stored(page)).not.toContain('EXTRA-SECRET');
});

test('the list of models floats: the first press after typing counts, and nothing moves for the list', async ({
  page,
}) => {
  await visit(page);
  await openDialog(page);
  await page.getByLabel('Base URL').fill(`${server.url}/v1`);
  await button(page, 'List models').click();
  const list = dialog(page).getByRole('listbox', { name: 'List models' });
  await expect(list).toBeVisible();
  const withList = await dialog(page).boundingBox();
  await modelField(page).press('Escape');
  await expect(list).toBeHidden();
  expect(await dialog(page).boundingBox()).toEqual(withList);
  await modelField(page).pressSequentially('h');
  await expect(list).toBeVisible();
  await modelField(page).pressSequentially('ello');
  await expect(list).toBeHidden();
  await modelField(page).press('Backspace');
  await expect(list).toBeVisible();
  const { x = 0, y = 0 } = (await button(page, 'New session with it').boundingBox()) ?? {};
  await page.mouse.move(x + 9, y + 9);
  await page.mouse.down();
  await page.mouse.up();
  await expect(dialog(page)).toBeHidden();
});

test('an address as people paste it is read, found under /v1, and tested without a model and with the options of a run', async ({
  page,
}) => {
  await visit(page);
  await openDialog(page);
  const address = page.getByLabel('Base URL');
  const host = server.url.replace('http://', '');
  await address.fill(host);
  await expect(dialog(page).getByText(`Used as ${server.url}.`)).toBeVisible();
  await button(page, 'Test connection').click();
  await expect(dialog(page).getByText(/^The server answers and offers \d+ models\./)).toBeVisible();
  await expect(address).toHaveValue(`${server.url}/v1`);
  await address.fill(host);
  await button(page, `Use ${server.url}/v1`).click();
  await expect(address).toHaveValue(`${server.url}/v1`);
  await address.fill(host);
  await button(page, 'List models').click();
  await expect(dialog(page).getByText(/models found/)).toBeVisible();
  await expect(address).toHaveValue(`${server.url}/v1`);
  await address.fill(`${server.url}/v1/chat/completions?api-version=1`);
  await expect(
    dialog(page).getByText(/^Used as .*\/v1\?api-version=1: \/chat\/completions is added/),
  ).toBeVisible();
  await modelField(page).fill('hello');
  await dialog(page).getByText('More options').click();
  await page.getByLabel('Thinking level').selectOption('low');
  await page.getByLabel('Extra body fields').fill('{ "top_p": 0.9 }');
  await button(page, 'Test connection').click();
  await expect(dialog(page).getByText(/^hello answered in/)).toBeVisible();
  expect(asked().at(-1)?.body).toMatchObject({ reasoning_effort: 'low', top_p: 0.9 });
  await button(page, 'New session with it').click();
  await send(page, 'Hello?');
  await expect(conversation(page).getByText('Hello from the mock server.')).toBeVisible();
});

test('a run speaks the Responses API', async ({ page }) => {
  await visit(page);
  await openDialog(page);
  await page.getByLabel('Base URL').fill(`${server.url}/v1`);
  await page.getByLabel('API', { exact: true }).selectOption('Responses');
  await modelField(page).fill('parallel');
  await button(page, 'New session with it').click();
  await send(page, 'Write two files.');
  await expect(runState(page)).toHaveText('idle');
  await expectRows(page, [
    'Write two files.',
    'Turn 1',
    'write',
    'write',
    'Turn 2',
    'Both files are written.',
  ]);
  await expect(conversation(page).getByText(/^Thought for/)).toBeVisible();
  expect(asked().map(({ path }) => path)).toEqual(['/v1/responses', '/v1/responses']);
});

/** All that the page keeps, but for the settings of the database. */
async function stored(page: Page, settings = false): Promise<string> {
  return page.evaluate(async (onlySettings) => {
    const shown: string[] = onlySettings
      ? []
      : [JSON.stringify([{ ...localStorage }, { ...sessionStorage }])];
    const text = (_: string, value: unknown) =>
      ArrayBuffer.isView(value) ? new TextDecoder().decode(value) : value;
    for (const { name = '' } of await indexedDB.databases()) {
      const opening = indexedDB.open(name);
      const db = await new Promise<IDBDatabase>((resolve) => {
        opening.onsuccess = () => resolve(opening.result);
      });
      for (const store of db.objectStoreNames) {
        if ((store === 'settings') !== onlySettings) continue;
        const reading = db.transaction(store).objectStore(store).getAll();
        await new Promise((resolve) => (reading.onsuccess = resolve));
        shown.push(JSON.stringify(reading.result, text));
      }
      db.close();
    }
    return shown.join('\n');
  }, settings);
}

async function exported(page: Page): Promise<string> {
  await button(page, 'Sessions').click();
  const downloading = page.waitForEvent('download');
  await dialog(page)
    .getByRole('button', { name: /^Export/ })
    .first()
    .click();
  const text = await readFile(await (await downloading).path(), 'utf8');
  await button(page, 'Close').click();
  return text;
}

test('a key is found nowhere but in its tab, or in the settings store once it shall be remembered, until it is forgotten', async ({
  page,
  context,
}) => {
  await visit(page);
  await useEndpoint(page, `${server.url}/unauthorized/v1`, 'hello', key);
  await send(page, 'Hello?');
  await expect(runState(page)).toHaveText('failed');
  const ofTab = await page.evaluate(() => sessionStorage.getItem('epicycle.keys'));
  expect(JSON.parse(ofTab ?? '{}')).toEqual({ [server.url]: key });
  expect((await stored(page)).split(key)).toHaveLength(2);
  expect(await stored(page, true)).not.toContain(key);
  expect(await page.content()).not.toContain(key);
  expect(await exported(page)).not.toContain(key);

  await openDialog(page);
  await page.getByLabel('Remember the key on this device').check();
  await expect.poll(() => stored(page, true)).toContain(key);
  expect(await stored(page)).not.toContain(key);
  expect(await page.content()).not.toContain(key);

  const other = await context.newPage();
  await other.goto('./');
  await expect(runState(other)).toBeVisible();
  await useEndpoint(other, `${server.url}/v1`, 'hello');
  await send(other, 'Hello?');
  await expect(conversation(other).getByText('Hello from the mock server.')).toBeVisible();
  expect(asked().at(-1)?.apiKey).toBe(key);
  await openDialog(other);
  await button(other, 'Forget key').click();
  await expect.poll(() => stored(other, true)).not.toContain(key);
  await button(other, 'Close').click();
  await send(other, 'And again?');
  await expect.poll(() => asked().at(-1)?.apiKey).toBeUndefined();
});

test('what is wrong with an endpoint is said by the test and by the run, and another one goes on', async ({
  page,
  breakages,
}) => {
  const dead = await startMockServer();
  await dead.close();
  await visit(page);
  await useEndpoint(page, `${server.url}/v1`, 'hello', key);
  for (const [baseUrl, model, sentence] of [
    [`${server.url}/unauthorized/v1`, 'hello', /does not accept the API key \(401\)/],
    [`${server.url}/v1`, 'nobody', /does not know the model “nobody”/],
    [`${server.url}/html/v1`, 'hello', /does not answer like a model API/],
    [`${server.url}/no-cors/v1`, 'hello', /does not allow pages of/],
    [`${dead.url}/v1`, 'hello', /cannot be reached/],
  ] as const) {
    await openDialog(page);
    await page.getByLabel('Base URL').fill(baseUrl);
    await modelField(page).fill(model);
    await button(page, 'Test connection').click();
    await expect(dialog(page).getByText(sentence)).toBeVisible();
    await button(page, 'Use it in this session').click();
    await expect(dialog(page)).toBeHidden();
    await send(page, 'Hello?');
    await expect(conversation(page).getByText(sentence)).toBeVisible({ timeout: 20_000 });
    await expect(runState(page)).toHaveText('failed');
  }
  await conversation(page).getByRole('button', { name: 'Change endpoint…' }).last().click();
  await dialog(page)
    .getByRole('list', { name: 'Used last' })
    .getByRole('button', { name: /^hello 127/ })
    .last()
    .click();
  await expect(page.getByLabel('Base URL')).toHaveValue(`${server.url}/v1`);
  // Whoever comes to change it means this session.
  await page.getByLabel('Base URL').press('Enter');
  await expect(dialog(page)).toBeHidden();
  await button(page, 'Retry').click();
  await expect(conversation(page).getByText('Hello from the mock server.')).toBeVisible();
  // The browser itself logs what it refuses.
  breakages.length = 0;
});

test('a test of a server that says nothing can be cancelled', async ({ page }) => {
  await visit(page);
  await openDialog(page);
  await page.getByLabel('Base URL').fill(`${server.url}/hang/v1`);
  await modelField(page).fill('hello');
  await button(page, 'Test connection').click();
  await expect(dialog(page).getByText(/^Waiting for the first that comes/)).toBeVisible();
  await button(page, 'Cancel the test').click();
  await expect(button(page, 'Test connection')).toBeFocused();
  await expect(dialog(page).getByText(/^Waiting for/)).toBeHidden();
});

test('Escape aborts an answer that streams, Retry asks again, and who would leave is asked first', async ({
  page,
}) => {
  await visit(page);
  await useEndpoint(page, `${server.url}/v1`, 'slow');
  await send(page, 'Slowly.');
  await expect(conversation(page).getByText(/One word comes/)).toBeVisible();
  await composer(page).press('Escape');
  await expect(runState(page)).toHaveText('aborted');
  await expect(why(page)).toHaveText('Stopped: aborted.');
  await button(page, 'Retry').click();
  await expect(runState(page)).toHaveText('running');
  const another = async () => {
    await page.getByRole('button', { name: /^Scenario: / }).click();
    await page.getByRole('menuitemradio', { name: /^One turn/ }).click();
  };
  await another();
  await page.getByRole('dialog', { name: 'A run is going on' }).getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(runState(page)).toHaveText('running');
  await another();
  await button(page, 'Abort it and leave').click();
  await expect(runState(page)).toHaveText('ready');
});

test('addresses and keys that cannot be are said at their fields and kept nowhere; the rest of what was typed is there again', async ({
  page,
}) => {
  await visit(page);
  await openDialog(page);
  const address = page.getByLabel('Base URL');
  await address.fill('example');
  await expect(page.getByText('This is not a web address.')).toBeVisible();
  await modelField(page).fill('draft-model');
  await address.fill('http://user:PASSWORD@host.test/v1?api_key=SECRET');
  await expect(dialog(page).getByText('must not carry a name, a password or a query')).toBeVisible();
  await expect(button(page, 'New session with it')).toBeDisabled();
  await modelField(page).press('Enter');
  await expect(dialog(page)).toBeVisible();
  expect(await stored(page)).not.toMatch(/PASSWORD|SECRET/);

  await address.fill(`${server.url}/v1`);
  for (const bad of ['schlüssel-1234', 'sk-two words']) {
    await page.getByLabel('API key').fill(bad);
    await page.getByLabel('API key').blur();
    await expect(dialog(page).getByText('This cannot be a key')).toBeVisible();
    await expect(button(page, 'New session with it')).toBeDisabled();
    expect(await stored(page)).not.toContain(bad);
  }
  await page.getByLabel('System prompt').fill('Be a draft.');
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  await page.reload();
  await expect(button(page, 'Play')).toBeEnabled();
  await openDialog(page);
  await expect(address).toHaveValue(`${server.url}/v1`);
  await expect(modelField(page)).toHaveValue('draft-model');
  await expect(page.getByLabel('System prompt')).toHaveValue('Be a draft.');
  await expect(page.getByLabel('API key')).toHaveValue('');
});

test('lists that fail say what to check, and what the worker refuses is said in the dialog', async ({
  page,
  context,
  breakages,
}) => {
  await visit(page);
  await openDialog(page);
  await page.getByLabel('Base URL').fill(`${server.url}/other/place`);
  await button(page, 'List models').click();
  await expect(dialog(page).getByText(/There is no model list at .*Check the base URL/)).toBeVisible();
  await page.getByLabel('Base URL').fill(`${server.url}/v1`);
  await context.setOffline(true);
  await button(page, 'List models').click();
  await expect(dialog(page).getByText(/The browser is offline/)).toBeVisible();
  await context.setOffline(false);
  // The browser itself logs the request that failed.
  breakages.length = 0;

  await modelField(page).fill('hello');
  await page.evaluate(() => {
    // The worker is asked, and answers with a refusal.
    type Send = (this: Worker, message: { type: string }) => void;
    const post = Reflect.get(Worker.prototype, 'postMessage') as Send;
    Worker.prototype.postMessage = function (this: Worker, message: { type: string; setup?: object }) {
      const bad = { ...message.setup, endpoint: { baseUrl: 'none', model: 'm', api: 'openai-chat' } };
      post.call(this, message.type === 'create' ? { ...message, setup: bad } : message);
    } as typeof Worker.prototype.postMessage;
  });
  await button(page, 'New session with it').click();
  await expect(dialog(page).getByRole('alert')).toContainText('“none” is not an http or https address');
  await expect(modelField(page)).toHaveValue('hello');
  expect(await page.evaluate(() => localStorage.getItem('epicycle.endpoints'))).toBeNull();
});

test('a scenario that a person’s own model plays asks for the endpoint before anything is sent', async ({
  page,
}) => {
  await visit(page);
  await useEndpoint(page, `${server.url}/v1`, 'hello');
  const scenario = {
    version: 1,
    title: 'Live one',
    start: 'prompt',
    prompts: ['Hello?'],
    model: { kind: 'live' },
  };
  const chosen = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: /^Scenario: / }).click();
  await page.getByRole('menuitem', { name: 'Open a scenario file…' }).click();
  const buffer = Buffer.from(JSON.stringify(scenario));
  await (await chosen).setFiles({ name: 'live.json', mimeType: 'application/json', buffer });
  await expect(dialog(page).getByText('“Live one” is played by a model of your own.')).toBeVisible();
  await expect(page.getByLabel('Base URL')).toHaveValue(`${server.url}/v1`);
  await button(page, 'Open the scenario with it').click();
  await expect(page.getByRole('button', { name: 'Scenario: Live one' })).toBeVisible();
  expect(asked()).toEqual([]);
  await send(page, 'Hello?');
  await expect(conversation(page).getByText('Hello from the mock server.')).toBeVisible();
});
