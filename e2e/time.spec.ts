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
  visit,
} from './support/parts';
import { slowTool } from './support/scenarios';
import { expect, test } from './support/test';

const axis = (page: Page) => page.getByRole('application', { name: 'Time axis' });

/** The window of the axis, in seconds, as it is said in words. */
async function inSight(page: Page): Promise<[from: number, to: number]> {
  const text = await page
    .getByText(/^In sight: /)
    .first()
    .innerText();
  const seconds = [...text.matchAll(/(?:(\d+):)?([\d.]+)/g)].map(
    ([, minutes, rest]) => Number(minutes ?? 0) * 60 + Number(rest),
  );
  return [seconds[0] ?? NaN, seconds[1] ?? NaN];
}

const span = async (page: Page) => {
  const [from, to] = await inSight(page);
  return to - from;
};

/** The tool runs for ten minutes of the session, beside which everything else is short. */
async function played(page: Page): Promise<void> {
  await visit(page);
  await openScenario(page, slowTool);
  await setSpeed(page, 'max');
  await button(page, 'Play').click();
  await expect(runState(page)).toHaveText('idle');
}

test('by keyboard alone: the axis zooms, pans and fits what is selected elsewhere, and says what is in sight', async ({
  page,
}) => {
  await played(page);
  await tab(page, 'Conversation').focus();
  await page.keyboard.press('ArrowRight');
  await expect(tab(page, 'Time')).toBeFocused();
  await row(page, 'Second answer.').first().click();
  await axis(page).focus();
  await page.keyboard.press('f');
  await expect.poll(() => span(page)).toBeLessThan(5);
  const [from, to] = await inSight(page);
  expect(from).toBeGreaterThan(590);
  await expect(page.locator('[aria-live=polite]').filter({ hasText: 'In sight' })).toHaveCount(1);
  await expect(axis(page)).toHaveAccessibleDescription(/^In sight: .* W and S.* zoom/);
  await page.keyboard.press('s');
  await expect.poll(() => span(page)).toBeGreaterThan(to - from);
  const wide = await span(page);
  await page.keyboard.press('w');
  await expect.poll(() => span(page)).toBeLessThan(wide);
  const before = await inSight(page);
  await page.keyboard.press('a');
  await expect.poll(async () => (await inSight(page))[0]).toBeLessThan(before[0]);
  await page.keyboard.press('d');
  await expect.poll(async () => (await inSight(page))[0]).toBeCloseTo(before[0], 1);
  await page.keyboard.press('Escape');
  await expect(outline(page).getByRole('treeitem', { selected: true })).toHaveCount(0);
  await page.keyboard.press('f');
  await expect.poll(() => span(page)).toBeGreaterThan(590);
});

test('by keyboard alone: the table has the same spans, and selects them everywhere', async ({ page }) => {
  await played(page);
  await tab(page, 'Time').click();
  await button(page, 'Show as a table').press('Enter');
  const table = page.getByRole('table', { name: /^What lies in/ });
  await table.getByRole('button', { name: /^dig/ }).press('Enter');
  await expect(table.getByRole('button', { name: /^dig/ })).toHaveAttribute('aria-pressed', 'true');
  await expect(inspector(page).getByRole('heading', { level: 2 })).toContainText('dig');
  await expect(row(page, /dig\s+a\.txt/)).toHaveAttribute('aria-selected', 'true');
  const edge = page.getByRole('separator', { name: 'Height of the loop' });
  const height = Number(await edge.getAttribute('aria-valuenow'));
  await edge.press('ArrowUp');
  await expect(edge).toHaveAttribute('aria-valuenow', String(height - 4));
});

test.describe('on a narrow page that is touched', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('two fingers zoom the axis, and one pans it', async ({ page }) => {
    await played(page);
    await page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name: 'Time' }).click();
    const box = (await axis(page).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const whole = await span(page);
    const fingers = await page.context().newCDPSession(page);
    const y = box.y + box.height * 0.6;
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...xs: number[]) =>
      fingers.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: xs.map((x, id) => ({ x: box.x + x, y, id })),
      });
    await touch('touchStart', 200, 240);
    for (const apart of [30, 50, 80]) await touch('touchMove', 220 - apart, 220 + apart);
    await touch('touchEnd');
    await expect.poll(() => span(page)).toBeLessThan(whole * 0.6);
    const [from] = await inSight(page);
    await touch('touchStart', 200);
    for (const x of [230, 260, 290]) await touch('touchMove', x);
    await touch('touchEnd');
    await expect.poll(async () => (await inSight(page))[0]).toBeLessThan(from);
  });
});
