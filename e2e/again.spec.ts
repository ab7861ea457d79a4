import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import {
  button,
  composer,
  conversation,
  expectRows,
  openScenario,
  queue,
  row,
  rowTexts,
  runState,
  setSpeed,
  tall,
  visit,
  why,
} from './support/parts';
import { answers, asks, failsOnce, slowTool } from './support/scenarios';
import { expect, test } from './support/test';

test.use({ viewport: tall });

async function exported(page: Page, title: string): Promise<string> {
  await button(page, 'Sessions').click();
  const download = page.waitForEvent('download');
  await button(page, `Export “${title}”`).first().click();
  const text = await readFile(await (await download).path(), 'utf8');
  await button(page, 'Close').click();
  return text;
}

/** How many records the longest session has in the database: those of the last quarter of a second may be missing. */
function storedRecords(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('epicycle');
        opening.onerror = () => reject(new Error('no database'));
        opening.onsuccess = () => {
          const db = opening.result;
          const reading = db.transaction('sessions').objectStore('sessions').getAll();
          reading.onsuccess = () => {
            db.close();
            resolve(Math.max(...(reading.result as { seq: number }[]).map(({ seq }) => seq)));
          };
        };
      }),
  );
}

test('a reload in the middle of a run shows it as interrupted, and Continue goes on', async ({ page }) => {
  await visit(page);
  await openScenario(page, slowTool);
  await button(page, 'Play').click();
  await expect(row(page, /dig\s+a\.txt/)).toBeVisible();
  await composer(page).fill('Mind the pipes.');
  await composer(page).press('Enter');
  await expect(queue(page, 'Steering').getByRole('listitem')).toHaveCount(1);
  await composer(page).fill('half a thought');
  const shown = Number((await page.getByText(/^\d+ records$/).innerText()).split(' ')[0]);
  await expect.poll(() => storedRecords(page)).toBeGreaterThanOrEqual(shown);
  await page.reload();
  await expect(runState(page)).toHaveText('interrupted');
  await expect(why(page)).toHaveText(/^Interrupted/);
  await expectRows(page, ['Run 1', 'Dig for it.', 'Turn 1', /dig.*interrupted/]);
  await expect(composer(page)).toHaveValue('half a thought');
  await setSpeed(page, 'max');
  await button(page, 'Continue').click();
  await expect(runState(page)).toHaveText('idle');
  await expectRows(page, ['Run 1', 'Run 2', 'Turn 1']);
});

test('a reload after a run shows the same rows again', async ({ page }) => {
  await visit(page);
  await setSpeed(page, 'max');
  await button(page, 'Play').click();
  await expect(runState(page)).toHaveText('idle');
  const before = await rowTexts(page);
  await page.reload();
  await expect(runState(page)).toHaveText('idle');
  await expect.poll(() => rowTexts(page)).toEqual(before);
  expect(before.length).toBeGreaterThan(15);
});

test('a second visit shows the old session, and its export is byte for byte the same', async ({
  page,
  context,
}) => {
  await visit(page);
  await setSpeed(page, 'max');
  await button(page, 'Play').click();
  await expect(runState(page)).toHaveText('idle');
  const title = 'Steering in the middle of a batch';
  const first = await exported(page, title);
  expect(first.split('\n').length).toBeGreaterThan(50);
  await page.close();

  const later = await context.newPage();
  await later.setViewportSize(tall);
  await later.goto('./');
  await expect(runState(later)).toHaveText('idle');
  await expectRows(later, ['Run 1', 'Turn 1', 'count_errors', 'Turn 2']);
  expect(await exported(later, title)).toBe(first);
});

test('Retry takes the failed answer away and asks again', async ({ page }) => {
  await visit(page);
  await openScenario(page, failsOnce);
  await setSpeed(page, 'max');
  await button(page, 'Play').click();
  await expect(runState(page)).toHaveText('failed');
  await expect(why(page)).toHaveText('Stopped: the model failed.');
  await expect(conversation(page).getByText('The provider is overloaded.')).toBeVisible();
  await button(page, 'Retry').click();
  await expect(conversation(page).getByText('Now it works.')).toBeVisible();
  await expect(runState(page)).toHaveText('idle');
  await expect(
    conversation(page).getByText('Retry took 1 failed message out of the transcript.'),
  ).toBeVisible();
});

for (const [choice, result] of [
  ['Allow', 'dug'],
  ['Deny', 'did not allow'],
] as const)
  test(`a call that asks waits for ${choice}`, async ({ page }) => {
    await visit(page);
    await openScenario(page, asks);
    await setSpeed(page, 'max');
    await button(page, 'Play').click();
    const card = page.getByRole('region', { name: 'May this call run?' });
    await expect(card).toContainText('It cannot be undone.');
    await card.getByRole('button', { name: choice }).click();
    await expect(runState(page)).toHaveText('idle');
    await expect(card).toBeHidden();
    await expect(conversation(page).getByRole('button', { name: /^dig/ })).toContainText(
      new RegExp(result, 'i'),
    );
  });

test('sessions are renamed, opened, deleted, and a deletion is taken back', async ({ page }) => {
  await visit(page);
  await setSpeed(page, 'max');
  await button(page, 'Play').click();
  await expect(runState(page)).toHaveText('idle');
  await openScenario(page, answers('Something.'));
  await button(page, 'Sessions').click();
  const dialog = page.getByRole('dialog', { name: 'Sessions' });
  await expect(dialog.getByRole('listitem')).toHaveCount(2);
  await button(page, 'Rename “One answer”').click();
  await dialog.getByRole('textbox', { name: 'Title of the session' }).fill('My session');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('My session')).toBeVisible();
  await button(page, 'Delete “Steering in the middle of a batch”').click();
  await expect(dialog.getByRole('listitem')).toHaveCount(1);
  await expect(dialog.getByRole('button', { name: /^My session/ })).toBeFocused();
  await button(page, 'Undo').click();
  await expect(dialog.getByRole('listitem')).toHaveCount(2);
  await dialog.getByRole('button', { name: /^Steering in the middle/ }).click();
  await expect(dialog).toBeHidden();
  await expect(
    page.getByRole('button', { name: 'Scenario: Steering in the middle of a batch' }),
  ).toBeVisible();
});
