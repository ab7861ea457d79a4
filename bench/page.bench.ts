/** The built page in a real browser: how it opens a long session, moves in it, and keeps up with a fast run. */
import type { BrowserContext, Page } from 'playwright';
import { longSession } from '../src/trace/testing/long-session';
import { median, quantile } from './measure';
import type { Bench, Figure } from './measure';
import { frameTimes } from './page/frames';
import type { Motion } from './page/frames';
import {
  busyTurns,
  eventsASecond,
  longAnswer,
  longMarkdown,
  openScenario,
  playFor,
  setSpeed,
} from './page/live';
import type { Played } from './page/live';
import { mainThreadTasks } from './page/main-thread';
import type { Tasks } from './page/main-thread';
import { hidePanels, panelCalls, showLower } from './page/panels';
import { heap, outlinePainted, plainWork, Site, visit } from './page/site';
import { storeSession } from './page/stored-session';

const mixes = {
  'mostly deltas': { runs: 10, turnsPerRun: 10, deltasPerTurn: 1000 },
  'one run of 1,000 turns': { runs: 1, turnsPerRun: 1000, deltasPerTurn: 90 },
};
/** Of each figure that the machine's mood may change: the median of them is told. */
const rounds = 3;
const playMs = 3000;

const bench: Bench = async (root, tell) => {
  const site = await Site.open(root);
  try {
    for (const [mix, length] of Object.entries(mixes)) {
      const context = await site.context();
      tell(await longSessionFigures(context, mix, longSession(length).records.slice(0, 100_000)));
      await context.close();
    }
    tell(await liveFigures(site, 'busy turns at 20×', busyTurns(5000), '20×'));
    tell(await liveFigures(site, 'one paragraph at 20×', longAnswer(1_000_000), '20×'));
    tell(await liveFigures(site, 'Markdown at 20×', longMarkdown(4_000_000), '20×'));
    return [];
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

/** A busy machine loses frames that the page did not: so the median of several runs. */
async function frames(page: Page, motion: Motion): Promise<Omit<Figure, 'name'>> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(quantile(await frameTimes(page, motion), 0.95));
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
  const measured = async (): Promise<Live> => {
    let played: Played | undefined;
    const tasks = await mainThreadTasks(site.browser, page, async () => {
      played = await playFor(page, playMs);
    });
    if (!played) throw new Error('Nothing was played.');
    return { ...tasks, records: played.upTo - played.after, events: await eventsASecond(page, played) };
  };
  const several = async () => [await measured(), await measured(), await measured()];
  const calls = () => panelCalls(page, async () => void (await playFor(page, 1000)));
  const shown = await several();
  const used = await heap(page);
  await showLower(page, 'Time');
  const withTime = await several();
  if ((await calls()) === 0)
    throw new Error('No call of a panel that is shown was seen: the count is blind.');
  await hidePanels(page);
  const hidden = await measured();
  const hiddenCalls = await calls();
  await context.close();
  const med = (of: (run: Live) => number, runs = shown) => median(runs.map(of));
  const share = ({ computed, records }: Live) => (computed / records) * 1000;
  return [
    { name: `events a second, ${name}`, value: med(({ events }) => events), unit: '' },
    { name: `longest task, ${name}`, value: med(({ longest }) => longest), unit: 'ms', limit: 50 },
    { name: `of it computed`, value: med(({ longestComputed }) => longestComputed), unit: 'ms' },
    {
      name: `longest task with the time axis, ${name}`,
      value: med(({ longest }) => longest, withTime),
      unit: 'ms',
      limit: 50,
    },
    { name: `of it computed`, value: med(({ longestComputed }) => longestComputed, withTime), unit: 'ms' },
    { name: `heap after it`, value: used, unit: 'MB', limit: 250 },
    { name: `computed for 1,000 records, panels shown`, value: med(share), unit: 'ms' },
    { name: `computed for 1,000 records, panels hidden`, value: share(hidden), unit: 'ms' },
    { name: `functions of hidden panels that ran`, value: hiddenCalls, unit: '', limit: 0 },
  ];
}

/** What the main thread did while it played. */
interface Live extends Tasks {
  /** Recorded in it. */
  records: number;
  /** A second, each delta counted. */
  events: number;
}

export default bench;
