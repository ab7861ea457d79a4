/** The built page in a real browser: how it opens a long session, moves in it, and keeps up with a fast run. */
import type { BrowserContext, Page } from 'playwright';
import { longSession } from '../src/trace/testing/long-session';
import { median, quantile } from './measure';
import type { Bench, Figure } from './measure';
import { frameTimes } from './page/frames';
import type { Motion } from './page/frames';
import { busyTurns, longAnswer, openScenario, playFor, setSpeed } from './page/live';
import { mainThreadTasks } from './page/main-thread';
import type { Tasks } from './page/main-thread';
import { hidePanels, hiddenPanelCalls, showLower } from './page/panels';
import { heap, outlinePainted, plainWork, Site, visit } from './page/site';
import { storeSession } from './page/stored-session';

const mixes = {
  'mostly deltas': { runs: 10, turnsPerRun: 10, deltasPerTurn: 1000 },
  'one run of 1,000 turns': { runs: 1, turnsPerRun: 1000, deltasPerTurn: 90 },
};
const rounds = 5;

const bench: Bench = async (root) => {
  const site = await Site.open(root);
  try {
    const figures: Figure[] = [];
    for (const [mix, length] of Object.entries(mixes)) {
      const context = await site.context();
      figures.push(
        ...(await longSessionFigures(context, mix, longSession(length).records.slice(0, 100_000))),
      );
      await context.close();
    }
    figures.push(...(await liveFigures(site, 'busy turns at 20×', busyTurns(5000), '20×')));
    figures.push(...(await liveFigures(site, 'one paragraph at 20×', longAnswer(1_000_000), '20×')));
    return figures;
  } finally {
    await site.close();
  }
};

type Records = Parameters<typeof storeSession>[2];

async function longSessionFigures(context: BrowserContext, mix: string, records: Records): Promise<Figure[]> {
  const first = await context.newPage();
  await visit(first);
  await storeSession(first, mix, records);
  await first.close();
  const opened: number[] = [];
  const works: number[] = [];
  let page = await context.newPage();
  for (let round = 0; round <= rounds; round++) {
    await page.close();
    page = await context.newPage();
    await page.goto('./');
    const took = await outlinePainted(page);
    works.push(await plainWork(page));
    if (round > 0) opened.push(took);
  }
  const of = (what: string) => `${what}, 100,000 records, ${mix}`;
  const figures: Figure[] = [
    { name: 'a fixed piece of plain work', value: median(works), unit: 'ms' },
    { name: of('open to the first painted outline'), value: median(opened), unit: 'ms', limit: 1500 },
    { name: of('heap'), value: await heap(page), unit: 'MB', limit: 250 },
    { ...(await frames(page, 'nothing')), name: 'frames while nothing moves (95th percentile)' },
    { ...(await frames(page, 'outline')), name: of('scroll the outline, frames (95th percentile)') },
  ];
  await showLower(page, 'Time');
  for (const motion of ['pan', 'zoom'] as const)
    figures.push({
      ...(await frames(page, motion)),
      name: of(`${motion} the time axis, frames (95th percentile)`),
    });
  await page.close();
  return figures;
}

/** The median of three runs: a busy machine loses frames that the page did not. */
async function frames(page: Page, motion: Motion): Promise<Omit<Figure, 'name'>> {
  const times: number[] = [];
  for (let round = 0; round < 3; round++) times.push(quantile(await frameTimes(page, motion), 0.95));
  return motion === 'nothing'
    ? { value: median(times), unit: 'ms' }
    : { value: median(times), unit: 'ms', limit: 20 };
}

async function liveFigures(site: Site, name: string, scenario: object, speed: string): Promise<Figure[]> {
  const context = await site.context();
  const page = await context.newPage();
  await visit(page);
  await openScenario(page, scenario);
  await setSpeed(page, speed);
  const measured = async (): Promise<Tasks & { rate: number }> => {
    let rate = 0;
    const tasks = await mainThreadTasks(site.browser, page, async () => {
      rate = await playFor(page, 5000);
    });
    return { ...tasks, rate };
  };
  const shown = [await measured(), await measured(), await measured()];
  const used = await heap(page);
  await showLower(page, 'Time');
  const withTime = await measured();
  await hidePanels(page);
  const hidden = [await measured()];
  const calls = await hiddenPanelCalls(page, async () => void (await playFor(page, 2000)));
  await context.close();
  const med = (of: (run: Tasks & { rate: number }) => number, runs = shown) => median(runs.map(of));
  const share = ({ computed, rate }: Tasks & { rate: number }) => computed / (rate * 5);
  return [
    { name: `records a second, ${name}`, value: med(({ rate }) => rate), unit: '' },
    { name: `longest task, ${name}`, value: med(({ longest }) => longest), unit: 'ms', limit: 50 },
    {
      name: `longest task, ${name}, computing`,
      value: med(({ longestComputed }) => longestComputed),
      unit: 'ms',
    },
    { name: `longest task with the time axis, ${name}`, value: withTime.longest, unit: 'ms', limit: 50 },
    { name: `heap after it`, value: used, unit: 'MB', limit: 250 },
    { name: `computed for 1,000 records, panels shown`, value: med(share) * 1000, unit: 'ms' },
    { name: `computed for 1,000 records, panels hidden`, value: med(share, hidden) * 1000, unit: 'ms' },
    { name: `functions of hidden panels that ran`, value: calls, unit: '', limit: 0 },
  ];
}

export default bench;
