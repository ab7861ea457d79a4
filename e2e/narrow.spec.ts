import { expectNoViolations } from './support/axe';
import { button, openScenario, runState, setSpeed, visit } from './support/parts';
import { asks } from './support/scenarios';
import { expect, test } from './support/test';

test.use({ viewport: { width: 390, height: 844 } });

test('on a narrow page a question stands once on each tab, and is answered from any', async ({ page }) => {
  await visit(page);
  await openScenario(page, asks);
  await setSpeed(page, 'max');
  await button(page, 'Play').first().click();
  const question = page.getByRole('region', { name: 'May this call run?' });
  const tabs = page.getByRole('navigation', { name: 'Panels' }).getByRole('button');
  await expect(tabs).toHaveCount(7);
  for (const tab of await tabs.all()) {
    await tab.click();
    await expect(question).toHaveCount(1);
    await expect(question.getByRole('button', { name: 'Allow' }).first()).toBeInViewport({ ratio: 1 });
  }
  await question.getByRole('button', { name: 'Allow' }).first().click();
  await expect(runState(page)).toHaveText('idle');
});

test('on a narrow page the bar keeps the title, and a menu has what is needed seldom', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await visit(page);
  const title = page.getByRole('button', { name: /^Scenario: / });
  expect((await title.boundingBox())?.width).toBeGreaterThan(190);
  await page.getByRole('button', { name: /^More: / }).click();
  await expectNoViolations(page);
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.getByRole('button', { name: /^More: / }).click();
  await page.getByRole('menuitem', { name: 'Model Scripted' }).click();
  await expect(page.getByRole('dialog', { name: 'Your own model' })).toBeVisible();
});

test('a model of one’s own is found on a narrow page, from the list of sessions as from elsewhere', async ({
  page,
}) => {
  await visit(page);
  const endpoint = page.getByRole('dialog', { name: 'Your own model' });
  const ways = [
    async () => {
      await button(page, 'Sessions').click();
      await button(page, 'New with an endpoint…').click();
    },
    async () => {
      await button(page, 'Session setup').click();
      await button(page, 'Another model…').click();
    },
    async () => {
      await page.getByRole('button', { name: /^Scenario: / }).click();
      await page.getByRole('menuitem', { name: 'With your own model…' }).click();
    },
  ];
  for (const go of ways) {
    await go();
    await expect(endpoint.getByLabel('Base URL')).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(endpoint).toBeHidden();
  }
});
