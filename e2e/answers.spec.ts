import { answers } from './support/scenarios';
import {
  button,
  conversation,
  inspector,
  openScenario,
  row,
  runState,
  setSpeed,
  visit,
} from './support/parts';
import { expect, test } from './support/test';

// The end of the answer with its heading has room.
test.use({ viewport: { width: 1440, height: 900 } });

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

const content = Array.from({ length: 4000 }, (_, index) => `line ${index}\n`).join('');
/** Its arguments stream for half a minute. */
const longCall = {
  title: 'Long call',
  tools: [{ name: 'note', durationMs: 10, result: 'noted' }],
  model: {
    kind: 'scripted',
    turns: [
      {
        gapMs: 20,
        chunk: 40,
        blocks: [{ type: 'toolCall', name: 'note', arguments: { content } }],
      },
      { blocks: [{ type: 'text', text: 'שלום, it is noted.' }] },
      { blocks: [{ type: 'text', text: '' }] },
    ],
  },
  prompts: ['Note it.'],
};

test('a call that is written can be watched from its row, and says what becomes of it', async ({ page }) => {
  await visit(page);
  await openScenario(page, longCall);
  await button(page, 'Play').click();
  const call = conversation(page).getByRole('button', { name: /note.*being written/ });
  await call.click();
  await expect(row(page, 'writes a call of note')).toBeVisible();
  const panel = inspector(page).getByRole('tabpanel');
  await expect(panel.getByText(/line 60\b/)).toBeInViewport();
  await panel.press('Home');
  await button(page, 'Latest').click();
  await expect(button(page, 'Latest')).toBeHidden();
  await setSpeed(page, 'max');
  await expect(runState(page)).toHaveText('idle');
  const said = conversation(page).getByText('שלום, it is noted.');
  await expect(said).toHaveCSS('direction', 'rtl');
});

test('an answer without a text says so', async ({ page }) => {
  await visit(page);
  await openScenario(page, answers(' '));
  await setSpeed(page, 'max');
  await button(page, 'Play').click();
  await expect(conversation(page).getByText('(no text)')).toBeVisible();
});
