import type { Page } from '@playwright/test';
import {
  button,
  dialog,
  inspector,
  openScenario,
  outline,
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

const callOf = (name: string, path: string) => ({ type: 'toolCall', name, arguments: { path } });
const output = Array.from({ length: 900 }, (_, line) =>
  line === 700 ? 'a needle lies here' : `line ${line}`,
);

/** Two calls of which one fails, and a text that stands far down in what a tool gave. */
const calls = {
  title: 'Two calls',
  tools: [
    { name: 'dig', result: output.join('\n') },
    { name: 'measure', result: { error: 'no such file: hay.txt' } },
  ],
  model: {
    kind: 'scripted',
    turns: [
      { blocks: [callOf('dig', 'a.txt'), callOf('measure', 'hay.txt')] },
      { blocks: [{ type: 'text', text: 'Done.' }] },
    ],
  },
  prompts: ['Dig and measure.'],
};

const found = (page: Page) => page.getByRole('region', { name: 'Outline' }).getByRole('status');

/** The texts that are marked, and whether the first of them is in sight. */
function marks(page: Page) {
  return page.evaluate(() => {
    const ranges = [...(CSS.highlights.get('found') ?? [])] as Range[];
    const at = ranges[0]?.getBoundingClientRect();
    const top = at && document.elementFromPoint(at.x + 2, at.y + 2);
    return { texts: ranges.map(String), inSight: top?.contains(ranges[0]?.startContainer ?? null) };
  });
}

test('a filter leaves only what it finds, and a hit opens the tab that holds it, marked and in sight', async ({
  page,
}) => {
  await visit(page);
  await openScenario(page, calls);
  await setSpeed(page, 'max');
  await button(page, 'Play').click();
  await expect(runState(page)).toHaveText('idle');
  await button(page, 'Filter').click();
  await page.getByRole('checkbox', { name: 'errors only' }).check();
  await expect(found(page)).toHaveText('1 found');
  await expect(outline(page).getByRole('treeitem')).toHaveCount(3);
  await expect(outline(page).getByRole('treeitem')).toContainText(['Run 1', 'Turn 1', 'measure']);
  await button(page, 'Show all rows').click();
  await expect(row(page, 'dig')).toBeVisible();
  await page.getByRole('checkbox', { name: 'errors only' }).uncheck();

  await row(page, /^dig/).click();
  await tab(page, 'Context').click();
  await page.getByRole('textbox', { name: 'Search the trace' }).fill('NEEDLE');
  await page.keyboard.press('Enter');
  await expect(found(page)).toHaveText('1 of 1');
  await expect(inspector(page).getByRole('tab', { selected: true })).toHaveText('Result');
  await expect.poll(() => marks(page)).toEqual({ texts: ['needle'], inSight: true });
  await page.keyboard.press('Escape');
  await expect.poll(() => marks(page)).toMatchObject({ texts: [] });
});

test('each dialog gives the focus to its first field, so that what is typed goes there', async ({ page }) => {
  await visit(page);
  await openScenario(page, slowTool);
  for (const [command, isIn] of [
    ['Model', true],
    ['Setup', true],
    ['Keys', false],
    ['Sessions', false],
  ] as const) {
    await button(page, command).first().click();
    await expect(dialog(page)).toBeVisible();
    void isIn;
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toHaveCount(0);
  }
});
