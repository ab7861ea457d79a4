import {
  button,
  composer,
  conversation,
  expectRows,
  openScenario,
  queue,
  row,
  runState,
  setSpeed,
  tall,
  visit,
  why,
} from './support/parts';
import { slowTool } from './support/scenarios';
import { expect, test } from './support/test';

test.use({ viewport: tall });

test.beforeEach(async ({ page }) => {
  await visit(page);
  await openScenario(page, slowTool);
  await button(page, 'Play').click();
  await expect(row(page, /dig\s+a\.txt/)).toBeVisible();
});

test('by keyboard: Enter steers, Alt+Enter follows up, and each lands where the rule says', async ({
  page,
}) => {
  await composer(page).fill('And this.');
  await composer(page).press('Alt+Enter');
  await expect(queue(page, 'Follow-up').getByRole('listitem')).toContainText('And this.');
  await composer(page).fill('Mind the pipes.');
  await composer(page).press('Enter');
  await expect(queue(page, 'Steering').getByRole('listitem')).toContainText('Mind the pipes.');
  await expect(queue(page, 'Steering').getByRole('listitem')).toContainText('after this batch');
  await expect(composer(page)).toHaveValue('');

  await setSpeed(page, 'max');
  await expect(runState(page)).toHaveText('idle');
  await expectRows(page, [
    'Turn 1',
    'dig',
    'Turn 2',
    /Mind the pipes.*steering.*joined before turn 2/,
    'Second answer.',
    /poll follow-up.*found 1/,
    'Turn 3',
    /And this.*follow-up.*joined before turn 3/,
    'Third answer.',
  ]);
  await expect(queue(page, 'Steering').getByRole('listitem')).toHaveCount(0);
  await expect(queue(page, 'Follow-up').getByRole('listitem')).toHaveCount(0);
});

test('an input method’s Enter sends nothing', async ({ page }) => {
  await composer(page).fill('ni hao');
  await composer(page).evaluate((editor) => {
    const press = (options: KeyboardEventInit) =>
      editor.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...options }),
      );
    press({ isComposing: true });
    press({ keyCode: 229 });
  });
  await expect(composer(page)).toHaveValue('ni hao');
  await expect(queue(page, 'Steering').getByRole('listitem')).toHaveCount(0);
  await composer(page).press('Enter');
  await expect(queue(page, 'Steering').getByRole('listitem')).toHaveCount(1);
});

test('a queued message can be edited, moved, removed and recalled', async ({ page }) => {
  const steering = queue(page, 'Steering').getByRole('listitem');
  const followUps = queue(page, 'Follow-up').getByRole('listitem');
  for (const text of ['one', 'two', 'three']) {
    await composer(page).fill(text);
    await composer(page).press('Enter');
  }
  await expect(steering).toHaveCount(3);
  await button(page, 'Edit “two”').click();
  await page.getByRole('textbox', { name: 'Queued message' }).fill('second');
  await page.keyboard.press('Enter');
  await expect(steering.nth(1)).toContainText('second');
  await expect(steering.nth(1)).toContainText('edited');
  await button(page, 'Move “second” to the follow-ups').click();
  await expect(followUps).toContainText('second');
  await button(page, 'Remove “three”').click();
  await expect(steering).toHaveCount(1);
  await composer(page).fill('draft');
  await composer(page).press('Alt+ArrowUp');
  await expect(composer(page)).toHaveValue('one\n\nsecond\n\ndraft');
  await expect(steering).toHaveCount(0);
  await expect(followUps).toHaveCount(0);
});

test('Escape aborts; what is queued is stranded, and Continue takes it', async ({ page }) => {
  await composer(page).fill('Later.');
  await composer(page).press('Alt+Enter');
  await expect(queue(page, 'Follow-up').getByRole('listitem')).toHaveCount(1);
  await composer(page).fill('not sent yet');
  await composer(page).press('Escape');
  await expect(runState(page)).toHaveText('aborted');
  await expect(why(page)).toHaveText('Stopped: aborted.');
  await expect(queue(page, 'Follow-up').getByRole('listitem')).toContainText('stranded');
  await expect(composer(page)).toHaveValue('not sent yet');
  await setSpeed(page, 'max');
  await button(page, 'Continue').click();
  // Which of its answers the script gives depends on whether the abort met a request.
  await expect(conversation(page).getByText(/^(Second|Third) answer\.$/)).toBeVisible();
  await expect(runState(page)).toHaveText('idle');
  await expect(queue(page, 'Follow-up').getByRole('listitem')).toHaveCount(0);
  await expectRows(page, ['Run 1', 'abort asked', 'Run 2', /Later\..*follow-up/]);
});

test('a mode that is switched while it runs counts at the next poll', async ({ page }) => {
  for (const text of ['first', 'second']) {
    await composer(page).fill(text);
    await composer(page).press('Enter');
  }
  await page.getByRole('button', { name: 'Steering is taken one at a time' }).click();
  await page.getByRole('menuitemradio', { name: 'all at once' }).click();
  await expect(queue(page, 'Steering').getByRole('listitem').nth(1)).toContainText('after this batch');
  await setSpeed(page, 'max');
  await expect(runState(page)).toHaveText('idle');
  await expectRows(page, [
    'Turn 2',
    /first.*joined before turn 2/,
    /second.*joined before turn 2/,
    'Second answer.',
  ]);
});
