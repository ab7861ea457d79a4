import { button, runState, setSpeed, visit, why } from './support/parts';
import { expect, test } from './support/test';

test('a scenario is gone through step by step, the reason is right at each decision, and Play goes on', async ({
  page,
}) => {
  await visit(page);
  await page.getByRole('button', { name: /^Scenario: / }).click();
  await page.getByRole('menuitemradio', { name: /^Both at once/ }).click();
  await setSpeed(page, 'max');
  const map = page.getByRole('img', { name: /^Loop map/ });
  const held = page.getByRole('status').filter({ hasText: /^Held in turn/ });
  await button(page, 'Step').click();
  await expect(held).toHaveText('Held in turn 1 at “start”: 1 message.');
  await expect(runState(page)).toHaveText('paused');

  const reasons: string[] = [];
  while (reasons.length < 2) {
    const before = await held.innerText();
    await page.keyboard.press('F10');
    await expect(held).not.toHaveText(before);
    const said = await held.innerText();
    if (!said.includes('go on?')) continue;
    await expect(map).toHaveAccessibleName(/The token is at “go on\?”/);
    reasons.push(await why(page).innerText());
  }
  expect(reasons).toEqual(['Goes on: 2 tool results, and 1 steering.', 'Goes on: 1 tool result.']);

  await button(page, 'Play').click();
  await expect(runState(page)).toHaveText('idle');
  await expect(held).toHaveCount(0);
  await expect(button(page, 'Step')).toHaveAttribute('aria-disabled', 'true');
  // A press too many begins nothing anew.
  await page.keyboard.press('F10');
  await expect(why(page)).toHaveText(/^Stopped/);
});
