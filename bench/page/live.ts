/** Runs that record fast, played by the page's own worker. */
import type { Page } from 'playwright';
import { databaseName } from '../../src/store/db';

/** A turn takes 300 virtual ms: 20 deltas, then three tools at once that tell of their progress all the time. */
const updatesOfCall = 15;
const words = 'Of all that was said it is this that stays, and so on. ';

/** At 20 times its speed about 5,000 records a second, in thousands of turns. */
export function busyTurns(turns: number): object {
  return scenarioOf('Busy turns', {
    tools: [
      {
        name: 'watch',
        durationMs: 150,
        progress: Array.from({ length: updatesOfCall }, (_, index) => `line ${index} of what it saw\n`),
        result: 'all of it',
      },
    ],
    model: {
      kind: 'scripted',
      turns: [
        ...Array.from({ length: turns }, () => ({
          firstTokenMs: 10,
          gapMs: 17,
          chunk: 12,
          blocks: [
            { type: 'text', text: words.repeat(2) },
            ...[0, 1, 2].map((place) => ({ type: 'toolCall', name: 'watch', arguments: { place } })),
          ],
        })),
        { blocks: [{ type: 'text', text: 'Done.' }] },
      ],
    },
    prompts: ['Watch it all.'],
  });
}

/** One answer of one paragraph, as long as this in characters: at 20 times its speed some 28,000 a second. */
export function longAnswer(characters: number): object {
  const text = words.repeat(Math.ceil(characters / words.length)).slice(0, characters);
  return scenarioOf('Long answer', {
    model: { kind: 'scripted', turns: [{ gapMs: 17, chunk: 24, blocks: [{ type: 'text', text }] }] },
    prompts: ['Say it all.'],
  });
}

function scenarioOf(title: string, rest: object): object {
  return { version: 1, start: 'prompt', title, ...rest };
}

export async function openScenario(page: Page, scenario: object): Promise<void> {
  const chosen = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: /^Scenario: / }).click();
  await page.getByRole('menuitem', { name: 'Open a scenario file…' }).click();
  const buffer = Buffer.from(JSON.stringify(scenario));
  await (await chosen).setFiles({ name: 'bench.json', mimeType: 'application/json', buffer });
  const { title } = scenario as { title: string };
  await page.getByRole('button', { name: `Scenario: ${title}` }).waitFor();
}

export async function setSpeed(page: Page, speed: string): Promise<void> {
  await page.getByRole('button', { name: /^Speed: / }).click();
  await page.getByRole('menuitemradio', { name: speed, exact: true }).click();
}

/** How many records of the session that was used last are stored: at most a quarter of a second behind. */
async function storedRecords(page: Page): Promise<number> {
  return page.evaluate(readSeq, databaseName);
}

async function readSeq(name: string): Promise<number> {
  const settled = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('The database refused.'));
    });
  const database = await settled(indexedDB.open(name));
  const all: { seq: number; updatedAt: number }[] = await settled(
    database.transaction('sessions').objectStore('sessions').getAll(),
  );
  database.close();
  return all.sort((a, b) => b.updatedAt - a.updatedAt)[0]?.seq ?? 0;
}

/** Lets the scenario play for a while, by a key: looking for a button would be work for the page. Records a second. */
export async function playFor(page: Page, ms: number): Promise<number> {
  const before = await storedRecords(page);
  const started = performance.now();
  await page.keyboard.press('F8');
  await new Promise((resolve) => setTimeout(resolve, ms));
  await page.keyboard.press('F8');
  const took = (performance.now() - started) / 1000;
  // Until what was recorded is stored.
  await new Promise((resolve) => setTimeout(resolve, 500));
  return ((await storedRecords(page)) - before) / took;
}
