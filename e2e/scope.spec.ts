import {
  button,
  composer,
  expectRows,
  inspector,
  openScenario,
  outline,
  queue,
  row,
  runState,
  setSpeed,
  tab,
  tall,
  visit,
} from './support/parts';
import { slowTool } from './support/scenarios';
import { expect, test } from './support/test';

test.use({ viewport: tall });

const search = 'Search the trace';

test.beforeEach(async ({ page }) => {
  await visit(page);
  await openScenario(page, slowTool);
});

test('search finds text inside the output of a tool, and says where it stands', async ({ page }) => {
  await setSpeed(page, 'max');
  await button(page, 'Play').click();
  await expect(runState(page)).toHaveText('idle');
  await outline(page).focus();
  await page.keyboard.press('/');
  const field = page.getByRole('textbox', { name: search });
  await expect(field).toBeFocused();
  await page.keyboard.type('DUG');
  await expect(page.getByText('1 found', { exact: true })).toBeVisible();
  await expect(row(page, /dig\s+a\.txt/)).toContainText('found here');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Outline' }).getByRole('status')).toHaveText('1 of 1');
  await expect(page.locator('mark')).toHaveText('dug');
  await expect(outline(page).getByRole('treeitem', { selected: true })).toContainText('dig');
  await expect(inspector(page).getByRole('heading', { level: 2 })).toContainText('dig');
  await page.keyboard.press('Escape');
  await expect(field).toHaveValue('');
  await expect(row(page, /dig\s+a\.txt/)).not.toContainText('found here');
});

test('what is selected is the same in outline, time axis and inspector', async ({ page }) => {
  await setSpeed(page, 'max');
  await button(page, 'Play').click();
  await expect(runState(page)).toHaveText('idle');
  await tab(page, 'Time').click();
  await row(page, /dig\s+a\.txt/).click();
  await expect(inspector(page).getByRole('heading', { level: 2 })).toContainText('dig');
  await page.getByRole('application', { name: 'Time axis' }).focus();
  await page.keyboard.press('ArrowUp');
  await expect(inspector(page).getByRole('heading', { level: 2 })).toHaveText('Assistant message');
  await expect(outline(page).getByRole('treeitem', { selected: true })).toContainText('I dig.');
  await page.keyboard.press(']');
  await expect(outline(page).getByRole('treeitem', { selected: true })).toContainText('Second answer.');
  await tab(page, 'Context').click();
  await expect(inspector(page)).toContainText('The request carried');
  await expect(inspector(page).getByRole('row').filter({ hasText: 'dug' })).toHaveCount(1);
});

test('queued messages change their places by keys while the run goes on, and land as their cards said', async ({
  page,
}) => {
  await button(page, 'Play').click();
  await expect(row(page, /dig\s+a\.txt/)).toBeVisible();
  for (const text of ['first', 'second']) {
    await composer(page).fill(text);
    await composer(page).press('Enter');
  }
  const cards = queue(page, 'Steering').getByRole('listitem');
  await expect(cards.nth(0)).toContainText('next');
  await expect(cards.nth(1)).toContainText('before turn 3');
  await button(page, 'second').focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect(cards.nth(0)).toContainText('second');
  await expect(cards.nth(0)).toContainText('before turn 2');
  await page.keyboard.press('Enter');
  await expect(inspector(page)).toContainText('Waits in the queue');
  await setSpeed(page, 'max');
  await expect(runState(page)).toHaveText('idle');
  await expectRows(page, ['Turn 2', /second.*joined before turn 2/, 'Turn 3', /first.*joined before turn 3/]);
});

test('the palette runs commands by name, and the panels are hidden and widened by keys alone', async ({
  page,
}) => {
  await page.keyboard.press('Control+k');
  const command = page.getByRole('combobox', { name: 'Command' });
  await expect(command).toBeFocused();
  await page.keyboard.type('hide: insp');
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(command).toHaveCount(0);
  await expect(inspector(page)).toHaveCount(0);
  const hide = button(page, 'Hide: Outline');
  await hide.press('Enter');
  await expect(button(page, 'Show: Outline')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(hide).toBeFocused();
  await page.getByRole('separator', { name: 'Width: Outline' }).press('Enter');
  await expect(button(page, 'Show: Outline')).toBeFocused();
  await page.keyboard.press('Enter');
  const edge = page.getByRole('separator', { name: 'Width: Outline' });
  const before = Number(await edge.getAttribute('aria-valuenow'));
  await edge.focus();
  await page.keyboard.press('ArrowRight');
  await expect(edge).toHaveAttribute('aria-valuenow', String(before + 2));
  await page.reload();
  await expect(button(page, 'Show: Inspector')).toBeVisible();
  await expect(edge).toHaveAttribute('aria-valuenow', String(before + 2));
  await button(page, 'Show: Inspector').press('Enter');
  await expect(inspector(page)).toBeVisible();
  await expect(button(page, 'Hide: Inspector')).toBeFocused();
});
