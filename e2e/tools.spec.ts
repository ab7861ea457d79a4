import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright/test';
import {
  button,
  composer,
  conversation,
  openScenario,
  row,
  runState,
  setSpeed,
  tall,
  visit,
} from './support/parts';
import { expect, test } from './support/test';

test.use({ viewport: tall });

type Scenario = { title: string } & Record<string, unknown>;

/** A scripted model that makes these calls, one in each turn, and then says that it is done. */
const calls = (title: string, ...made: { name: string; arguments: Record<string, unknown> }[]) => ({
  title,
  tools: [...new Set(made.map(({ name }) => name))],
  model: {
    kind: 'scripted',
    turns: [
      ...made.map((call) => ({ blocks: [{ type: 'toolCall', ...call }] })),
      { blocks: [{ type: 'text', text: 'All done.' }] },
    ],
  },
  prompts: ['Go.'],
});

async function play(page: Page, scenario: Scenario): Promise<void> {
  await visit(page);
  await openScenario(page, scenario);
  await setSpeed(page, 'max');
  await button(page, 'Play').click();
}

/** Presses Escape. ms from the key to the word that the run is aborted, by the page's own clock. */
async function abortTime(page: Page): Promise<number> {
  const times = await page.evaluateHandle(() => {
    const seen = { pressed: 0, aborted: 0 };
    addEventListener('keydown', () => (seen.pressed = performance.now()), { once: true, capture: true });
    new MutationObserver((_, observer) => {
      const state = document.querySelector('[aria-label="Run state"]');
      if (!state?.textContent.includes('aborted')) return;
      seen.aborted = performance.now();
      observer.disconnect();
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    return seen;
  });
  await composer(page).press('Escape');
  await expect(runState(page)).toHaveText('aborted');
  return times.evaluate(({ pressed, aborted }) => aborted - pressed);
}

const endless = [
  {
    what: 'the shell',
    call: { name: 'bash', arguments: { command: 'while true; do :; done', timeout: 60 } },
  },
  { what: 'the sandbox', call: { name: 'js', arguments: { code: 'while (true) {}' } } },
];
for (const { what, call } of endless) {
  test(`an endless loop in ${what} is aborted within a second, and the session goes on`, async ({ page }) => {
    // Needs a tool worker again: the first one was terminated.
    const after = {
      name: call.name,
      arguments: call.name === 'js' ? { code: '6 * 7' } : { command: 'echo $((6 * 7))' },
    };
    const scenario = calls('Endless', call, after);
    const [first, ...others] = scenario.model.turns;
    // The request that the abort cuts off takes an answer too.
    const turns = [first, { blocks: [{ type: 'text', text: 'Cut off.' }] }, ...others];
    await play(page, { ...scenario, model: { ...scenario.model, turns } });
    await expect(row(page, new RegExp(`^\\s*${call.name}`))).toBeVisible();
    // Its worker is there; nothing tells that the loop itself has begun, since it only works.
    await expect.poll(() => page.workers().length).toBeGreaterThan(1);
    await expect(runState(page)).toHaveText('running');
    expect(await abortTime(page)).toBeLessThan(1000);
    await composer(page).fill('And now?');
    await composer(page).press('Enter');
    await expect(runState(page)).toHaveText('idle');
    await expect(conversation(page).getByText('All done.')).toBeVisible();
    await expect(row(page, new RegExp(`${call.name}.*42`, 's'))).toBeVisible();
  });
}

test.describe('fetch from an origin that nobody allowed', () => {
  let server: Server;
  let url: string;
  let requests: number;
  test.beforeEach(async () => {
    requests = 0;
    server = createServer((request, response) => {
      if (request.method !== 'OPTIONS') requests++;
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('content-type', 'text/plain');
      response.end(`Hello from ${request.url}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  test.afterEach(() => server.close());

  const question = (page: Page) => page.getByRole('region', { name: 'May this call run?' });

  test('asks, and gives the page when it is allowed, once or for the session', async ({ page }) => {
    const fetches = ['/one', '/two', '/three'].map((path) => ({
      name: 'fetch',
      arguments: { url: url + path },
    }));
    await play(page, calls('Fetches', ...fetches));
    await expect(question(page)).toContainText(`GET ${url}/one`);
    await expect(runState(page)).not.toHaveText('idle');
    expect(requests).toBe(0);
    await question(page).getByRole('button', { name: 'Allow once' }).click();
    await expect(question(page)).toContainText(`GET ${url}/two`);
    expect(requests).toBe(1);
    await question(page).getByRole('button', { name: 'Allow for this session' }).click();
    await expect(runState(page)).toHaveText('idle');
    expect(requests).toBe(3);
    await expect(question(page)).toBeHidden();
    await row(page, /fetch.*three/s)
      .first()
      .click();
    await expect(page.getByText('Hello from /three').first()).toBeVisible();
  });

  test('is an error for the model when it is denied, and nothing was sent', async ({ page }) => {
    const sent = { url: `${url}/form`, method: 'POST', headers: { 'x-api-key': 'abc' }, body: 'name=me' };
    await play(page, calls('Sends', { name: 'fetch', arguments: sent }));
    await expect(question(page)).toContainText(`POST ${url}/form`);
    await expect(question(page)).toContainText('x-api-key: [hidden]');
    await expect(question(page)).toContainText('name=me');
    await question(page).getByRole('button', { name: 'Deny' }).click();
    await expect(runState(page)).toHaveText('idle');
    expect(requests).toBe(0);
    await expect(page.getByText(`The person did not allow fetch to send to ${url}.`).first()).toBeVisible();
  });
});

test('calls that code makes stand below its call', async ({ page }) => {
  const code = `await tools.write({ path: 'a.txt', content: 'one' }); await tools.read({ path: 'a.txt' })`;
  await play(page, {
    ...calls('Nested', { name: 'js', arguments: { code } }),
    tools: ['js', 'write', 'read'],
  });
  await expect(runState(page)).toHaveText('idle');
  await expect(row(page, /^\s*write\s+a\.txt/)).toHaveAttribute('aria-level', '4');
  await expect(row(page, /^\s*read\s+a\.txt/)).toHaveAttribute('aria-level', '4');
});

test('the page answers while 100,000 lines come out of the shell', async ({ page }) => {
  await visit(page);
  await openScenario(page, calls('Long output', { name: 'bash', arguments: { command: 'seq 1 100000' } }));
  await setSpeed(page, 'max');
  // A click waits as long as the task that the page is at. How long frames take depends on what else the machine does.
  const longest = await page.evaluateHandle(() => {
    const seen = { ms: 0 };
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.ms = Math.max(seen.ms, duration);
    }).observe({ type: 'longtask' });
    return seen;
  });
  await button(page, 'Play').click();
  await expect(runState(page)).toHaveText('idle');
  await row(page, /^\s*bash/).click();
  await expect(page.getByText('100000').first()).toBeVisible();
  expect(await longest.evaluate(({ ms }) => ms)).toBeLessThan(1000);
});
