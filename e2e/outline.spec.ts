import { AxeBuilder } from '@axe-core/playwright';
import {
  button,
  expectRows,
  openScenario,
  outline,
  row,
  runState,
  setSpeed,
  tall,
  visit,
} from './support/parts';
import { expect, test } from './support/test';

const call = (text: string, path: string) => ({
  blocks: [
    { type: 'text', text },
    { type: 'toolCall', name: 'dig', arguments: { path } },
  ],
});

/** One run of turns with many calls each: longer than the outline is high. */
const manyTurns = {
  title: 'Many turns',
  tools: [{ name: 'dig', durationMs: 10, result: 'dug' }],
  model: {
    kind: 'scripted',
    turns: [
      ...Array.from({ length: 12 }, (_, n) => call(`I dig in ${n + 1}.`, `needle${n + 1}.txt`)),
      { blocks: [{ type: 'text', text: 'All is dug.' }] },
    ],
  },
  prompts: ['Dig for it.'],
};

test.beforeEach(async ({ page }) => {
  await visit(page);
  await openScenario(page, manyTurns);
  await setSpeed(page, 'max');
  await button(page, 'Play').click();
  await expect(runState(page)).toHaveText('idle');
});

test('the outline folds to a level that is remembered, and opens what a search leads to', async ({
  page,
}) => {
  await page.setViewportSize(tall);
  await button(page, 'Fold, and leave rows out').click();
  await page.getByRole('menuitemradio', { name: 'Turns', exact: true }).click();
  await expectRows(page, ['Run 1', 'Turn 1', 'Turn 2', 'Turn 13']);
  await expect(row(page, 'I dig in 3.')).toHaveCount(0);
  await page.reload();
  await expect(row(page, 'Turn 13')).toBeVisible();
  await expect(row(page, 'I dig in 13.')).toHaveCount(0);
  await outline(page).focus();
  await page.keyboard.press('/');
  await page.keyboard.type('needle3.txt');
  // Of the whole word: its first letters find more.
  await expect(page.getByText(/^\d found/)).toBeVisible();
  await page.keyboard.press('Enter');
  const selected = outline(page).getByRole('treeitem', { selected: true });
  await expect(selected).toHaveCount(1);
  await expect(selected).toContainText('needle3.txt');
  await expect(row(page, 'Turn 3')).toHaveAttribute('aria-expanded', 'true');
  await expect(row(page, 'Turn 4')).toHaveAttribute('aria-expanded', 'false');
  const { violations } = await new AxeBuilder({ page }).include('[role=tree]').analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
});

test('the turn of the rows on top stays at the edge, and what is selected is not beneath it', async ({
  page,
}) => {
  const tree = outline(page);
  await tree.focus();
  const box = (await tree.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await expect(row(page, 'All is dug.').first()).toBeVisible();
  // In the middle of turn 1, below its own row.
  await tree.evaluate((element) => (element.scrollTop = 100));
  const stuck = tree.locator('[aria-hidden=true]').getByText('Turn 1', { exact: true });
  await expect(stuck).toBeVisible();
  expect(Math.round(((await stuck.boundingBox())?.y ?? 0) - box.y)).toBeLessThan(60);
  await stuck.click();
  await expect(tree.getByRole('treeitem', { selected: true })).toContainText('Turn 1');
  await page.keyboard.press('End');
  await expect(row(page, 'Turn 13')).toBeVisible();
  for (let presses = 0; presses < 24; presses++) await page.keyboard.press('ArrowUp');
  const selected = await tree.getByRole('treeitem', { selected: true }).boundingBox();
  // Below the head of its run.
  expect((selected?.y ?? 0) - ((await tree.boundingBox())?.y ?? 0)).toBeGreaterThanOrEqual(29);
  // What was looked at there keeps nobody from following the next run.
  await button(page, 'Play again').click();
  await expect(runState(page)).toHaveText('idle');
  await expect(row(page, 'All is dug.').last()).toBeInViewport();
  await expect(outline(page).getByRole('treeitem', { selected: true })).toHaveCount(0);
});

test('walking through the outline moves the panels, never the page around them', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await outline(page).focus();
  await page.keyboard.press('Home');
  const selected = outline(page).getByRole('treeitem', { selected: true });
  await expect(selected).toContainText('settings');
  for (let step = 0; step < 20; step++) await page.keyboard.press('ArrowDown');
  await expect(selected).not.toContainText('settings');
  const beyond = await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
  expect(beyond).toBe(0);
});
