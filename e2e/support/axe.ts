import AxeBuilder from '@axe-core/playwright';
import { expect } from 'playwright/test';
import type { Page } from 'playwright/test';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * axe finds nothing in the page as it stands, in both themes. The themes differ in colours alone, so what is not about
 * colours is looked at once. Colours must be there at once: the page is to be opened with reduced motion.
 * @param within a selector of the part to look at; default: all
 */
export async function expectNoViolations(page: Page, within?: string): Promise<void> {
  const builder = () => {
    // There are no frames, so axe needs no page of its own to gather from them.
    const axe = new AxeBuilder({ page }).setLegacyMode(true);
    return within === undefined ? axe : axe.include(within);
  };
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await told(builder().withTags(tags)), 'in the light theme').toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await told(builder().withRules('color-contrast')), 'in the dark theme').toEqual([]);
}

async function told(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}
