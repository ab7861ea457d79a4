/** The frame of the page: what each part has of a small screen, what is remembered, and what is dropped on it. */
import type { Page } from 'playwright/test';
import { expectNoViolations } from './support/axe';
import {
  button,
  composer,
  conversation,
  inspector,
  openScenario,
  queue,
  row,
  setSpeed,
  tab,
  visit,
} from './support/parts';
import { expect, test } from './support/test';

const digs = {
  title: 'Digs',
  tools: [{ name: 'dig', durationMs: 600_000, result: 'dug' }],
  model: {
    kind: 'scripted',
    turns: [{ blocks: [{ type: 'toolCall', name: 'dig', arguments: { path: 'a.txt' } }] }],
  },
  prompts: ['Dig for it.'],
};

const map = (page: Page) => page.getByRole('img', { name: /^Loop map/ });
const code = (page: Page) => page.getByRole('list', { name: 'The loop as code' });
const follow = (page: Page) => inspector(page).getByRole('button', { name: 'Follow the run' });

async function heightOf(page: Page): Promise<number> {
  return (await map(page).boundingBox())?.height ?? 0;
}

for (const [width, height] of [
  [1280, 720],
  [1366, 768],
] as const)
  test.describe(`at ${width} by ${height}`, () => {
    test.use({ viewport: { width, height } });

    test('map and code are there as a whole, and a long draft takes little of them', async ({ page }) => {
      await visit(page);
      const last = code(page).getByRole('listitem').last();
      await expect(last).toBeInViewport({ ratio: 1 });
      await expect(button(page, 'Play the scenario')).toBeInViewport({ ratio: 1 });
      const both = await heightOf(page);
      expect(both).toBeGreaterThan(330);
      // From 300 on it has its chutes.
      await composer(page).fill('a long draft\n'.repeat(20));
      await expect.poll(() => heightOf(page)).toBeLessThan(both);
      expect(await heightOf(page)).toBeGreaterThan(300);
      await composer(page).fill('');
      await button(page, 'Map').click();
      await expect.poll(() => heightOf(page)).toBeGreaterThanOrEqual(both);
    });
  });

test.describe('at 1440 by 900', () => {
  test.use({ viewport: { width: 1440, height: 900 }, contextOptions: { reducedMotion: 'reduce' } });

  test('what is pressed can be read under the pointer', async ({ page }) => {
    await visit(page);
    await button(page, 'Map and code').hover();
    await expectNoViolations(page, 'section[aria-label="Loop"]');
  });

  test('cards that arrive move nothing, the next one is in sight, and how many are not is said', async ({
    page,
  }) => {
    await visit(page);
    await openScenario(page, digs);
    await button(page, 'Play').click();
    await expect(row(page, /dig/).first()).toBeVisible();
    const place = async () => {
      const box = await composer(page).boundingBox();
      return [box?.y, box?.height];
    };
    const before = await place();
    for (const text of ['one', 'two', 'three']) {
      await composer(page).fill(text);
      await page.keyboard.press('Enter');
      await expect(queue(page, 'Steering').getByRole('button', { name: text, exact: true })).toBeAttached();
    }
    expect(await place()).toEqual(before);
    const steering = queue(page, 'Steering');
    const more = steering.getByRole('button', { name: '1 more' });
    await more.click();
    await expect(steering.getByText('three')).toBeInViewport({ ratio: 1 });
    await steering.getByRole('button', { name: 'three', exact: true }).focus();
    await page.keyboard.press('Alt+ArrowUp');
    await expect(steering.getByRole('listitem').nth(1)).toContainText('three');
    await page.keyboard.press('Alt+ArrowUp');
    await expect(steering.getByRole('listitem').first()).toContainText('three');
    await expect(steering.getByRole('listitem').first()).toContainText('next');
    await expect(steering.getByRole('listitem').first()).toBeInViewport({ ratio: 1 });
  });

  test('Play stands where it stood, however long the name of a scenario is', async ({ page }) => {
    await visit(page);
    const at = async () => (await button(page, 'Play').boundingBox())?.x;
    const before = await at();
    await openScenario(page, digs);
    expect(await at()).toBe(before);
    await openScenario(page, { ...digs, title: 'A title that is longer than there is room for in any bar' });
    expect(await at()).toBe(before);
  });

  test('a double click puts an edge back, and what is shown and how fast it plays outlast a reload', async ({
    page,
  }) => {
    await visit(page);
    const edge = page.getByRole('separator', { name: 'Height of the loop' });
    const first = await edge.getAttribute('aria-valuenow');
    await edge.focus();
    await page.keyboard.press('ArrowUp');
    await expect(edge).not.toHaveAttribute('aria-valuenow', first ?? '');
    await edge.dblclick();
    await expect(edge).toHaveAttribute('aria-valuenow', first ?? '');
    await button(page, 'Code').click();
    await setSpeed(page, '5×');
    await page.reload();
    await expect(page.getByRole('button', { name: 'Speed: 5×' })).toBeVisible();
    await expect(button(page, 'Code')).toHaveAttribute('aria-pressed', 'true');
  });

  test('the inspector follows the first run, until something is selected or somebody says so', async ({
    page,
  }) => {
    await visit(page);
    await openScenario(page, digs);
    await button(page, 'Play').click();
    await expect(inspector(page)).toContainText('dig');
    await expect(follow(page)).toHaveAttribute('aria-pressed', 'true');
    await row(page, /Dig for it/).click();
    await expect(follow(page)).toHaveAttribute('aria-pressed', 'false');
    await page.reload();
    await expect(follow(page)).toHaveAttribute('aria-pressed', 'true');
    await follow(page).click();
    await page.reload();
    await expect(follow(page)).toHaveAttribute('aria-pressed', 'false');
  });

  /** Drops a file as from outside. Resolves to whether the browser keeps from opening it itself. */
  function drop(page: Page, name: string, text: string): Promise<boolean> {
    return conversation(page).evaluate(
      (target, file) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([file.text], file.name));
        const told = (type: string) =>
          !target.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
        return told('dragover') && told('drop');
      },
      { name, text },
    );
  }

  test('a scenario that is dropped anywhere opens, and another file is shown its place', async ({ page }) => {
    await visit(page);
    expect(await drop(page, 'notes.txt', 'Notes.')).toBe(true);
    await expect(tab(page, 'Files')).toHaveAttribute('aria-selected', 'true');
    await expect(page.getByText('drop them on the list of its files')).toBeVisible();
    await tab(page, 'Conversation').click();
    expect(await drop(page, 'digs.json', JSON.stringify({ version: 1, start: 'prompt', ...digs }))).toBe(
      true,
    );
    await expect(page.getByRole('button', { name: 'Scenario: Digs' })).toBeVisible();
  });
});

for (const [width, height] of [
  [720, 450],
  [911, 512],
] as const)
  test.describe(`enlarged to ${width} by ${height}`, () => {
    test.use({ viewport: { width, height } });

    test('one panel at a time has most of the page', async ({ page }) => {
      await visit(page);
      await expect(page.getByRole('navigation', { name: 'Panels' })).toBeVisible();
      const box = await page.getByRole('main').boundingBox();
      expect(box?.height).toBeGreaterThan(0.55 * height);
    });
  });
