import type { Page } from 'playwright/test';
import {
  button,
  composer,
  inspector,
  openScenario,
  row,
  runState,
  setSpeed,
  tall,
  visit,
  why,
} from './support/parts';
import { asks, bothLoops, slowTool } from './support/scenarios';
import { expect, test } from './support/test';

test.use({ viewport: tall });

const map = (page: Page) => page.getByRole('img', { name: /^Loop map/ });
const station = (page: Page, name: string | RegExp) =>
  page.getByRole('toolbar', { name: 'Stations of the loop' }).getByRole('button', { name });

/** Collects what the map says in words, each sentence once, in order. */
function collected(page: Page, selector: string, attribute?: string) {
  return page.evaluateHandle(
    ([selector, attribute]) => {
      const texts: string[] = [];
      const look = () => {
        for (const element of document.querySelectorAll(selector)) {
          const text = (attribute ? element.getAttribute(attribute) : element.textContent) ?? '';
          if (text !== '' && !texts.includes(text)) texts.push(text);
        }
      };
      const options = { subtree: true, childList: true, characterData: true, attributes: true };
      new MutationObserver(look).observe(document.body, options);
      look();
      return texts;
    },
    [selector, attribute] as const,
  );
}

/**
 * Collects the lines of the code that are lit, in order: each with what it said last, and with the station of the map
 * where the token was meanwhile.
 */
function litLines(page: Page) {
  return page.evaluateHandle(() => {
    const all: string[][] = [];
    const look = () => {
      const lit = document.querySelector('li[aria-current=step]');
      const line = lit?.querySelector('code')?.textContent.trim() ?? '';
      const values = [...(lit?.querySelectorAll('b') ?? [])].map(({ textContent }) => textContent).join(' ');
      const on = document.querySelector<HTMLElement>('button[data-station][aria-current=step]');
      const station = on?.dataset.station ?? '';
      const last = all.at(-1);
      if (last?.[0] === line && last[2] === station) last[1] = values;
      else all.push([line, values, station]);
    };
    const options = { subtree: true, childList: true, characterData: true, attributes: true };
    new MutationObserver(look).observe(document.body, options);
    look();
    return all;
  });
}

test('a shipped scenario is followed on the map: where it stands, what each poll found, and why it goes on', async ({
  page,
}) => {
  await visit(page);
  await setSpeed(page, '2×');
  const places = await collected(page, '[role=img][aria-label^="Loop map"]', 'aria-label');
  const reasons = await collected(page, '[role=status] h2');
  const polls = await collected(page, 'text:has(> .steering, > .name) > .detail');
  await button(page, 'Play').click();
  await expect(runState(page)).toHaveText('idle');
  await expect(map(page)).toHaveAccessibleName('Loop map: turn 3, outer pass 1. The run has ended.');
  const said = await places.jsonValue();
  const at = (turn: number, name: string) =>
    said.findIndex((text) => text.includes(`turn ${turn}, outer pass 1. The token is at “${name}”`));
  const way = [at(1, 'stream'), at(1, 'tools'), at(2, 'stream'), at(3, 'stream')];
  expect(way).not.toContain(-1);
  expect(way).toEqual(way.toSorted((a, b) => a - b));
  expect((await reasons.jsonValue()).filter((text) => /^(Goes on|Leaves|Stopped)/.test(text))).toEqual([
    'Goes on: 3 tool results, and 1 steering.',
    'Goes on: 3 tool results.',
    'Leaves the inner loop: no tool calls, no steering.',
    'Stopped: no tool calls, no steering, no follow-up.',
  ]);
  await expect(why(page)).toHaveText('Stopped: no tool calls, no steering, no follow-up.');
  expect(await polls.jsonValue()).toEqual(expect.arrayContaining(['found 1', 'nothing', '1 message']));
});

test('each step of the loop is lit in its order with what it found or decided, on the map and in the code at once', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await visit(page);
  await openScenario(page, bothLoops);
  const lit = await litLines(page);
  await button(page, 'Play').click();
  await expect(runState(page)).toHaveText('idle');
  await expect(station(page, 'stop')).toHaveAttribute('aria-current', 'step');
  const poll = 'pending = poll(steering)';
  const asked = [
    ['inject(pending)', '0', 'inject'],
    ['reply = stream(context)', 'toolUse', 'stream'],
  ];
  const ends = ['reply = stream(context)', 'stop', 'stream'];
  const turnEnd = ['turn_end', '', 'finishTurn'];
  const steering = [turnEnd, [poll, '0', 'pollSteering']];
  expect((await lit.jsonValue()).slice(1)).toEqual([
    ['agent_start', '', 'start'],
    ['turn_start; inject(prompts)', '1', 'start'],
    [poll, '0', 'pollStart'],
    ...asked,
    ['results = runTools(reply)', '1', 'tools'],
    ...steering,
    ['while more or pending', 'true 0 → true', 'innerGoOn'],
    ['pending ||= poll(steering)', '0', 'pollPrepare'],
    ['turn_start', '', 'turnStart'],
    ['inject(pending)', '0', 'inject'],
    ends,
    ...steering,
    ['while more or pending', 'false 0 → false', 'innerGoOn'],
    ['pending = poll(followUp)', '1', 'pollFollowUp'],
    ['if pending: next pass', '1 → true', 'outerGoOn'],
    ['turn_start', '', 'turnStart'],
    ['inject(pending)', '1', 'inject'],
    ends,
    ...steering,
    ['while more or pending', 'false 0 → false', 'innerGoOn'],
    ['pending = poll(followUp)', '0', 'pollFollowUp'],
    ['if continued: next pass', 'none → false', 'outerGoOn'],
    ['stop: agent_end', '', 'stop'],
  ]);
});

test('map and code are used by keyboard alone, and what is chosen there is selected', async ({ page }) => {
  await visit(page);
  await openScenario(page, slowTool);
  await button(page, 'Play').click();
  await expect(row(page, /dig\s+a\.txt/)).toBeVisible();
  await station(page, /^start/).focus();
  await page.keyboard.press('End');
  await expect(station(page, 'stop')).toBeFocused();
  await page.keyboard.press('Home');
  for (let step = 0; step < 6; step++) await page.keyboard.press('ArrowRight');
  await expect(station(page, 'tools: dig')).toBeFocused();
  await expect(station(page, 'tools: dig')).toHaveAttribute('aria-current', 'step');
  await page.keyboard.press('Enter');
  await expect(inspector(page).getByRole('heading', { level: 2 })).toContainText('dig');
  await expect(row(page, /dig\s+a\.txt/)).toHaveAttribute('aria-selected', 'true');
  const code = page.getByRole('list', { name: 'The loop as code' });
  await code.getByRole('button').first().focus();
  for (let line = 1; line < 12; line++) await page.keyboard.press('ArrowDown');
  await expect(code.getByRole('button', { name: /reply = stream/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(inspector(page).getByRole('heading', { level: 2 })).toHaveText('Assistant message');
  await button(page, 'Map').press('Enter');
  await expect(code).toHaveCount(0);
  await button(page, 'Code').press('Enter');
  await expect(map(page)).toHaveCount(0);
});

test('with reduced motion the map jumps, and still shows where the run is and what a poll found', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await visit(page);
  await setSpeed(page, '20×');
  const moving = await page.evaluateHandle(() => {
    const seen = { count: 0 };
    addEventListener('transitionrun', () => seen.count++);
    return seen;
  });
  await button(page, 'Play').click();
  await expect(runState(page)).toHaveText('idle');
  await expect(station(page, 'poll follow-up: nothing')).toBeVisible();
  expect(await moving.evaluate(({ count }) => count)).toBe(0);
});

/** Lines of text on the map that lie on each other or leave its box. */
function clashes(page: Page): Promise<string[]> {
  return map(page).evaluate((drawing) => {
    const { left, right, top, bottom } = (drawing.closest('section') ?? drawing).getBoundingClientRect();
    const lines = [...drawing.querySelectorAll('tspan, text:not(:has(tspan, textPath))')].flatMap((line) => {
      const text = document.createRange();
      text.selectNodeContents(line);
      const box = text.getBoundingClientRect();
      // Letters are not as high as their line.
      const height = { top: box.top + box.height * 0.15, bottom: box.bottom - box.height * 0.2 };
      const said = line.textContent?.trim();
      return said ? [{ said, left: box.left + 1, right: box.right - 1, ...height }] : [];
    });
    return lines.flatMap((one, index) => {
      const isOut = one.left < left || one.right > right || one.top < top || one.bottom > bottom;
      const on = lines.slice(index + 1).filter((other) => {
        const beside = one.right <= other.left || other.right <= one.left;
        return !beside && one.top < other.bottom && other.top < one.bottom;
      });
      return [
        ...(isOut ? [`${one.said} is cut off`] : []),
        ...on.map(({ said }) => `${one.said} on ${said}`),
      ];
    });
  });
}

test('the map is legible at any size, or gives way to the stations in one line', async ({ page }) => {
  await visit(page);
  await openScenario(page, slowTool);
  await button(page, 'Play').click();
  await expect(row(page, /dig\s+a\.txt/)).toBeVisible();
  for (const key of ['Enter', 'Alt+Enter', 'Alt+Enter']) {
    await composer(page).fill('Look at the newest lines first');
    await composer(page).press(key);
  }
  const strip = page.getByRole('group', { name: /^Loop map/ });
  const code = page.getByRole('list', { name: 'The loop as code' });
  for (const [width, height, isMap] of [
    [1440, 900, true],
    [1366, 657, true],
    [1280, 720, true],
    [1024, 768, true],
    [390, 844, true],
    [1024, 600, true],
    [720, 450, true],
    [1024, 564, false],
  ] as const) {
    await page.setViewportSize({ width, height });
    if (width < 800)
      await page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name: 'Loop' }).click();
    await expect(isMap ? map(page) : strip).toBeVisible();
    await expect(why(page)).toBeInViewport({ ratio: 1 });
    if (!isMap) await expect(strip.getByText('tools')).toBeInViewport({ ratio: 1 });
    else await expect.poll(() => clashes(page), `at ${width} × ${height}`).toEqual([]);
    // Where queued messages are no cards on the map, its names say that they wait.
    if (isMap && width > 800)
      await expect(page.getByRole('list', { name: 'Follow-up queue' }).getByRole('listitem')).toHaveCount(2);
    if (await code.isVisible())
      await expect(code.locator('[aria-current=step]')).toBeInViewport({ ratio: 1 });
  }
});

test('while a person is asked the loop says that it waits for the answer', async ({ page }) => {
  await visit(page);
  await openScenario(page, asks);
  await button(page, 'Play').click();
  await expect(why(page)).toHaveText('Waits for your answer.');
});
