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
