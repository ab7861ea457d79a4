/** What must be read whole at the usual size of a page. */
import type { Locator } from 'playwright/test';
import { startMockServer } from './mock-server';
import { button, composer, inspector, openScenario, queue, row, runState, tab, visit } from './support/parts';
import { expect, test } from './support/test';

test.use({ viewport: { width: 1440, height: 900 } });

const lines = Array.from({ length: 2990 }, (_, index) => `line ${index}`).join('\n');
const readsAndDigs = {
  title: 'Reads and digs',
  files: { 'src/components/inspector/a-rather-long-name.ts': lines },
  tools: ['read', { name: 'dig', durationMs: 600_000, result: 'dug' }],
  model: {
    kind: 'scripted',
    turns: [
      {
        blocks: [
          {
            type: 'toolCall',
            name: 'read',
            arguments: { path: 'src/components/inspector/a-rather-long-name.ts', offset: 1901, limit: 3 },
          },
        ],
      },
      { blocks: [{ type: 'toolCall', name: 'dig', arguments: { path: 'a.txt' } }] },
    ],
  },
  prompts: ['Dig for it.'],
};

/** Whether all of an element is inside of all that cuts what stands over its edge. */
function isWhole(element: Locator): Promise<boolean> {
  return element.evaluate((node) => {
    const box = node.getBoundingClientRect();
    if (node.scrollWidth > node.clientWidth && getComputedStyle(node).overflow !== 'visible') return false;
    for (let around = node.parentElement; around; around = around.parentElement) {
      if (getComputedStyle(around).overflow === 'visible') continue;
      const edge = around.getBoundingClientRect();
      if (box.right > edge.right + 1 || box.bottom > edge.bottom + 1) return false;
    }
    return true;
  });
}

test('a landing place, the numbers of a row and the names of all tabs are not cut', async ({ page }) => {
  await visit(page);
  await openScenario(page, readsAndDigs);
  await button(page, 'Play').click();
  await expect(row(page, /dig\s+a\.txt/)).toBeVisible();
  for (const text of ['Mind the pipes and the cables, please.', 'And the roots.']) {
    await composer(page).fill(text);
    await composer(page).press('Enter');
  }
  const landing = queue(page, 'Steering').getByText('after this batch, before turn 3');
  await expect(landing).toBeVisible();
  expect(await isWhole(landing)).toBe(true);

  const reads = row(page, '1901–1903 of 2990');
  expect(await isWhole(reads.getByText('1901–1903 of 2990'))).toBe(true);
  await expect(reads).toHaveAttribute('title', /a-rather-long-name\.ts.* · 1901–1903 of 2990 · \d/);

  await reads.click();
  const tabs = await inspector(page).getByRole('tab').all();
  expect(tabs).toHaveLength(6);
  const tops = await Promise.all(tabs.map(async (each) => (await each.boundingBox())?.y));
  expect(new Set(tops).size).toBe(1);
  for (const each of tabs) expect(await isWhole(each)).toBe(true);
});

test('an answer’s text has a heading beside its thinking, and a used endpoint is offered again', async ({
  page,
}) => {
  const server = await startMockServer();
  await visit(page);
  await page.getByRole('button', { name: /^Model: / }).click();
  await page.getByLabel('Base URL').fill(`${server.url}/v1`);
  await page.getByLabel('Model', { exact: true }).fill('thinking');
  await button(page, 'New session with it').click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await composer(page).fill('Two plus two?');
  await composer(page).press('Enter');
  await expect(runState(page)).toHaveText('idle');
  await page.getByRole('treeitem').filter({ hasText: '4' }).last().click();
  await tab(page, 'Message').click();
  await expect(inspector(page).getByRole('heading', { name: 'Thinking' })).toBeVisible();
  await expect(inspector(page).getByRole('heading', { name: 'Text' })).toBeVisible();
  await expect(inspector(page).getByRole('term').filter({ hasText: 'of these thinking' })).toBeVisible();

  await page.getByRole('button', { name: /^Model: / }).click();
  const used = page.getByRole('list', { name: 'Used last' }).getByRole('button', { name: /^thinking/ });
  await expect(used).toHaveAttribute('aria-pressed', 'true');
  await server.close();
});
