import { textsOutsideTheCatalogue } from './support/catalogue';
import { expect, test } from './support/test';

test('every text of the first screen comes from the catalogue', async ({ page }) => {
  await page.goto('./');
  await expect(page.getByRole('button', { name: '⟦Pláý⟧' }).first()).toBeVisible();
  expect(await textsOutsideTheCatalogue(page)).toEqual([]);
});

test('so does every text of a run, of what is selected, of the queues and of the dialogs', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 1600 });
  await page.goto('./');
  const check = async (where: string) => {
    expect(await textsOutsideTheCatalogue(page), where).toEqual([]);
  };
  await page.getByRole('button', { name: '⟦Pláý⟧', exact: true }).click();
  await expect(page.getByRole('treeitem', { name: /find_restarts/ })).toBeVisible();
  const message = page.getByRole('textbox', { name: '⟦Mésságé⟧' });
  await message.fill('4711');
  await message.press('Alt+Enter');
  await expect(page.getByRole('listitem').filter({ hasText: '4711' }).first()).toBeVisible();
  await page.keyboard.press('F8');
  await check('paused in the middle of a batch');
  for (const row of [/^⟦Rüñ/, /^⟦Türñ/, /find_restarts/, /^⟦póll/]) {
    await page.getByRole('treeitem', { name: row }).first().click();
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      await check(`the inspector on ${row.source}`);
    }
  }
  for (const dialog of [/Séssîóñs/, /Módél/, /Hélp/]) {
    await page.getByRole('button', { name: dialog }).first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await check(`the dialog of ${dialog.source}`);
    await page.keyboard.press('Escape');
  }
  await message.press('Escape');
  await expect(page.getByText('⟦Stóppéd: ábórtéd.⟧')).toBeVisible();
  await check('after an abort');
});

test('texts, labels and titles that are not from the catalogue are found, and raw ones are left alone', async ({
  page,
}) => {
  await page.setContent(`<title>⟦Títlé⟧</title>
    <p>⟦Türñ <b>3</b> óf⟧</p> <p title="⟦Spééd: ⟦fást⟧⟧"></p> <p>Hard-coded</p> <pre data-raw>const raw = <b>true</b></pre>
    <button aria-label="Close">×</button> <input title="⟦Náméd⟧" placeholder="Type here">`);
  expect(await textsOutsideTheCatalogue(page)).toEqual([
    'p: Hard-coded',
    'button: Close',
    'input: Type here',
  ]);
});
