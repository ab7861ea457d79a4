import type { Page } from 'playwright/test';
import {
  button,
  composer,
  inspector,
  openScenario,
  outline,
  queue,
  row,
  runState,
  setSpeed,
  visit,
} from './support/parts';
import { expectNoViolations } from './support/axe';
import { asks, failsOnce, slowTool } from './support/scenarios';
import { expect, test } from './support/test';

test.describe('axe finds nothing, in both themes,', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('on a first visit', async ({ page }) => {
    await visit(page);
    await expectNoViolations(page);
  });

  test('while a tool runs and messages wait', async ({ page }) => {
    await visit(page);
    await openScenario(page, slowTool);
    await button(page, 'Play').click();
    await expect(row(page, /dig\s+a\.txt/)).toBeVisible();
    for (const key of ['Enter', 'Alt+Enter']) {
      await composer(page).fill('Wait here.');
      await composer(page).press(key);
    }
    await expect(queue(page, 'Follow-up').getByRole('listitem')).toHaveCount(1);
    await row(page, /dig\s+a\.txt/).click();
    await page.keyboard.press('F8');
    await expect(runState(page)).toHaveText('paused');
    await expectNoViolations(page);
  });

  test('on a question, a failure, and the dialogs', async ({ page }) => {
    test.slow();
    await visit(page);
    await openScenario(page, asks);
    await setSpeed(page, 'max');
    await button(page, 'Play').click();
    await expect(page.getByRole('region', { name: 'May this call run?' })).toBeVisible();
    await expectNoViolations(page);
    await openScenario(page, failsOnce);
    await setSpeed(page, 'max');
    await button(page, 'Play').click();
    await expect(runState(page)).toHaveText('failed');
    await expectNoViolations(page);
    for (const name of ['Sessions', 'Session setup', /^Model: /, 'Help']) {
      await page.getByRole('button', { name }).first().click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await expectNoViolations(page);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toBeHidden();
    }
  });

  test('on a narrow page, in each of its panels', async ({ page }) => {
    test.slow();
    await page.setViewportSize({ width: 390, height: 844 });
    await visit(page);
    await setSpeed(page, 'max');
    await button(page, 'Play').click();
    await expect(runState(page)).toHaveText('idle');
    for (const name of ['Outline', 'Talk', 'Inspect', 'Queues']) {
      await page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name }).click();
      await expectNoViolations(page);
    }
  });
});

test('the page is used by keyboard alone: play, walk the outline, inspect, send, abort', async ({ page }) => {
  test.slow();
  await visit(page);
  await openScenario(page, slowTool);
  await page.keyboard.press('F8');
  await expect(row(page, /dig\s+a\.txt/)).toBeVisible();

  await tabTo(page, outline(page));
  await page.keyboard.press('Home');
  await expect(outline(page).getByRole('treeitem').first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.type('run');
  await expect(row(page, 'Run 1')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowLeft');
  await expect(row(page, 'Run 1')).toHaveAttribute('aria-expanded', 'false');
  await expect(row(page, 'Turn 1')).toBeHidden();
  await page.keyboard.press('ArrowRight');
  await expect(row(page, 'Turn 1')).toBeVisible();
  await page.keyboard.press('End');
  await expect(row(page, /dig\s+a\.txt/)).toHaveAttribute('aria-selected', 'true');
  await expect(inspector(page).getByRole('heading', { name: /dig/ })).toBeVisible();
  await page.keyboard.press('Home');
  await page.keyboard.type('turn');
  await expect(row(page, 'Turn 1')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('End');

  await tabTo(page, inspector(page).getByRole('tab', { selected: true }));
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('tab', { name: 'Arguments' })).toBeFocused();
  await expect(inspector(page).getByRole('tabpanel')).toContainText('a.txt');

  await tabTo(page, composer(page));
  await page.keyboard.type('Steer it');
  await page.keyboard.press('Enter');
  await expect(queue(page, 'Steering').getByRole('listitem')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(runState(page)).toHaveText('aborted');

  await page.getByRole('button', { name: /^Speed/ }).focus();
  await page.keyboard.press('Enter');
  const fastest = page.getByRole('menuitemradio', { name: 'max' });
  await page.keyboard.press('End');
  await expect(fastest).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: /^Speed/ })).toBeFocused();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys and help' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
});

/** Presses Tab until the element has the focus, as a person would. */
async function tabTo(page: Page, element: ReturnType<typeof outline>): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    if (await element.evaluate((node) => node === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('Tab never came to it');
}
