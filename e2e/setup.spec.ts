import type { Page } from 'playwright/test';
import {
  button,
  composer,
  conversation,
  openScenario,
  runState,
  setSpeed,
  tall,
  visit,
  why,
} from './support/parts';
import { expect, test } from './support/test';

test.use({ viewport: tall });

const say = (text: string) => ({ blocks: [{ type: 'text', text }] });
const dig = { blocks: [{ type: 'toolCall', name: 'dig', arguments: {} }] };

const talk = {
  title: 'A talk',
  systemPrompt: 'You are brief.',
  tools: [{ name: 'dig', description: 'Digs a hole.', durationMs: 100, result: 'dug' }],
  model: { kind: 'scripted', turns: [say('First answer.'), say('Second answer.'), say('Third answer.')] },
  prompts: ['First question'],
};
const digs = {
  ...talk,
  title: 'Digs on',
  model: { kind: 'scripted', turns: [dig, dig, say('Dug twice.')] },
};

const setup = (page: Page) => page.getByRole('dialog', { name: 'Session setup' });

async function openSetup(page: Page): Promise<void> {
  await button(page, 'Session setup').click();
  await expect(setup(page)).toBeVisible();
}

async function played(page: Page, scenario: typeof talk): Promise<void> {
  await visit(page);
  await openScenario(page, scenario);
  await setSpeed(page, 'max');
  await button(page, 'Play').click();
  await expect(conversation(page).getByText('First answer.')).toBeVisible();
  await expect(runState(page)).toHaveText('idle');
}

test('prompt and tools that change in a session are told to the model in system messages', async ({
  page,
}) => {
  await played(page, talk);
  await openSetup(page);
  const dialog = setup(page);
  const prompt = dialog.getByRole('textbox', { name: 'System prompt' });
  await expect(prompt).toHaveValue('You are brief.');
  await expect(dialog.getByRole('checkbox', { name: 'dig' })).toBeChecked();
  await expect(dialog.getByText('Digs a hole.')).toBeVisible();
  await prompt.fill('You are a poet.');
  // Closed from within the field, it is in use like everything that was changed.
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.reload();
  await expect(conversation(page).getByText('First question')).toBeVisible();
  await openSetup(page);
  await dialog.getByRole('checkbox', { name: 'grep' }).check();
  await dialog.getByRole('checkbox', { name: 'dig' }).uncheck();
  await dialog.getByRole('radiogroup', { name: 'Tool calls' }).getByText('one after another').click();
  await dialog.getByRole('radiogroup', { name: 'Thinking level' }).getByText('high', { exact: true }).click();
  await page.keyboard.press('Escape');
  await openSetup(page);
  await expect(prompt).toHaveValue('You are a poet.');
  await expect(dialog.getByRole('checkbox', { name: 'grep' })).toBeChecked();
  await expect(dialog.getByRole('checkbox', { name: 'dig' })).not.toBeChecked();
  await expect(dialog.getByRole('radio', { name: 'one after another' })).toBeChecked();
  await expect(dialog.getByRole('radio', { name: 'high', exact: true })).toBeChecked();
  await page.keyboard.press('Escape');
  await composer(page).fill('Second question');
  await composer(page).press('Enter');
  await expect(conversation(page).getByText('Second answer.')).toBeVisible();
  await expect(
    conversation(page)
      .getByText(/^These instructions replace/)
      .first(),
  ).toBeVisible();
  await expect(conversation(page).getByText('+ grep − dig').first()).toBeVisible();
});

test('a run ends at the limit of requests, and says so; the totals count it', async ({ page }) => {
  await visit(page);
  await openScenario(page, digs);
  await setSpeed(page, 'max');
  await openSetup(page);
  const limit = setup(page).getByRole('textbox', { name: 'Request limit' });
  await limit.fill('1.5');
  await limit.press('Tab');
  await expect(setup(page).getByRole('alert')).toHaveText(/whole number/);
  await limit.fill('2');
  await limit.press('Tab');
  await expect(setup(page).getByRole('alert')).toBeHidden();
  // Also behind a dialog.
  await page.keyboard.press('F8');
  await expect(setup(page).getByRole('row', { name: /^Run 1, the last 2 of 2 / })).toBeVisible();
  await expect(setup(page).getByRole('row', { name: /^This session 2 / })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(runState(page)).toHaveText('idle');
  await expect(why(page)).toHaveText('Stopped: the limit of 2 requests in a run.');
});

test('an earlier prompt is edited and sent again from where it stands', async ({ page }) => {
  await played(page, talk);
  await composer(page).fill('Second question');
  await composer(page).press('Enter');
  await expect(conversation(page).getByText('Second answer.')).toBeVisible();
  await expect(runState(page)).toHaveText('idle');
  await button(page, 'Edit “First question”').click();
  const field = conversation(page).getByRole('textbox', { name: 'Prompt' });
  await expect(field).toHaveValue('First question');
  await expect(conversation(page).getByText(/the 3 after it/)).toBeVisible();
  await field.fill('Another question');
  await field.press('Escape');
  await expect(field).toBeHidden();
  const again = page.getByRole('button', { name: /^Edit, goes on with what was typed: “First/ });
  await expect(again).toBeFocused();
  await page.reload();
  await again.press('Enter');
  await expect(field).toHaveValue('Another question');
  await button(page, 'Send again from here').click();
  await expect(conversation(page).getByText('Third answer.')).toBeVisible();
  await expect(conversation(page).getByText('An edit took 4 messages out of the transcript.')).toBeVisible();
  await expect(button(page, 'Edit “First question”')).toBeHidden();
  await expect(button(page, 'Edit “Another question”')).toBeVisible();
});

test('looking at scenarios leaves no empty sessions, and renaming one leaves the scenario’s name', async ({
  page,
}) => {
  await visit(page);
  await openScenario(page, talk);
  await openScenario(page, digs);
  await openSetup(page);
  await setup(page).getByRole('textbox', { name: 'Title' }).fill('Mine');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  await button(page, 'Sessions').click();
  await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(1);
  await expect(page.getByRole('dialog').getByRole('listitem')).toContainText('Mine');
  await page.keyboard.press('Escape');
  await expect(button(page, 'Scenario: Digs on')).toBeVisible();
});
