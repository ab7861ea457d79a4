import { readFile } from 'node:fs/promises';
import { expectNoViolations } from './support/axe';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright/test';
import { dialog, drop, fileRow, fileTree, notices, openFiles, zipOf } from './support/files';
import {
  button,
  conversation,
  inspector,
  openScenario,
  row,
  runState,
  setSpeed,
  tab,
  visit,
} from './support/parts';
import { expect, test } from './support/test';

const edit = (path: string, oldText: string, newText: string) => ({
  type: 'toolCall',
  name: 'edit',
  arguments: { path, edits: [{ oldText, newText }] },
});

/** Two edits in one batch, beside a wait of ten minutes in which the page can be looked at. */
const twoEdits = {
  title: 'Two edits',
  files: { 'a.txt': 'one\ntwo\nthree\n', 'old.txt': 'gone soon\n' },
  tools: ['edit', 'wait', 'bash'],
  model: {
    kind: 'scripted',
    turns: [
      {
        blocks: [
          edit('a.txt', 'two', '2'),
          edit('src/b.ts', 'let', 'const'),
          { type: 'toolCall', name: 'bash', arguments: { command: 'rm old.txt' } },
          { type: 'toolCall', name: 'wait', arguments: { ms: 600_000 } },
        ],
      },
      { blocks: [{ type: 'text', text: 'Done.' }] },
    ],
  },
  prompts: ['Edit both.'],
};

const files = (content: Record<string, unknown>) => ({
  title: 'Some files',
  files: content,
  tools: ['read'],
  model: { kind: 'scripted', turns: [{ blocks: [{ type: 'text', text: 'Hello.' }] }] },
  prompts: ['Hello?'],
});

async function visitFiles(page: Page, scenario: { title: string }): Promise<void> {
  await visit(page);
  await openScenario(page, scenario);
  await openFiles(page);
}

test('a zip is dropped, the model edits two files in one batch, and diffs and tree show it, also after a reload', async ({
  page,
}) => {
  await visitFiles(page, twoEdits);
  await drop(
    page,
    [{ name: 'up.zip', content: zipOf({ 'src/b.ts': 'let a = 1;\nlet b = 2;\n' }) }],
    fileTree(page),
  );
  await expect(notices(page)).toContainText('1 file uploaded.');
  await expect(fileRow(page, 'b.ts')).toContainText('added');
  await button(page, 'Play').click();
  await expect(fileRow(page, 'a.txt')).toContainText('changed');
  await expect(fileRow(page, 'old.txt')).toContainText('deleted');
  await expect(row(page, /edit\s*a\.txt/)).toContainText('+1 −1');
  await fileRow(page, 'a.txt').click();
  await tab(page, 'changed +1 −1 since the start').click();
  const changes = page.getByRole('group', { name: 'Changes of a.txt' });
  await expect(changes).toContainText('two');
  await expect(changes).toContainText('2');
  await fileRow(page, 'old.txt').click();
  await expect(page.getByRole('group', { name: 'Changes of old.txt' })).toContainText('gone soon');

  await page.getByRole('radio', { name: 'since turn 1 began' }).check({ force: true });
  await expect(fileRow(page, 'a.txt')).toContainText('changed');
  await expect(fileRow(page, 'b.ts')).not.toContainText('added');

  await page.reload();
  await openFiles(page);
  await expect(fileRow(page, 'a.txt')).toContainText('changed');
  await fileRow(page, 'a.txt').click();
  await tab(page, 'File').click();
  await expect(page.getByRole('group', { name: 'Content of a.txt' })).toContainText(
    /one\s*2\s*2\s*3\s*three/,
  );
  await expect(fileRow(page, 'b.ts')).toBeVisible();
});

test('both edits of a batch land, and their diffs are there', async ({ page }) => {
  const calls = [edit('a.txt', 'two', '2'), edit('a.txt', 'three', '3'), edit('b.txt', 'x', 'y')];
  await visitFiles(page, {
    ...twoEdits,
    files: { 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'x\n' },
    model: { kind: 'scripted', turns: [{ blocks: calls }, { blocks: [{ type: 'text', text: 'Done.' }] }] },
  } as { title: string });
  await setSpeed(page, 'max');
  await button(page, 'Play').click();
  await expect(runState(page)).toHaveText('idle');
  await fileRow(page, 'a.txt').click();
  await expect(tab(page, 'changed +2 −2 since the start')).toBeVisible();
  await fileRow(page, 'b.txt').click();
  await tab(page, 'changed +1 −1 since the start').click();
  await expect(page.getByRole('group', { name: 'Changes of b.txt' })).toContainText('y');
  await button(page, 'changed by edit in turn 1').click();
  await expect(inspector(page).getByRole('heading', { name: /edit\s*b\.txt/ })).toBeVisible();
});

test('a file of 20 MB and hostile names get their sentences, and nothing is uploaded before that is settled', async ({
  page,
}) => {
  await visitFiles(page, files({ 'a.txt': 'a' }));
  const zip = zipOf({
    '../../up.txt': 'x',
    'nul\0l.txt': 'x',
    [`${'long'.repeat(80)}.txt`]: 'x',
    'a.txt': 'new',
    'fine.txt': 'fine',
    'evil\u202egnp.exe': 'x',
    'constructor/x': 'x',
  });
  await drop(
    page,
    [
      { name: 'up.zip', content: zip },
      { name: 'big.bin', content: 20 * 1024 * 1024 },
    ],
    fileTree(page),
  );
  await expect(dialog(page)).toContainText('Nothing was uploaded yet.');
  await expect(dialog(page).getByRole('listitem')).toHaveText([
    '“../../up.txt” leads out of the folder that it would be put into.',
    '“big.bin” is too big: a file may have 10 MB.',
  ]);
  await expect(fileRow(page, 'fine.txt')).toBeHidden();
  await button(page, 'Upload the other 6').click();
  await expect(dialog(page).getByRole('listitem')).toHaveText([
    '“nul‹U+0000›l.txt” has a character that no name may have.',
    /^“(long)+…(long)+\.txt” has a name that is too long: 255 bytes are the limit\.$/,
    '“a.txt” is there already.',
  ]);
  await button(page, 'Upload the other 3').click();
  await expect(dialog(page)).toBeHidden();
  await expect(notices(page)).toContainText('3 files uploaded.');
  await expect(fileRow(page, 'evil‹U+202E›gnp.exe')).toBeVisible();
  await expect(fileRow(page, 'constructor')).toBeVisible();
  await expect(fileRow(page, 'fine.txt')).toBeVisible();
  await button(page, 'Undo').click();
  await expect(fileRow(page, 'fine.txt')).toBeHidden();
  await expect(fileRow(page, 'a.txt')).toBeVisible();
});

test('files are made, edited, renamed and deleted by keyboard, and each can be taken back', async ({
  page,
}) => {
  await visitFiles(page, files({ 'src/a.txt': 'a' }));
  await button(page, 'New file').click();
  await page.getByRole('textbox', { name: 'Path' }).fill('src/a.txt');
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toContainText('“src/a.txt” is there already.');
  await page.getByRole('textbox', { name: 'Path' }).fill('notes/todo.md');
  await page.keyboard.press('Enter');
  const field = page.getByRole('textbox', { name: 'Text of todo.md' });
  await expect(field).toBeFocused();
  await page.keyboard.type('# Todo');
  await expect(fileRow(page, 'todo.md')).toContainText('unsaved');
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('group', { name: 'Content of todo.md' })).toContainText('# Todo');
  await expect(fileRow(page, 'todo.md')).not.toContainText('unsaved');

  await fileTree(page).focus();
  await page.keyboard.press('F2');
  await page.getByRole('textbox', { name: 'Path' }).fill('notes/done.md');
  await page.keyboard.press('Enter');
  await expect(fileRow(page, 'done.md')).toHaveAttribute('aria-selected', 'true');
  await expect(fileRow(page, 'todo.md')).toBeHidden();

  await fileTree(page).focus();
  await page.keyboard.press('ArrowUp');
  await expect(fileRow(page, 'notes')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowLeft');
  await expect(fileRow(page, 'notes')).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('Delete');
  await expect(fileRow(page, 'notes')).toBeHidden();
  await button(page, 'Undo').click();
  await expect(fileRow(page, 'notes')).toBeVisible();
  await fileTree(page).focus();
  await page.keyboard.press('ArrowRight');
  await expect(fileRow(page, 'done.md')).toContainText('added');
});

test('a file that the person changes during a run is there for the model, and stays after a reload', async ({
  page,
}) => {
  await visitFiles(page, {
    ...twoEdits,
    files: { 'a.txt': 'first\n' },
    toolDurations: { read: 600_000 },
    tools: ['read'],
    model: {
      kind: 'scripted',
      turns: [
        { blocks: [{ type: 'toolCall', name: 'read', arguments: { path: 'a.txt' } }] },
        { blocks: [{ type: 'text', text: 'Read.' }] },
      ],
    },
  } as { title: string });
  await button(page, 'Play').click();
  await expect(row(page, /read\s*a\.txt/)).toBeVisible();
  await fileRow(page, 'a.txt').click();
  await button(page, 'Edit').click();
  await page.getByRole('textbox', { name: 'Text of a.txt' }).fill('second\n');
  await button(page, 'Save').click();
  await expect(notices(page)).toContainText('Saved a.txt.');
  await expect(row(page, /changed\s*a\.txt/)).toBeVisible();
  await setSpeed(page, 'max');
  await expect(runState(page)).toHaveText('idle');
  await tab(page, 'Conversation').click();
  await conversation(page).getByRole('button', { name: /^read/ }).click();
  await tab(page, 'Result').click();
  await expect(page.getByRole('tabpanel', { name: 'Result' })).toContainText('second');
  await page.reload();
  await openFiles(page);
  await fileRow(page, 'a.txt').click();
  await expect(page.getByRole('group', { name: 'Content of a.txt' })).toContainText('second');
});

test('all files are downloaded as a zip, and one by itself', async ({ page }) => {
  await visitFiles(page, files({ 'a.txt': 'a', 'src/b.ts': 'b' }));
  await drop(page, [{ name: 'c.bin', content: new Uint8Array([0, 255, 1]) }], fileTree(page));
  await expect(fileRow(page, 'c.bin')).toBeVisible();
  const all = page.waitForEvent('download');
  await button(page, 'Download all as a zip').click();
  expect((await all).suggestedFilename()).toBe('some-files-files.zip');
  const zip = unzipSync(await readFile(await (await all).path()));
  expect(Object.fromEntries(Object.entries(zip).map(([name, bytes]) => [name, [...bytes]]))).toEqual({
    'a.txt': [97],
    'c.bin': [0, 255, 1],
    'src/b.ts': [98],
  });
  await fileRow(page, 'c.bin').click();
  const one = page.waitForEvent('download');
  await button(page, 'Download').click();
  expect([...(await readFile(await (await one).path()))]).toEqual([0, 255, 1]);
});

test('names and contents are searched, and a line that was found comes into sight', async ({ page }) => {
  const long = Array.from({ length: 5000 }, (_, index) => `line ${index + 1}`).join('\n');
  await visitFiles(page, files({ 'a.txt': 'nothing', 'deep/er/long.txt': `${long}\nThe (needle) here\n` }));
  await page.getByRole('searchbox').fill('LONG');
  await expect(fileTree(page).getByRole('treeitem')).toHaveText(['project', 'deep', 'er', 'long.txt']);
  await page.getByRole('checkbox', { name: 'In contents' }).check();
  await page.getByRole('searchbox').fill('(NEEDLE)');
  await expect(page.getByText('1 line in 1 file.')).toBeVisible();
  await button(page, '5,001 The (needle) here').click();
  const content = page.getByRole('group', { name: 'Content of long.txt' });
  await expect(content.locator('mark')).toHaveText('(needle)');
  await expect(content.locator('mark')).toBeInViewport();
});

test('a file of 100,000 lines is shown and scrolled at once', async ({ page }) => {
  await visitFiles(page, files({ 'a.txt': 'a' }));
  const text = Array.from({ length: 100_000 }, (_, index) => `row ${index + 1}`).join('\n');
  await drop(page, [{ name: 'big.csv', content: text }], fileTree(page));
  await fileRow(page, 'big.csv').click();
  const content = page.getByRole('group', { name: 'Content of big.csv' });
  await expect(content).toContainText('row 1');
  const took = await content.evaluate(async (element) => {
    const frame = () => new Promise(requestAnimationFrame);
    const start = performance.now();
    for (let step = 1; step <= 20; step++) {
      element.scrollTop = (element.scrollHeight * step) / 20;
      await frame();
      await frame();
    }
    return (performance.now() - start) / 40;
  });
  expect(took).toBeLessThan(100);
  await expect(content).toContainText('row 100000');
  expect(await content.evaluate((element) => element.querySelectorAll('.line').length)).toBeLessThan(200);
});

test('an image that a tool reads is shown in the inspector, and among the files', async ({ page }) => {
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FAAhKDveksOjmAAAAAElFTkSuQmCC';
  await visitFiles(page, {
    ...files({ 'dot.png': { base64: png } }),
    model: {
      kind: 'scripted',
      turns: [
        { blocks: [{ type: 'toolCall', name: 'read', arguments: { path: 'dot.png' } }] },
        { blocks: [{ type: 'text', text: 'A dot.' }] },
      ],
    },
  } as { title: string });
  await fileRow(page, 'dot.png').click();
  await expect(page.getByRole('img', { name: 'dot.png' })).toBeVisible();
  await expect(page.getByText('10 × 10')).toBeVisible();
  await setSpeed(page, 'max');
  await button(page, 'Play').click();
  await expect(runState(page)).toHaveText('idle');
  await row(page, /read\s*dot\.png/).click();
  await tab(page, 'Result').click();
  const image = inspector(page).getByRole('img', { name: 'dot.png' });
  await expect(image).toBeVisible();
  expect(await image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(10);
});

test.describe('with reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('axe finds nothing among the files, in both themes', async ({ page }) => {
    test.slow();
    await visitFiles(page, {
      ...twoEdits,
      model: {
        kind: 'scripted',
        turns: [{ blocks: [edit('a.txt', 'two', '2')] }, { blocks: [{ type: 'text', text: 'Done.' }] }],
      },
    } as { title: string });
    await setSpeed(page, 'max');
    await button(page, 'Play').click();
    await expect(runState(page)).toHaveText('idle');
    await expectNoViolations(page);
    await fileRow(page, 'a.txt').click();
    await expectNoViolations(page);
    await tab(page, 'changed +1 −1 since the start').click();
    await expectNoViolations(page);
    await tab(page, 'File').click();
    await button(page, 'Edit').click();
    await expectNoViolations(page);
    await button(page, 'Discard').click();
    await button(page, 'Rename').click();
    await expectNoViolations(page);
    await page.keyboard.press('Escape');
    await page.getByRole('checkbox', { name: 'In contents' }).check();
    await page.getByRole('searchbox').fill('o');
    await expect(page.getByText('2 lines in 2 files.')).toBeVisible();
    await expectNoViolations(page);
  });
});
