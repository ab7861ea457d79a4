import {
  button,
  composer,
  conversation,
  expectRows,
  inspector,
  openScenario,
  row,
  runState,
  setSpeed,
  tab,
  tall,
  visit,
  why,
} from './support/parts';
import { bothLoops } from './support/scenarios';
import { expect, test } from './support/test';

test.use({ viewport: tall });

test('a first visit is one press of Play away from a run, whose rows appear nested and in order', async ({
  page,
}) => {
  await visit(page);
  await expect(runState(page)).toHaveText('ready');
  await setSpeed(page, '20×');
  await button(page, 'Play').click();
  await expect(runState(page)).toHaveText('running');
  await expectRows(page, [
    'Run 1',
    'The shop answered',
    'Turn 1',
    'count_errors',
    'find_restarts',
    'read',
    'Turn 2',
  ]);
  await expect(row(page, 'Run 1')).toHaveAttribute('aria-level', '1');
  await expect(row(page, /Turn 1/)).toHaveAttribute('aria-level', '2');
  await expect(row(page, 'count_errors')).toHaveAttribute('aria-level', '3');
  await expect(runState(page)).toHaveText('idle');
  await expect(why(page)).toHaveText('Stopped: no tool calls, no steering, no follow-up.');
  await expectRows(page, ['Turn 1', 'Turn 2', /steering.*waited .* joined before turn 2/]);
});

test('pause holds a run where it is, and Play goes on', async ({ page }) => {
  await visit(page);
  await button(page, 'Play').click();
  await expect(row(page, 'Turn 1')).toBeVisible();
  await page.keyboard.press('F8');
  await expect(runState(page)).toHaveText('paused');
  const clock = page.getByRole('timer');
  const held = await clock.innerText();
  await expect(button(page, 'Play')).toBeVisible();
  expect(await clock.innerText()).toBe(held);
  await setSpeed(page, 'max');
  await button(page, 'Play').click();
  await expect(runState(page)).toHaveText('idle');
});

test('a run that is typed before Play is paused and resumed, and the scenario waits', async ({ page }) => {
  await visit(page);
  await composer(page).fill('Mine first.');
  await composer(page).press('Enter');
  await expect(runState(page)).toHaveText('running');
  await page.keyboard.press('F8');
  await expect(runState(page)).toHaveText('paused');
  await setSpeed(page, 'max');
  await page.keyboard.press('F8');
  await expect(runState(page)).not.toHaveText('paused');
  await expect(row(page, 'Run 1')).toBeVisible();
  await expect(button(page, 'Abort')).toHaveCount(0);
  await expect(button(page, 'Play')).toBeEnabled();
  await expect(row(page, 'Run 2')).toHaveCount(0);
});

test('the inspector shows arguments, result and raw records of what is selected', async ({ page }) => {
  await visit(page);
  await setSpeed(page, 'max');
  await button(page, 'Play').click();
  await expect(runState(page)).toHaveText('idle');
  await conversation(page)
    .getByRole('button', { name: /^count_errors/ })
    .click();
  await expect(inspector(page).getByRole('heading', { name: /count_errors/ })).toBeVisible();
  await expect(inspector(page).getByText('took')).toBeVisible();
  await tab(page, 'Arguments').click();
  await expect(page.getByRole('tabpanel').getByText('server.log').first()).toBeVisible();
  await tab(page, 'Raw').click();
  await expect(page.getByRole('tabpanel').getByText('tool_execution_start')).toBeVisible();
  await expect(row(page, 'count_errors')).toHaveAttribute('aria-selected', 'true');

  // Another session has other records, also in the panel that was there before it.
  await openScenario(page, bothLoops);
  await button(page, 'Play').click();
  await expect(runState(page)).toHaveText('idle');
  await row(page, /dig.*a\.txt/)
    .first()
    .click();
  await tab(page, 'Raw').click();
  await expect(page.getByRole('tabpanel').getByText('tool_execution_start')).toBeVisible();
});

test('Play again plays the same scenario in a new session', async ({ page }) => {
  await visit(page);
  await setSpeed(page, 'max');
  await button(page, 'Play').click();
  await expect(runState(page)).toHaveText('idle');
  await button(page, 'Play again').click();
  await expect(runState(page)).toHaveText('running');
  await button(page, 'Sessions').click();
  await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(2);
});

test('a question takes the keyboard from a composer in which nothing is written, and gives it back', async ({
  page,
}) => {
  const asking = (question: string) => ({
    blocks: [{ type: 'toolCall', name: 'ask', arguments: { question } }],
  });
  const asksTwice = {
    title: 'Asks twice',
    tools: ['ask'],
    model: {
      kind: 'scripted',
      turns: [asking('Which one?'), asking('Sure?'), { blocks: [{ type: 'text', text: 'Done.' }] }],
    },
    prompts: ['Ask me.'],
  };
  await visit(page);
  await openScenario(page, asksTwice);
  await setSpeed(page, 'max');
  await composer(page).focus();
  await page.keyboard.press('F8');
  await expect(page.getByRole('textbox', { name: 'A tool asks you' })).toBeFocused();
  await page.keyboard.type('The first.');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Sure?').last()).toBeVisible();
  await expect(composer(page)).toBeEmpty();
});
