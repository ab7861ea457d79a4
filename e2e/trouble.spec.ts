import type { Page } from 'playwright/test';
import { button, composer, conversation, openScenario, runState, setSpeed, visit } from './support/parts';
import { answers } from './support/scenarios';
import { expect, test } from './support/test';

test('a worker that fails to load is said, and Restart starts it', async ({ page, breakages }) => {
  await page.route('**/assets/main-*.js', (route) => route.abort());
  await page.goto('./');
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('worker failed to start or stopped');
  await page.unroute('**/assets/main-*.js');
  await button(page, 'Restart').click();
  await expect(button(page, 'Play')).toBeEnabled();
  await expect(alert).toBeHidden();
  breakages.length = 0;
});

test('a dialog that is opened before the session is there stays open when it comes', async ({ page }) => {
  let letWorkerStart = () => {};
  const mayStart = new Promise<void>((resolve) => (letWorkerStart = resolve));
  await page.route('**/assets/main-*.js', async (route) => {
    await mayStart;
    await route.continue();
  });
  await page.goto('./');
  await page.getByRole('button', { name: 'Help', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  letWorkerStart();
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('epicycle.session'))).not.toBeNull();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(button(page, 'Play')).toBeEnabled();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a worker that dies without a word is said within a second, and its session comes back', async ({
  page,
}) => {
  await visit(page);
  const [worker] = page.workers();
  await worker?.evaluate(() => self.close());
  await expect(page.getByRole('alert')).toContainText('worker failed to start or stopped', { timeout: 1000 });
  await button(page, 'Restart').click();
  await expect(button(page, 'Play')).toBeEnabled();
});

test('a browser without a database says so; the session plays, and can be exported', async ({ page }) => {
  const without = "Object.defineProperty(globalThis, 'indexedDB', { value: undefined });";
  await page.addInitScript(without);
  await page.route('**/assets/main-*.js', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${without}\n${await response.text()}` });
  });
  await visit(page);
  await expect(page.getByRole('alert')).toContainText('gives the page no database');
  await setSpeed(page, 'max');
  await button(page, 'Play').click();
  await expect(runState(page)).toHaveText('idle');
  const download = page.waitForEvent('download');
  await page.getByRole('alert').getByRole('button', { name: 'Export as JSONL' }).click();
  expect((await download).suggestedFilename()).toMatch(/\.epicycle\.jsonl$/);
});

test('what was typed survives a worker that is gone', async ({ page }) => {
  await visit(page);
  await composer(page).fill('not lost');
  await page.workers()[0]?.evaluate(() => self.close());
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(composer(page)).toHaveValue('not lost');
  await button(page, 'Restart').click();
  await expect(button(page, 'Play')).toBeEnabled();
  await expect(composer(page)).toHaveValue('not lost');
});

for (const [name, text, sentence] of [
  ['no JSON', '{"version": 1,,}', /no JSON: look at line 1/],
  ['of a later version', '{"version": 99}', /has version 99/],
  ['of a version that is a text', '{"version": "1"}', /version must be the number 1, but is "1"/],
  ['null', 'null', /A scenario is a JSON object, but this file holds null/],
  ['empty', '', /This file is empty/],
  ['an exported session', '{"epicycle":1,"title":"x"}\n{"seq":1}\n', /exported session, not a scenario/],
  ['without a model', '{"version": 1, "title": "x", "start": "prompt"}', /model is missing/],
] as const)
  test(`a scenario file that is ${name} is refused with one sentence, and the open session stays`, async ({
    page,
  }) => {
    await visit(page);
    const chosen = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: /^Scenario: / }).click();
    await page.getByRole('menuitem', { name: 'Open a scenario file…' }).click();
    await (
      await chosen
    ).setFiles({ name: 'bad.json', mimeType: 'application/json', buffer: Buffer.from(text) });
    const notices = page.getByRole('log', { name: 'Notices' });
    await expect(notices).toContainText('“bad.json” cannot be played.');
    await expect(notices).toContainText(sentence);
    await expect(button(page, 'Play')).toBeEnabled();
  });

test('hostile Markdown does nothing and loads nothing', async ({ page, baseURL }) => {
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(baseURL ?? '') && !/^(blob|data):/.test(request.url()))
      foreign.push(request.url());
  });
  await visit(page);
  const text = [
    '# Fine',
    '<img src="https://evil.test/a.png" onerror="window.hacked = 1"><script>window.hacked = 2</script>',
    '![track me](https://evil.test/pixel.png)',
    '[click](javascript:window.hacked=3) and [data](data:text/html,<script>1</script>) and [fine](https://good.test/)',
    '<iframe src="https://evil.test"></iframe><svg onload="window.hacked=4"><style>body{display:none}</style></svg>',
    '<form action="https://evil.test"><input name="Message"></form><base href="https://evil.test/">',
    '| <img src=x onerror=window.hacked=5> | `<b>` |\n| - | - |\n| [a](vbscript:x) | ok |',
  ].join('\n\n');
  await openScenario(page, answers(text));
  await setSpeed(page, 'max');
  await button(page, 'Play').click();
  await expect(runState(page)).toHaveText('idle');
  const shown = conversation(page);
  await expect(shown.getByRole('heading', { name: 'Fine' })).toBeVisible();
  await expect(shown.getByText('<script>window.hacked = 2</script>')).toBeVisible();
  const image = shown.getByRole('link', { name: 'track me' });
  await expect(image).toHaveAttribute('href', 'https://evil.test/pixel.png');
  for (const link of [image, shown.getByRole('link', { name: 'fine' })]) {
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer');
    await expect(link).toHaveAttribute('target', '_blank');
  }
  await expect(shown.getByRole('link', { name: 'click' })).toHaveCount(0);
  await expect(shown.locator('img, script, iframe, form, style, base, svg[onload]')).toHaveCount(0);
  expect(await page.evaluate(() => (window as { hacked?: number }).hacked)).toBeUndefined();
  expect(foreign).toEqual([]);
});

test('notices cover neither composer nor buttons, and Escape on one closes it alone', async ({ page }) => {
  await visit(page);
  const notices = page.getByRole('log', { name: 'Notices' });
  for (let time = 0; time < 2; time++) {
    const chosen = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: /^Scenario: / }).click();
    await page.getByRole('menuitem', { name: 'Open a scenario file…' }).click();
    await (
      await chosen
    ).setFiles({ name: 'bad.json', mimeType: 'application/json', buffer: Buffer.from('{') });
    await expect(notices.getByRole('group')).toHaveCount(1);
  }
  const box = await notices.boundingBox();
  const field = await page.getByRole('textbox', { name: 'Message' }).boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(field?.y ?? 0);
  await page.getByRole('textbox', { name: 'Message' }).focus();
  await notices.getByRole('button', { name: 'Close' }).focus();
  await page.keyboard.press('Escape');
  await expect(notices.getByRole('group')).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
});

test('a title and a description without a break, or that turn the direction, stay in their places', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await visit(page);
  const turned = '\u202e' + 'x'.repeat(400);
  const scenario = Object.assign(answers('Well.'), { title: turned.slice(0, 100), description: turned });
  await openScenario(page, scenario);
  const description = page.locator('p').filter({ hasText: 'x'.repeat(300) });
  const widths = await description.evaluate((p) => [p.scrollWidth, p.clientWidth]);
  expect(widths[0]).toBeLessThanOrEqual(widths[1] ?? 0);
  // And nothing else of the page is wider than it.
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1024);
});

test('the page is never taller than its window: only its panels scroll', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await visit(page);
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);
  await openScenario(page, answers(Array.from({ length: 80 }, (_, n) => `Paragraph ${n}.`).join('\n\n')));
  await setSpeed(page, 'max');
  await button(page, 'Play').click();
  await expect(runState(page)).toHaveText('idle');
  expect(await height()).toBe(800);
  await page.getByRole('button', { name: /^Scenario: / }).click();
  await page.getByRole('menuitem', { name: 'Be the model…' }).click();
  await expect(page.getByRole('button', { name: 'Scenario: none' })).toBeVisible();
  await composer(page).fill('Read it.');
  await composer(page).press('Enter');
  const answer = page.getByRole('region', { name: 'You are the model' });
  for (let n = 1; n <= 3; n++) {
    await answer.getByRole('button', { name: 'Call a tool' }).click();
    await page.getByRole('menuitem').first().click();
    await expect(answer.getByRole('group', { name: new RegExp(`^Call ${n}`) })).toBeVisible();
  }
  expect(await height()).toBe(800);
});

test('enlarged to 400 %, the page scrolls as a whole, and the composer covers nothing', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 225 });
  await visit(page);
  const main = await page.getByRole('main').boundingBox();
  const field = await page.getByRole('textbox', { name: 'Message' }).boundingBox();
  expect(main?.height).toBeGreaterThan(200);
  expect(field?.y).toBeGreaterThanOrEqual((main?.y ?? 0) + (main?.height ?? 0));
  await page.getByRole('textbox', { name: 'Message' }).scrollIntoViewIfNeeded();
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeInViewport();
});

test('with forced colours, what is pressed is marked without a background', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await visit(page);
  const pressed = page.getByRole('group', { name: 'What to show' }).getByRole('button', { pressed: true });
  await expect(pressed).toHaveCSS('outline-style', 'solid');
});

test('the entry for a scenario file is in sight however long the menu is', async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 500 });
  await visit(page);
  await page.getByRole('button', { name: /^Scenario: / }).click();
  await expect(page.getByRole('menuitem', { name: 'Open a scenario file…' })).toBeInViewport({ ratio: 1 });
});

/** Scripts of that name load when the function that is given back is called. */
async function holdScript(page: Page, name: string): Promise<() => void> {
  let letLoad = () => {};
  const mayLoad = new Promise<void>((resolve) => (letLoad = resolve));
  await page.route(`**/assets/${name}-*.js`, async (route) => {
    await mayLoad;
    await route.continue();
  });
  return letLoad;
}

test('what is typed while the palette or the search field still loads arrives in it', async ({ page }) => {
  const loadPalette = await holdScript(page, 'Palette');
  const loadOutline = await holdScript(page, 'Outline');
  await visit(page);
  await composer(page).focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('helq');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('p');
  await page.keyboard.press('Enter');
  loadPalette();
  await expect(page.getByRole('dialog', { name: 'Help' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(composer(page)).toHaveValue('');
  await button(page, 'Play').focus();
  await page.keyboard.press('/');
  await page.keyboard.type('tool');
  loadOutline();
  const field = page.getByRole('textbox', { name: 'Search the trace' });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('tool');
});

test('a part of the page that cannot be loaded is said in a sentence, and the open session stays', async ({
  page,
  breakages,
}) => {
  await page.route(/assets\/(HelpDialog|parallel-tools)-.*\.js$/, (route) => route.abort());
  await visit(page);
  const scenario = page.getByRole('button', { name: /^Scenario: / });
  const before = await scenario.getAttribute('aria-label');
  const notice = page.getByRole('log', { name: 'Notices' });
  await page.getByRole('button', { name: 'Help', exact: true }).click();
  await expect(notice).toContainText('A part of the page could not be loaded.');
  await notice.getByRole('button', { name: 'Close' }).click();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('scenario: parallel');
  await page.keyboard.press('Enter');
  await expect(notice).toContainText('A part of the page could not be loaded.');
  await expect(notice).not.toContainText('http');
  expect(await scenario.getAttribute('aria-label')).toBe(before);
  await notice.getByRole('button', { name: 'Reload' }).click();
  await expect(notice.getByRole('button')).toHaveCount(0);
  await expect(button(page, 'Play')).toBeEnabled();
  breakages.length = 0;
});
