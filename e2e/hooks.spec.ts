import type { Page } from 'playwright/test';
import { expectNoViolations } from './support/axe';
import { button, expectRows, openScenario, row, runState, setSpeed, tall, visit } from './support/parts';
import { expect, test } from './support/test';

test.use({ viewport: tall });

const shell = (command: string) => ({
  blocks: [{ type: 'toolCall', name: 'shell', arguments: { command } }],
});

/** Each call takes ten minutes of virtual time: there is time for a person to step in. */
const twoCalls = {
  title: 'Two calls',
  tools: [{ name: 'shell', durationMs: 600_000, result: 'It ran.' }],
  model: {
    kind: 'scripted',
    turns: [shell('ls /srv'), shell('rm -r /srv'), { blocks: [{ type: 'text', text: 'Done.' }] }],
  },
  prompts: ['Tidy up.'],
};

const rules = (page: Page) => page.getByRole('tabpanel', { name: 'Hooks' });
const dialog = (page: Page) => page.getByRole('dialog', { name: /^(Add rule|Edit: )/ });
const openHooks = (page: Page) => page.getByRole('button', { name: /^Hooks: / }).click();

test.beforeEach(async ({ page }) => {
  test.slow();
  await visit(page);
  await openScenario(page, twoCalls);
  await button(page, 'Play').click();
  await expect(row(page, /shell.*ls/)).toBeVisible();
});

/** The form that is open gets a rule that blocks `rm`, by keyboard alone. */
async function typeRule(page: Page): Promise<void> {
  await expect(dialog(page).getByLabel('What it does')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.type('sh*');
  await page.keyboard.press('Tab');
  await expect(button(page, 'Add argument')).toBeFocused();
  await page.keyboard.press('Enter');
  await dialog(page).getByLabel('Argument 1: name').fill('command');
  await dialog(page).getByLabel('Argument 1: pattern').fill('rm *');
  await dialog(page).getByLabel('Reason, for the model').fill('Nothing is deleted.');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
}

test('a rule that is added during turn 1 blocks the call of turn 2', async ({ page }) => {
  await openHooks(page);
  await expect(rules(page).getByRole('region', { name: 'Hooks' })).toBeFocused();
  await expect(rules(page)).toContainText('No rules.');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await typeRule(page);
  const rule = rules(page).getByRole('switch', {
    name: 'Block calls of sh* when command matches rm *',
    exact: true,
  });
  await expect(rule).toBeChecked();
  await expect(rules(page)).toContainText('has not acted');
  await expect(page.getByRole('button', { name: 'Hooks: 1 rule is on' })).toBeVisible();
  await setSpeed(page, 'max');
  await expect(runState(page)).toHaveText('idle');
  await expectRows(page, [
    'Turn 1',
    /shell.*ls/,
    'Turn 2',
    /shell.*rm/,
    /beforeToolCall.*blocked: Nothing is deleted/,
    'Turn 3',
  ]);
  await expect(rules(page)).toContainText('acted 1 time');
});

test('a rule that is switched off again stops, and a removed one can be taken back', async ({ page }) => {
  await openHooks(page);
  await button(page, 'Add rule').click();
  await typeRule(page);
  const rule = rules(page).getByRole('switch');
  await rule.focus();
  await page.keyboard.press('Space');
  await expect(rule).not.toBeChecked();
  await rules(page)
    .getByRole('button', { name: /^Remove: Block/ })
    .click();
  await expect(rules(page)).toContainText('No rules.');
  await expect(button(page, 'Add rule')).toBeFocused();
  await button(page, 'Undo').click();
  await expect(rule).not.toBeChecked();
  await setSpeed(page, 'max');
  await expect(runState(page)).toHaveText('idle');
  await expectRows(page, ['Turn 2', /shell.*rm/, 'Done.']);
  await expect(row(page, /beforeToolCall/)).toHaveCount(0);
});

test('what is wrong is said at its field, and Escape leaves the form, which has it still when it is opened again', async ({
  page,
}) => {
  await openHooks(page);
  await button(page, 'Add rule').click();
  const form = dialog(page);
  await form.getByLabel('What it does').selectOption('End or go on after a turn');
  await form.getByLabel('When a turn finishes').selectOption('Go on for one more request');
  await button(page, 'Save').click();
  const nth = form.getByLabel('Only match number');
  await expect(nth).toBeFocused();
  await expect(nth).toHaveAccessibleDescription(/would never end/);
  await nth.fill('none');
  await expect(nth).toHaveAccessibleDescription(/whole number/);
  await page.keyboard.press('Escape');
  await expect(button(page, 'Add rule')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(nth).toHaveValue('none');
  await button(page, 'Cancel').click();
  await button(page, 'Add rule').click();
  await expect(nth).toHaveValue('');
  await expect(form.getByLabel('What it does')).toHaveValue('block');
  await page.keyboard.press('Escape');
  await expect(rules(page)).toContainText('No rules.');
});

test.describe('with reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('axe finds nothing in the list and in the form, in both themes', async ({ page }) => {
    await openHooks(page);
    await button(page, 'Add rule').click();
    await typeRule(page);
    await expectNoViolations(page, '[role="tabpanel"]');
    await button(page, 'Add rule').click();
    await dialog(page).getByLabel('What it does').selectOption('Rewrite a result');
    await button(page, 'Add argument').click();
    await expectNoViolations(page, 'dialog');
  });
});
