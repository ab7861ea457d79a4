import { button, composer, openScenario, queue, row, runState, setSpeed, visit } from './support/parts';
import { slowTool } from './support/scenarios';
import { expect, test } from './support/test';

test('another tab shows the session that runs, live and read-only, and takes over when the first one is closed', async ({
  page,
  context,
}) => {
  await visit(page);
  await openScenario(page, slowTool);
  await button(page, 'Play').click();
  await expect(row(page, /dig\s+a\.txt/)).toBeVisible();

  const other = await context.newPage();
  await other.goto('./');
  await expect(row(other, /dig\s+a\.txt/)).toBeVisible();
  await expect(other.getByText('Another tab runs this session.').first()).toBeVisible();
  await expect(composer(other)).not.toBeEditable();
  await expect(button(other, 'Pause')).toBeDisabled();

  await composer(page).fill('Seen everywhere.');
  await composer(page).press('Enter');
  await expect(queue(other, 'Steering').getByRole('listitem')).toContainText('Seen everywhere.');

  await page.close();
  await expect(runState(other)).toHaveText('interrupted');
  await expect(composer(other)).toBeEditable();
  await setSpeed(other, 'max');
  await button(other, 'Continue').click();
  await expect(runState(other)).toHaveText('idle');
});
