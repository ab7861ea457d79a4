import { textsOutsideTheCatalogue } from './support/catalogue';
import { expect, test } from './support/test';

test('every text of the first screen comes from the catalogue', async ({ page }) => {
  await page.goto('./');
  await expect(page.getByRole('button', { name: '⟦Pláý⟧' }).first()).toBeVisible();
  expect(await textsOutsideTheCatalogue(page)).toEqual([]);
});

test('texts, labels and titles that are not from the catalogue are found, and raw ones are left alone', async ({
  page,
}) => {
  await page.setContent(`<title>⟦Títlé⟧</title>
    <p>⟦Türñ <b>3</b> óf⟧</p> <p>Hard-coded</p> <pre data-raw>const raw = <b>true</b></pre>
    <button aria-label="Close">×</button> <input title="⟦Náméd⟧" placeholder="Type here">`);
  expect(await textsOutsideTheCatalogue(page)).toEqual([
    'p: Hard-coded',
    'button: Close',
    'input: Type here',
  ]);
});
