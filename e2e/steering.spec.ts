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
  await expect(page.getByRole('textbox', { name: 'Queued message' })).toBeFocused();
  // What is typed goes on behind the text: it takes nothing away.
  await page.keyboard.type(' and a half');
  await page.keyboard.press('Enter');
  await expect(steering.nth(1)).toContainText('two and a half');
  await expect(steering.nth(1)).toContainText('edited');
  await button(page, 'Move “two and a half” to the follow-ups').click();
  await expect(followUps).toContainText('two and a half');
  await button(page, 'Remove “three”').click();
  await expect(steering).toHaveCount(1);
  await composer(page).fill('draft');
  await composer(page).press('Alt+ArrowUp');
  await expect(composer(page)).toHaveValue('one\n\ntwo and a half\n\ndraft');
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

test('an edit that a poll overtakes comes back into the composer, behind the draft', async ({ page }) => {
  await composer(page).fill('Mind the pipes.');
  await composer(page).press('Enter');
  await composer(page).fill('a draft');
  await button(page, 'Edit “Mind the pipes.”').click();
  const field = page.getByRole('textbox', { name: 'Queued message' });
  await field.fill('Mind the pipes and the cables.');
  await setSpeed(page, 'max');
  await expect(runState(page)).toHaveText('idle');
  await expect(composer(page)).toHaveValue('a draft\n\nMind the pipes and the cables.');
  await expect(composer(page)).toBeFocused();
  await expect(page.getByRole('log', { name: 'Notices' })).toContainText('Your text is in the message field');
  await expectRows(page, [/Mind the pipes\..*joined before turn 2/]);
});

test('the keyboard stays with a queued message that is edited, moved or removed', async ({ page }) => {
  const cards = (name: 'Steering' | 'Follow-up') => queue(page, name).getByRole('listitem');
  for (const text of ['one', 'two']) {
    await composer(page).fill(text);
    await composer(page).press('Enter');
  }
  for (const [key, text] of [
    ['Enter', 'first'],
    ['Escape', 'first'],
  ] as const) {
    await cards('Steering').first().getByRole('button', { name: /^Edit/ }).press('Enter');
    await page.getByRole('textbox', { name: 'Queued message' }).fill('first');
    await page.keyboard.press(key);
    await expect(cards('Steering').first().getByRole('button', { name: text, exact: true })).toBeFocused();
  }
  await button(page, 'Move “first” to the follow-ups').press('Enter');
  await expect(cards('Follow-up').first().getByRole('button', { name: 'first', exact: true })).toBeFocused();
  await button(page, 'Move “first” to steering').press('Enter');
  await expect(cards('Steering').nth(1).getByRole('button', { name: 'first', exact: true })).toBeFocused();
  await button(page, 'Remove “first”').press('Enter');
  await expect(cards('Steering').first().getByRole('button', { name: 'two', exact: true })).toBeFocused();
  await button(page, 'Remove “two”').press('Enter');
  await expect(composer(page)).toBeFocused();
});

test('F8 pauses also while a queued message is edited', async ({ page }) => {
  await composer(page).fill('one');
  await composer(page).press('Enter');
  await button(page, 'Edit “one”').click();
  await page.getByRole('textbox', { name: 'Queued message' }).press('F8');
  await expect(runState(page)).toHaveText('paused');
});

test('what is taken back stands in the composer with its end in sight', async ({ page }) => {
  for (const text of ['one\n'.repeat(15).trim(), 'two']) {
    await composer(page).fill(text);
    await composer(page).press('Enter');
  }
  await expect(queue(page, 'Steering').getByRole('listitem')).toHaveCount(2);
  await composer(page).fill('draft');
  await composer(page).press('Alt+ArrowUp');
  await expect(composer(page)).toHaveValue(/two\n\ndraft$/);
  const [atEnd, inSight] = await composer(page).evaluate((field: HTMLTextAreaElement) => [
    field.selectionStart === field.value.length,
    field.scrollHeight > field.clientHeight && field.scrollTop + field.clientHeight >= field.scrollHeight - 1,
  ]);
  expect(atEnd).toBe(true);
  expect(inSight).toBe(true);
});

test('Abort, pressed while a queued message is edited, leaves the keyboard in the composer', async ({
  page,
}) => {
  await composer(page).fill('And this.');
  await composer(page).press('Alt+Enter');
  const card = queue(page, 'Follow-up').getByRole('listitem');
  await card.getByRole('button', { name: /^Edit/ }).click();
  await expect(card.getByRole('textbox')).toBeFocused();
  await button(page, 'Abort').press('Enter');
  await expect(runState(page)).toHaveText('aborted');
  await expect(page.getByRole('textbox', { name: 'Message', exact: true })).toBeFocused();
});
