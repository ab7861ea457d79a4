import { readFile } from 'node:fs/promises';
import AxeBuilder from '@axe-core/playwright';
import type { Locator, Page } from 'playwright/test';
import {
  button,
  composer,
  conversation,
  openScenario,
  queue,
  runState,
  setSpeed,
  visit,
} from './support/parts';
import { expect, test } from './support/test';

const panel = (page: Page) => page.getByRole('region', { name: 'You are the model' });
const answerText = (page: Page) => panel(page).getByRole('textbox', { name: 'Text' });
const call = (page: Page, name: string) => panel(page).getByRole('group', { name });

async function begin(page: Page, prompt: string): Promise<void> {
  await visit(page);
  await page.getByRole('button', { name: /^Scenario: / }).click();
  await page.getByRole('menuitem', { name: 'Be the model…' }).click();
  await expect(page.getByRole('button', { name: 'Model: You' })).toBeVisible();
  await setSpeed(page, 'max');
  await composer(page).fill(prompt);
  await composer(page).press('Enter');
  await waits(page, 1);
}

async function waits(page: Page, turn: number): Promise<void> {
  await expect(panel(page)).toContainText(`run 1, turn ${turn}`);
  await expect(page.getByRole('status').filter({ hasText: 'A request waits' })).toBeAttached();
}

async function addCall(page: Page, tool: RegExp): Promise<void> {
  await panel(page).getByRole('button', { name: 'Call a tool' }).click();
  await page.getByRole('menuitem', { name: tool }).click();
}

async function saved(page: Page, press: Locator): Promise<string> {
  const download = page.waitForEvent('download');
  await press.click();
  return readFile(await (await download).path(), 'utf8');
}

/** The records of the open session, as its export has them, without who the model was: a person, or the script of them. */
async function exported(page: Page): Promise<object[]> {
  await button(page, 'Sessions').click();
  const open = page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'open' });
  const text = await saved(page, open.getByRole('button', { name: /^Export/ }));
  await page.keyboard.press('Escape');
  return text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line, withoutModel) as object);
}

function withoutModel(key: string, value: unknown): unknown {
  return key === 'model' || key === 'api' ? undefined : value;
}

test('a run of three turns is played by a person, and its scenario plays the same trace', async ({
  page,
}) => {
  await begin(page, 'Write two notes and read one.');
  await expect(answerText(page)).toBeFocused();
  await page.keyboard.type('I write both at once.');
  await addCall(page, /^write/);
  await expect(call(page, 'Call 1: write').getByRole('textbox', { name: /^path/ })).toBeFocused();
  await page.keyboard.type('a.txt');
  await call(page, 'Call 1: write')
    .getByRole('textbox', { name: /^content/ })
    .fill('One\nTwo');
  await addCall(page, /^write/);
  await call(page, 'Call 2: write').getByRole('button', { name: 'As JSON' }).click();
  await call(page, 'Call 2: write').getByRole('textbox').fill('{"path": "b.txt",\n "content": "Three"}');
  await page.keyboard.press('ControlOrMeta+Enter');

  await waits(page, 2);
  await composer(page).fill('Say how many lines it has.');
  await composer(page).press('Enter');
  await expect(queue(page, 'Steering').getByRole('listitem')).toHaveCount(1);
  await addCall(page, /^read/);
  await page.keyboard.type('a.txt');
  await panel(page).getByRole('button', { name: 'Answer', exact: true }).click();

  await waits(page, 3);
  await expect(
    panel(page)
      .getByRole('listitem')
      .filter({ has: page.getByText('new', { exact: true }) }),
  ).toHaveText([
    /Assistant message/,
    /Tool result[^]*One\s+Two/,
    /User message[^]*Say how many lines it has/,
  ]);
  await answerText(page).fill('It has two lines.');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(runState(page)).toHaveText('idle');
  const played = await exported(page);
  const scenario = await saved(page, button(page, 'Save what you played as a scenario'));
  // What was saved can be opened at once, and from its file.
  const notice = page.getByRole('log', { name: 'Notices' }).getByRole('group');
  await expect(notice).toContainText(/^Saved as .*-as-played-.*\.scenario\.json\./);
  await notice.getByRole('button', { name: 'Open it now' }).click();
  await expect(page.getByRole('button', { name: /^Scenario: .* \(as played\)$/ })).toBeVisible();
  await openScenario(page, { ...(JSON.parse(scenario) as object), title: 'From the file' });
  await expect(page.getByRole('button', { name: /^Model: Scripted/ })).toBeVisible();
  await button(page, 'Play').click();
  await expect(runState(page)).toHaveText('idle');
  await expect(conversation(page).getByText('It has two lines.')).toBeVisible();
  const replayed = await exported(page);
  expect(played.length).toBeGreaterThan(80);
  expect(replayed).toEqual(played);
});

test('a draft outlives Escape and a reload, and what is wrong is said at the field', async ({ page }) => {
  await begin(page, 'Read it.');
  await addCall(page, /^read/);
  await page.keyboard.type('a.txt');
  await page.keyboard.press('Escape');
  await call(page, 'Call 1: read')
    .getByRole('textbox', { name: /^limit/ })
    .fill('many');
  // Said where it is left, before anybody sends it.
  await answerText(page).focus();
  await expect(call(page, 'Call 1: read').getByText(/^Give a whole number\./)).toBeVisible();
  await page.keyboard.press('ControlOrMeta+Enter');
  const limit = call(page, 'Call 1: read').getByRole('textbox', { name: /^limit/ });
  await expect(limit).toBeFocused();
  await expect(limit).toHaveAccessibleDescription(/^Give a whole number\./);
  await expect(runState(page)).toHaveText('waits for you');

  await page.reload();
  await button(page, 'Continue').click();
  await expect(limit).toHaveValue('many');
  await limit.fill('5');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(panel(page)).toContainText('turn 2');
  await panel(page).getByRole('button', { name: 'Fill in' }).click();
  await page.getByRole('menuitem', { name: /^Again: run \d, turn 1/ }).click();
  await expect(call(page, 'Call 1: read').getByRole('textbox', { name: /^path/ })).toHaveValue('a.txt');

  // What was a draft for this request is none for the next prompt.
  await button(page, 'Abort').click();
  await expect(runState(page)).toHaveText('aborted');
  await composer(page).fill('Something else.');
  await composer(page).press('Enter');
  await expect(panel(page)).toContainText('turn 1');
  await expect(call(page, 'Call 1: read')).toHaveCount(0);
});

test('axe finds nothing, and on a narrow page the answer is reached from any panel', async ({ page }) => {
  await begin(page, 'Read it.');
  await addCall(page, /^grep/);
  await panel(page).getByRole('button', { name: 'Answer', exact: true }).click();
  await expect(panel(page).getByRole('alert')).toBeVisible();
  await expectNoViolations(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name: 'Outline' }).click();
  await expect(panel(page)).toBeHidden();
  await button(page, 'Answer').click();
  await expect(panel(page)).toBeVisible();
  await expectNoViolations(page);
});

async function expectNoViolations(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  expect(told).toEqual([]);
}
