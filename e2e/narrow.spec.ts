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
