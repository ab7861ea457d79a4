import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RecordOf, RecordType, TraceRecord } from '../records/types';
import { parseRecords } from '../records';
import type { Scenario } from '../scenario/types';
import { fold } from '../trace/fold';
import { Page } from './page.testing';
import { runScenario } from './run-scenario';

const call = (name: string, args: Record<string, unknown>) => ({
  type: 'toolCall' as const,
  name,
  arguments: args,
});
const scenario = (more: Partial<Scenario>, ...calls: ReturnType<typeof call>[]): Scenario => ({
  version: 1,
  title: 'Tools',
  start: 'prompt',
  prompts: ['go'],
  tools: [...new Set(calls.map(({ name }) => name))],
  model: { kind: 'scripted', turns: [{ blocks: calls }, { blocks: [{ type: 'text', text: 'Done.' }] }] },
  ...more,
});
function of<T extends RecordType>(records: readonly TraceRecord[], type: T): RecordOf<T>[] {
  return records.filter((record): record is RecordOf<T> => record.type === type);
}
const text = (record?: { result: { content: unknown[] } }) =>
  (record?.result.content[0] as { text: string } | undefined)?.text;

describe('the code of js', () => {
  const writes = `await tools.write({ path: 'a.txt', content: 'one' }); await tools.read({ path: 'a.txt' })`;

  test('calls the other tools, each call recorded below its own, with the files that it changed', async () => {
    const records = await runScenario(
      scenario({ tools: ['js', 'write', 'read'] }, call('js', { code: writes })),
    );
    const [outer] = of(records, 'tool_execution_start');
    const [write, read] = of(records, 'nested_call_start');
    expect([write, read]).toMatchObject([
      { parent: outer?.call, toolName: 'write', args: { path: 'a.txt', content: 'one' } },
      { parent: outer?.call, toolName: 'read', args: { path: 'a.txt' } },
    ]);
    expect(of(records, 'file_change').at(-1)).toMatchObject({ path: '/project/a.txt', call: write?.call });
    expect(of(records, 'nested_call_end').map(text)).toEqual([expect.stringContaining('a.txt'), 'one']);
    expect(text(of(records, 'tool_execution_end')[0])).toContain('one');
    expect(parseRecords(JSON.parse(JSON.stringify(records)) as unknown[])).toEqual(records);
    expect(fold(records).calls.get(outer?.call ?? '')?.calls).toEqual([write?.call, read?.call]);
  });

  test('is held to the rules: a blocked call throws in the code, and a rewritten result is what it gets', async () => {
    const code = `let said = await tools.read({ path: 'a.txt' });
      try { await tools.write({ path: 'b.txt', content: '' }) } catch (error) { said += ' ' + error.message }
      said`;
    const records = await runScenario(
      scenario(
        {
          tools: ['js', 'write', 'read'],
          files: { 'a.txt': 'secret' },
          rules: [
            { id: 'b', rule: 'block', tool: 'write', reason: 'Not here.' },
            { id: 'r', rule: 'rewrite', tool: 'read', text: 'nothing' },
          ],
        },
        call('js', { code }),
      ),
    );
    expect(text(of(records, 'tool_execution_end')[0])).toContain('nothing Not here.');
    expect(of(records, 'nested_call_end').map(({ isError }) => isError)).toEqual([false, true]);
    const [read, write] = of(records, 'nested_call_start').map((record) => record.call);
    expect(of(records, 'hook').filter(({ rules }) => rules)).toMatchObject([
      { call: read, name: 'afterToolCall', rules: ['r'], decision: { replaced: ['content'] } },
      { call: write, name: 'beforeToolCall', rules: ['b'], decision: { block: true, reason: 'Not here.' } },
    ]);
    expect(fold(records).ruleActs).toEqual(new Map(Object.entries({ r: 1, b: 1 })));
  });

  test('waits and asks in the time of the session, which stands still while the code itself works', async () => {
    const code = `await tools.wait({ ms: 400 }); await tools.ask({ question: 'Which one?' })`;
    const records = await runScenario(
      scenario(
        {
          tools: ['js', 'wait', 'ask'],
          actions: [{ on: { event: 'tool_execution_start', nth: 1 }, do: 'answer', text: 'The first.' }],
        },
        call('js', { code }),
      ),
    );
    const [end] = of(records, 'tool_execution_end');
    expect([text(end), end?.durationMs]).toEqual(['"The first."', 400]);
    const asked = of(records, 'answer');
    expect(asked[0]).toMatchObject({ state: 'asked', call: of(records, 'nested_call_start')[1]?.call });
    expect(asked[1]).toMatchObject({ state: 'answered', text: 'The first.' });
  });

  test('cannot call itself, and no more often than a session can hold', async () => {
    const code = `let refused = '';
      for (let i = 0; i < 1001; i++) try { await tools.ls({}) } catch (error) { refused = error.message }
      refused + ' ' + typeof tools.js`;
    const records = await runScenario(scenario({ tools: ['js', 'ls'] }, call('js', { code })));
    expect(text(of(records, 'tool_execution_end')[0])).toMatch(/1000 times at most/);
    expect(of(records, 'nested_call_start')).toHaveLength(1000);
    const again = await runScenario(
      scenario({ tools: ['js'] }, call('js', { code: `await tools.js({ code: '1' })` })),
    );
    expect(of(again, 'tool_execution_end')[0]).toMatchObject({ isError: true });
  });
});

describe('tools in the time of a scenario', () => {
  test('wait takes it, and tells how far it is; the shell and the sandbox take none, and tell nothing on the way', async () => {
    const played = () =>
      runScenario(
        scenario(
          {},
          call('wait', { ms: 300 }),
          call('bash', { command: 'for i in 1 2 3; do echo $i; sleep 0.02; done' }),
          call('js', { code: 'console.log(1); 2' }),
        ),
      );
    const records = await played();
    const ends = of(records, 'tool_execution_end').map(({ durationMs }) => durationMs);
    expect(ends.sort()).toEqual([0, 0, 300]);
    expect(of(records, 'tool_execution_update').length).toBeGreaterThan(0);
    const waits = of(records, 'tool_execution_start').find(({ toolName }) => toolName === 'wait');
    expect(new Set(of(records, 'tool_execution_update').map((update) => update.call))).toEqual(
      new Set([waits?.call]),
    );
    expect(await played()).toEqual(records);
  });
});

describe('fetch', () => {
  let server: Server;
  let origin: string;
  let requests: IncomingMessage[];
  beforeAll(async () => {
    server = createServer((request, response) => {
      requests.push(request);
      response.setHeader('content-type', 'text/plain').end(`${request.method} ${request.url}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());
  beforeEach(() => (requests = []));

  const open = (page: Page) =>
    [...page.trace.asks.values()].filter((ask) => ask.kind === 'permission' && ask.state === 'asked');
  async function playing(setup: Scenario): Promise<Page> {
    const page = new Page();
    await page.show({ type: 'create', setup: { kind: 'scenario', scenario: setup } });
    await page.send({ type: 'speed', session: page.session, speed: Infinity });
    await page.send({ type: 'play', session: page.session });
    return page;
  }
  async function answer(page: Page, allow: boolean, always?: boolean): Promise<void> {
    await page.until(() => open(page).length > 0);
    const ask = open(page)[0]?.id ?? '';
    const choice = always === undefined ? { allow } : { allow, always };
    await page.send({ type: 'permission', session: page.session, ask, ...choice });
  }
  const results = (page: Page) => of(page.records, 'tool_execution_end').map(text);

  test('asks first, with what would be sent, and a scenario cannot answer for the person', async () => {
    const page = await playing(
      scenario(
        { actions: [{ on: { event: 'tool_execution_start', nth: 1 }, do: 'permission', allow: true }] },
        call('fetch', { url: `${origin}/a`, method: 'POST', headers: { 'x-token': 'abc' }, body: 'hi' }),
      ),
    );
    await page.until(() => open(page).length > 0);
    expect(requests).toEqual([]);
    expect(open(page)[0]).toMatchObject({
      call: of(page.records, 'tool_execution_start')[0]?.call,
      subject: {
        toolName: 'fetch',
        args: { url: `${origin}/a`, method: 'POST', headers: { 'x-token': '[hidden]' }, body: 'hi' },
        fetch: { origin, kind: 'send' },
      },
    });
    await answer(page, true);
    await page.settled();
    expect(results(page)[0]).toContain('POST /a');
    expect(requests[0]?.headers['x-token']).toBe('abc');
    await page.close();
  });

  test('that is denied is an error result, and nothing was sent', async () => {
    const page = await playing(scenario({}, call('fetch', { url: `${origin}/a` })));
    await answer(page, false);
    await page.settled();
    expect(of(page.records, 'tool_execution_end')[0]).toMatchObject({ isError: true });
    expect(results(page)[0]).toBe(`The person did not allow fetch to read from ${origin}.`);
    expect(requests).toEqual([]);
    await page.close();
  });

  test('that is allowed for the session is asked no more for reading there, but again for sending', async () => {
    const page = await playing(
      scenario(
        {},
        call('fetch', { url: `${origin}/a` }),
        call('fetch', { url: `${origin}/b` }),
        call('fetch', { url: `${origin}/c`, method: 'DELETE' }),
      ),
    );
    await answer(page, true, true);
    await page.until(() => page.trace.asks.size === 2);
    await answer(page, false);
    await page.settled();
    expect(requests.map(({ url }) => url)).toEqual(['/a', '/b']);
    expect(of(page.records, 'permission')).toMatchObject([
      { state: 'asked' },
      { state: 'allowed', always: true, by: 'person' },
      { state: 'asked', subject: { fetch: { kind: 'send' } } },
      { state: 'denied' },
    ]);
    await page.close();
  });

  test('by code asks too, once for all that wait for the same permission', async () => {
    const code = `const all = await Promise.all(['a', 'b'].map((name) => tools.fetch({ url: '${'%'}/' + name })));
      all.join()`;
    const page = await playing(
      scenario({ tools: ['js', 'fetch'] }, call('js', { code: code.replace('%', origin) })),
    );
    await page.until(() => open(page).length === 2);
    const nested = of(page.records, 'nested_call_start').map((record) => record.call);
    expect(open(page).map((ask) => ask.call)).toEqual(nested);
    await answer(page, true, true);
    await page.settled();
    expect(requests.map(({ url }) => url).sort()).toEqual(['/a', '/b']);
    expect(results(page)[0]).toContain('GET /b');
    await page.close();
  });

  test('has its hook told of in its own calls, and not in those of other tools', async () => {
    const records = await runScenario(scenario({}, call('fetch', { url: origin }), call('ls', {})));
    const [fetched] = of(records, 'tool_execution_start');
    expect(of(records, 'hook').map((hook) => [hook.call, hook.decision?.block])).toEqual([
      [fetched?.call, true],
    ]);
  });

  test('of a scenario that plays without a person is refused', async () => {
    const records = await runScenario(scenario({}, call('fetch', { url: `${origin}/a` })));
    expect(of(records, 'tool_execution_end')[0]).toMatchObject({ isError: true });
    expect(requests).toEqual([]);
  });
});
