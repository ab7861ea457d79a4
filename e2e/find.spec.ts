import type { Page } from 'playwright/test';
import {
  button,
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
import { dialog } from './support/files';
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
    { name: 'dig', durationMs: 5, result: output.join('\n') },
    { name: 'measure', durationMs: 5, error: 'no such file' },
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
  await expect(row(page, /dig\s+a\.txt/)).toBeVisible();
  await page.getByRole('checkbox', { name: 'errors only' }).uncheck();

  await row(page, /dig\s+a\.txt/).click();
  await tab(page, 'Context').click();
  await page.getByRole('textbox', { name: 'Search the trace' }).fill('NEEDLE');
  await page.keyboard.press('Enter');
  await expect(found(page)).toHaveText('1 of 1');
  await expect(inspector(page).getByRole('tab', { selected: true })).toHaveText('Result');
  await expect.poll(() => marks(page)).toEqual({ texts: ['needle'], inSight: true });
  await page.keyboard.press('Escape');
  await expect.poll(() => marks(page)).toMatchObject({ texts: [] });
});

/** The name of the dialog's first field that takes text or a choice, and of what has the focus. */
function fields(page: Page) {
  return dialog(page).evaluate((element) => {
    const all = element.querySelectorAll<HTMLInputElement>('input, textarea, select');
    const text = [...all].find(({ type, disabled }) => !/checkbox|radio|file/.test(type) && !disabled);
    return { hasField: text !== undefined, hasFocus: text !== undefined && text === document.activeElement };
  });
}

test('each dialog gives the focus to its first field, so that what is typed goes there', async ({ page }) => {
  await visit(page);
  await openScenario(page, slowTool);
  await tab(page, 'Files').click();
  const openings: [boolean, () => Promise<void>][] = [
    [true, () => page.getByRole('button', { name: /^Model/ }).click()],
    [true, () => button(page, 'Session setup').click()],
    [true, () => page.keyboard.press('Control+k')],
    [false, () => button(page, 'Sessions').click()],
    [false, () => page.keyboard.press('?')],
  ];
  for (const [hasField, open] of openings) {
    await open();
    await expect.poll(() => fields(page)).toEqual({ hasField, hasFocus: hasField });
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toHaveCount(0);
  }
  await button(page, 'New file').click();
  await expect.poll(() => fields(page)).toEqual({ hasField: true, hasFocus: true });
  await page.keyboard.type('notes.md');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Text of notes.md' })).toBeFocused();
});
