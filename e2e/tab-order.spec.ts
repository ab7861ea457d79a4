import type { Locator, Page } from 'playwright/test';
import { button, visit } from './support/parts';
import { expect, test } from './support/test';

const bar = (page: Page) => page.getByRole('banner');

interface Stop {
  name: string;
  /** Of the row that it stands in, and its left edge, in px. */
  row: number;
  left: number;
  hasRing: boolean;
}

/** What has the keyboard now; `undefined` once it is outside of the bar. */
function stopNow(page: Page): Promise<Stop | undefined> {
  return bar(page).evaluate((header) => {
    const element = document.activeElement;
    if (!element || !header.contains(element)) return undefined;
    const box = element.getBoundingClientRect();
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return {
      name: element.getAttribute('aria-label') ?? element.textContent.trim(),
      // Buttons of one row may differ by some px in their height.
      row: Math.round((box.top + box.height / 2) / 24),
      left: box.left,
      hasRing: outlineStyle !== 'none' && parseFloat(outlineWidth) > 0,
    };
  });
}

/** Goes through the bar by Tab, from the first thing on the page. */
async function walk(page: Page): Promise<Stop[]> {
  const stops: Stop[] = [];
  for (let presses = 0; presses < 30; presses++) {
    await page.keyboard.press('Tab');
    const stop = await stopNow(page);
    if (stop) stops.push(stop);
    else if (stops.length > 0) return stops;
  }
  throw new Error('Tab never left the bar');
}

async function closesWithFocusBack(page: Page, opened: Locator, opener: Locator): Promise<void> {
  await expect(opened).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(opened).toBeHidden();
  await expect(opener).toBeFocused();
}

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
])
  test.describe(`at ${viewport.width} px`, () => {
    test.use({ viewport });

    test('Tab comes to everything in the bar once, as it stands, with a ring', async ({ page }) => {
      await visit(page);
      const stops = await walk(page);
      const names = stops.map(({ name }) => name);
      const buttons = await bar(page)
        .getByRole('button')
        .evaluateAll((all) =>
          all
            .filter((each) => !each.hasAttribute('disabled') && each.checkVisibility())
            .map((each) => each.getAttribute('aria-label') ?? each.textContent.trim()),
        );
      expect([...names].sort()).toEqual(buttons.sort());
      const asItStands = stops.toSorted((a, b) => a.row - b.row || a.left - b.left);
      expect(names).toEqual(asItStands.map(({ name }) => name));
      expect(stops.filter(({ hasRing }) => !hasRing)).toEqual([]);
    });

    test('menus and dialogs of the bar open with Enter and Space, and give the keyboard back', async ({
      page,
    }) => {
      await visit(page);
      for (const key of ['Enter', 'Space']) {
        for (const opener of await bar(page).locator('[aria-haspopup=menu]:visible').all()) {
          await opener.focus();
          await page.keyboard.press(key);
          const menu = page.getByRole('menu');
          await expect(menu.locator('[role^=menuitem]:focus')).toBeVisible();
          await closesWithFocusBack(page, menu, opener);
        }
        for (const opener of await bar(page).locator('[aria-haspopup=dialog]:visible').all()) {
          await opener.focus();
          await page.keyboard.press(key);
          await closesWithFocusBack(page, page.getByRole('dialog'), opener);
        }
      }
      await button(page, 'Play').focus();
      await page.keyboard.press('Enter');
      await expect(button(page, 'Pause')).toBeFocused();
      await page.keyboard.press('Space');
      await expect(button(page, 'Play')).toBeFocused();
    });
  });
