import { expect, test } from './support/test';

// What Playwright evaluates is not bound by the page's policy, so the attempts are made by the page's own script: the
// one that the built page loads is exchanged for them.

test('the policy of the page refuses code and styles that did not come with it', async ({
  page,
  breakages,
}) => {
  await page.route('**/assets/index-*.js', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `
        const refused = (attempt) => { try { attempt(); return false; } catch { return true; } };
        window.violations = [];
        addEventListener('securitypolicyviolation', (event) => window.violations.push(event.effectiveDirective));
        window.outcome = {
          eval: refused(() => new Function('return 1')()),
          html: refused(() => { document.body.innerHTML = '<b>text</b>'; }),
          policy: refused(() => trustedTypes.createPolicy('another', {})),
          worker: refused(() => new Worker('data:text/javascript,1')),
        };
        const style = document.createElement('style');
        style.textContent = 'body { color: red }';
        document.head.append(style);
        new Image().src = 'https://example.com/tracker.png';
      `,
    }),
  );
  await page.goto('./');
  const seen = () =>
    page.evaluate(() => {
      const { outcome, violations } = window as unknown as { outcome: object; violations: string[] };
      return { outcome, violations };
    });
  await expect
    .poll(async () => (await seen()).violations)
    .toEqual(expect.arrayContaining(['style-src-elem', 'img-src']));
  expect((await seen()).outcome).toEqual({ eval: true, html: true, policy: true, worker: true });
  // Each refusal is logged as an error, and here they are wanted.
  breakages.length = 0;
});

test('the worker inherits the policy', async ({ page, breakages }) => {
  await page.route('**/assets/main-*.js', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `
        let refused = false;
        try { new Function('return 1')(); } catch { refused = true; }
        self.refused = refused;
      `,
    }),
  );
  const started = page.waitForEvent('worker');
  await page.goto('./');
  const worker = await started;
  await expect
    .poll(() => worker.evaluate(() => (self as unknown as { refused?: boolean }).refused))
    .toBe(true);
  breakages.length = 0;
});
