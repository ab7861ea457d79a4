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

/** One answer of one paragraph, as long as this in characters: at 20 times its speed some 30,000 a second, in 5,000 deltas. */
export function longAnswer(characters: number): object {
  const text = words.repeat(Math.ceil(characters / words.length)).slice(0, characters);
  return scenarioOf('Long answer', {
    model: { kind: 'scripted', turns: [{ gapMs: 4, chunk: 6, blocks: [{ type: 'text', text }] }] },
    prompts: ['Say it all.'],
  });
}

/** One answer of headings, paragraphs and lists, as long as this in characters. */
export function longMarkdown(characters: number): object {
  const part = (n: number) =>
    `## Part ${n}\n\nOf all that was **said** it is [this](https://example.com/${n}) that *stays*.\n\n- one\n- and \`two\`\n\n`;
  let text = '';
  for (let n = 1; text.length < characters; n++) text += part(n);
  return scenarioOf('Long Markdown', {
    model: { kind: 'scripted', turns: [{ gapMs: 4, chunk: 20, blocks: [{ type: 'text', text }] }] },
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

/** What was recorded while it played: the numbers of its records, and how long it took. */
export interface Played {
  after: number;
  upTo: number;
  seconds: number;
}

/** Lets the scenario play for a while, by a key: looking for a button would be work for the page. */
export async function playFor(page: Page, ms: number): Promise<Played> {
  const after = await page.evaluate(storedRecords, databaseName);
  const started = performance.now();
  await page.keyboard.press('F8');
  await new Promise((resolve) => setTimeout(resolve, ms));
  await page.keyboard.press('F8');
  const seconds = (performance.now() - started) / 1000;
  // Until what was recorded is stored, a quarter of a second later at most.
  await new Promise((resolve) => setTimeout(resolve, 500));
  return { after, upTo: await page.evaluate(storedRecords, databaseName), seconds };
}

/** What happened in it a second, each delta counted: those that come at once are recorded as one. */
export async function eventsASecond(page: Page, { after, upTo, seconds }: Played): Promise<number> {
  return (await page.evaluate(countEvents, { name: databaseName, after, upTo })) / seconds;
}

/** How many records of the session that was used last are stored. */
async function storedRecords(name: string): Promise<number> {
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

async function countEvents({
  name,
  after,
  upTo,
}: { name: string } & Omit<Played, 'seconds'>): Promise<number> {
  const settled = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('The database refused.'));
    });
  const database = await settled(indexedDB.open(name));
  const transaction = database.transaction(['sessions', 'rows']);
  const sessions: { id: string; updatedAt: number }[] = await settled(
    transaction.objectStore('sessions').getAll(),
  );
  const { id = '' } = sessions.sort((a, b) => b.updatedAt - a.updatedAt)[0] ?? {};
  const rows: { records: { seq: number; joined?: number }[] }[] = await settled(
    transaction.objectStore('rows').getAll(IDBKeyRange.bound([id], [id, []])),
  );
  database.close();
  return rows
    .flatMap(({ records }) => records)
    .filter(({ seq }) => seq > after && seq <= upTo)
    .reduce((sum, { joined = 1 }) => sum + joined, 0);
}
