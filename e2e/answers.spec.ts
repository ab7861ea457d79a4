import { answers } from './support/scenarios';
import { button, conversation, openScenario, runState, setSpeed, visit } from './support/parts';
import { expect, test } from './support/test';

test('a long answer is drawn where it is read, and all of its text is there', async ({ page }) => {
  const part = (n: number) => `## Part ${n}\n\nOf all that was **said** it is this.\n\n- one\n- two\n\n`;
  const parts = Array.from({ length: 2000 }, (_, index) => part(index + 1));
  await visit(page);
  await openScenario(page, answers(parts.join('')));
  await setSpeed(page, 'max');
  await button(page, 'Play').click();
  await expect(runState(page)).toHaveText('idle');
  const shown = conversation(page);
  await expect(shown.getByRole('heading', { name: 'Part 2000', exact: true })).toBeInViewport();
  expect(await shown.getByRole('listitem').count()).toBeLessThan(500);
  await expect(shown).toContainText('## Part 7\n');
  await shown.getByRole('group', { name: 'Messages' }).press('Home');
  await expect(shown.getByRole('heading', { name: 'Part 1', exact: true })).toBeInViewport();
  expect(await shown.getByRole('listitem').count()).toBeLessThan(500);
});
