import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Endpoint, SessionSetup } from '../protocol';
import { parseRecords } from '../records';
import { scenarioFromRecords } from '../scenario/from-records';
import { fold } from '../trace/fold';
import { transcriptMessages } from '../trace/messages';
import type { Trace } from '../trace/types';
import { modelServer, responds, says } from './model-server.testing';
import type { ModelServer } from './model-server.testing';
import type { Page } from './page.testing';
import { runScenario } from './run-scenario';
import { withHidden, withoutHidden } from './secrets';
import { create, page, playing, text } from './wire.testing';

const endpoint: Endpoint = { baseUrl: 'http://model.test/v1', model: 'm', api: 'openai-chat' };
const live = (more: Partial<Extract<SessionSetup, { kind: 'live' }>> = {}) => ({
  type: 'create' as const,
  setup: { kind: 'live' as const, endpoint, tools: [], ...more },
});
let server: ModelServer;
beforeEach(() => {
  server = modelServer();
});

async function prompt(one: Page, words: string): Promise<void> {
  const runs = one.trace.runs.length;
  await one.send({ type: 'prompt', session: one.session, text: words });
  await one.settled(runs + 1);
}
const contents = (trace: Trace) =>
  transcriptMessages(trace).map((message) => ('content' in message ? message.content : ''));
const spoken = (words: string) => [{ type: 'text', text: words }];

describe('what requests ask for beside the transcript', () => {
  test('goes out with the next request, and is recorded without what looks like a secret', async () => {
    server.answers.push(says('One.'), says('Two.'));
    const one = page();
    const options = {
      temperature: 0.5,
      maxTokens: 99,
      extraBody: { top_k: 3, max_tokens_total: 7, api_key: 'sk-hush', deep: [{ token: 'hush', a: 1 }] },
    };
    await one.show(live({ options }));
    const { session } = one;
    await prompt(one, 'Hello');
    await one.send({ type: 'configure', session, options: { temperature: 1 } });
    await prompt(one, 'And?');
    expect(server.asked[0]?.body).toMatchObject({ temperature: 0.5, max_tokens: 99, ...options.extraBody });
    expect(server.asked[1]?.body).toMatchObject({ temperature: 1 });
    expect(server.asked[1]?.body).not.toHaveProperty('api_key');
    expect(JSON.stringify([one.records, one.messages])).not.toContain('hush');
    expect(one.records[0]).toMatchObject({
      set: { options: { extraBody: { max_tokens_total: 7, api_key: '[hidden]' } } },
    });
    parseRecords(JSON.parse(JSON.stringify(one.records)) as unknown[]);
  });

  test('is there again after a reload, but for what was never recorded, and the records say so', async () => {
    server.answers.push(says('One.'));
    const one = page();
    const extraBody = { top_k: 3, api_key: 'sk-hush' };
    await one.show(
      live({
        endpoint: { ...endpoint, prices: { input: 2, output: 4 }, images: false },
        options: { temperature: 0.5, extraBody },
        requestLimit: 5,
      }),
    );
    const { session } = one;
    await one.close();
    const two = page();
    await two.show({ type: 'open', session });
    await prompt(two, 'Hello');
    expect(server.asked[0]?.body).toMatchObject({ temperature: 0.5, top_k: 3 });
    expect(server.asked[0]?.body).not.toHaveProperty('api_key');
    expect(two.trace.config).toMatchObject({
      options: { temperature: 0.5, extraBody: { top_k: 3 } },
      prices: { input: 2, output: 4 },
      images: false,
      requestLimit: 5,
    });
    expect(two.trace.config.options?.extraBody).not.toHaveProperty('api_key');
  });

  test('keeps the note about failures from models that need not know, and sends it when it is asked for', async () => {
    const one = page();
    await one.show(live());
    await prompt(one, 'Hello');
    server.answers.push(says('One.'), says('Two.'));
    await prompt(one, 'Again');
    await one.send({ type: 'configure', session: one.session, options: { tellFailures: true } });
    await prompt(one, 'More');
    const sent = server.asked.map(({ body }) => JSON.stringify(body.messages).includes('did not end well'));
    expect(sent).toEqual([false, false, true]);
  });

  test('is refused when it is none of that', async () => {
    const one = page();
    await expect(one.send(live({ options: { temperature: 'hot' } as never }))).rejects.toEqual({
      code: 'config.badOptions',
    });
    await expect(one.send(live({ requestLimit: 1.5 }))).rejects.toEqual({ code: 'config.badLimit' });
    await expect(
      one.send(live({ endpoint: { ...endpoint, prices: { input: -1, output: 0 } } })),
    ).rejects.toEqual({ code: 'endpoint.badPrices' });
  });
});

test('hides no more than what stands under names that look secret, and what is left has nothing hidden', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('a', 'token', 'max_tokens', 'apiKey'), fc.jsonValue()),
      (data) => {
        const shown = withHidden(data);
        expect(Object.keys(shown)).toEqual(Object.keys(data));
        expect(withHidden(shown)).toEqual(shown);
        const values = JSON.stringify(withoutHidden(shown));
        expect(values).not.toContain('"[hidden]"');
      },
    ),
  );
});

describe('the model of a session', () => {
  test('costs what its prices say', async () => {
    server.answers.push(says('One.', { prompt_tokens: 1_000_000, completion_tokens: 500_000 }));
    const one = page();
    await one.show(live({ endpoint: { ...endpoint, prices: { input: 2, output: 4 } } }));
    await prompt(one, 'Hello');
    expect(one.trace.usage.cost).toMatchObject({ input: 2, output: 2, total: 4 });
  });

  test('is asked through the API that its endpoint names, now and after a reload', async () => {
    server.answers.push(responds('One.'), responds('Two.'));
    const one = page();
    await one.show(live({ endpoint: { ...endpoint, api: 'openai-responses' } }));
    const { session } = one;
    await prompt(one, 'Hello');
    await one.close();
    const two = page();
    await two.show({ type: 'open', session });
    await prompt(two, 'And?');
    expect(server.asked.map(({ url }) => url)).toEqual([
      `${endpoint.baseUrl}/responses`,
      `${endpoint.baseUrl}/responses`,
    ]);
    expect(contents(two.trace)).toEqual(['Hello', spoken('One.'), 'And?', spoken('Two.')]);
  });

  test('takes its prices with it when another one comes', async () => {
    const one = page();
    await one.show(live({ endpoint: { ...endpoint, prices: { input: 2, output: 4 }, images: false } }));
    await one.send({ type: 'configure', session: one.session, endpoint: { ...endpoint, model: 'n' } });
    await one.until(() => one.trace.config.model?.id === 'n');
    expect(one.trace.config).not.toHaveProperty('prices');
    expect(one.trace.config).not.toHaveProperty('images');
  });
});

describe('the limit of requests', () => {
  const looping = { tools: ['ls'], prompts: ['go'] };
  const turns = Array.from({ length: 9 }, () => ({
    blocks: [{ type: 'toolCall' as const, name: 'ls', arguments: {} }],
  }));

  test('set while the session is open ends a run, and the hook says so; 0 takes it away', async () => {
    const one = page();
    await one.show(create(looping, turns));
    const { session } = one;
    await one.send({ type: 'speed', session, speed: Infinity });
    await one.send({ type: 'configure', session, requestLimit: 2 });
    await one.send({ type: 'play', session });
    await one.settled();
    expect(one.trace.runs[0]?.requests).toBe(2);
    expect(one.records.findLast(({ type }) => type === 'hook')).toMatchObject({
      name: 'finishTurn',
      decision: { action: 'end' },
    });
    await one.send({ type: 'configure', session, requestLimit: 0 });
    await prompt(one, 'more');
    expect(one.trace.runs[1]?.requests).toBeGreaterThan(2);
    expect(one.trace.config).not.toHaveProperty('requestLimit');
  });

  test('stays while a rule would go on for ever without it', async () => {
    const one = page();
    await one.show(create({ requestLimit: 3 }));
    const { session } = one;
    await one.send({
      type: 'setRules',
      session,
      rules: [{ id: 'a', rule: 'finishTurn', action: 'continue' }],
    });
    await expect(one.send({ type: 'configure', session, requestLimit: 0 })).rejects.toMatchObject({
      code: 'scenario.endless',
    });
  });
});

describe('a system prompt that changes behind the first message', () => {
  test('is told in the transcript when the next run begins, once, and after a reload too', async () => {
    server.answers.push(says('One.'), says('Two.'), says('Three.'));
    const one = page();
    await one.show(live({ systemPrompt: 'Be kind.' }));
    const { session } = one;
    await prompt(one, 'Hello');
    await one.send({ type: 'configure', session, systemPrompt: 'Be rude.' });
    await one.send({ type: 'configure', session, systemPrompt: 'Be brief.' });
    await one.close();
    const two = page();
    await two.show({ type: 'open', session });
    await prompt(two, 'And?');
    await prompt(two, 'More?');
    const change = 'These instructions replace those that were given before:\n\nBe brief.';
    expect(contents(two.trace)).toEqual([
      'Be kind.',
      'Hello',
      spoken('One.'),
      change,
      'And?',
      spoken('Two.'),
      'More?',
      spoken('Three.'),
    ]);
    expect(server.asked.map(({ body }) => JSON.stringify(body).includes('Be brief.'))).toEqual([
      false,
      true,
      true,
    ]);
    await two.send({ type: 'configure', session, systemPrompt: '' });
    await prompt(two, 'Still there?');
    expect(contents(two.trace)).toContain('The instructions that were given before no longer hold.');
  });

  test('before it is simply another prompt', async () => {
    server.answers.push(says('One.'));
    const one = page();
    await one.show(live({ systemPrompt: 'Be kind.' }));
    await one.send({ type: 'configure', session: one.session, systemPrompt: 'Be brief.' });
    await prompt(one, 'Hello');
    expect(contents(one.trace)).toEqual(['Be brief.', 'Hello', spoken('One.')]);
  });
});

test('tools that change are declared by a system message when the next run begins', async () => {
  server.answers.push(says('One.'), says('Two.'));
  const one = page();
  await one.show(live({ tools: ['read'] }));
  await prompt(one, 'Hello');
  await one.send({ type: 'configure', session: one.session, tools: ['ls'] });
  await prompt(one, 'And?');
  expect(transcriptMessages(one.trace)[3]).toMatchObject({
    role: 'system',
    toolsAdded: [{ name: 'ls' }],
    toolsRemoved: [{ name: 'read' }],
  });
  expect(server.asked[1]?.body).toMatchObject({ tools: [{ function: { name: 'ls' } }] });
});

describe('a prompt that is edited', () => {
  const turns = ['One.', 'Two.', 'Three.', 'Four.'].map(text);

  async function edited(): Promise<Page> {
    const one = page();
    await playing(one, { systemPrompt: 'Be kind.' }, turns);
    await one.settled();
    await prompt(one, 'second');
    const [first] = [...one.trace.messages.values()].filter(({ origin }) => origin === 'prompt');
    await one.send({
      type: 'editPrompt',
      session: one.session,
      message: first?.id ?? '',
      text: 'go elsewhere',
    });
    await one.settled(3);
    return one;
  }

  test('leaves the transcript with all that came behind it, and a run starts with the new text', async () => {
    const one = await edited();
    expect(contents(one.trace)).toEqual(['Be kind.', 'go elsewhere', spoken('Three.')]);
    const rewind = one.records.find(({ type }) => type === 'rewind');
    expect(rewind).toMatchObject({ why: 'edit', drop: { length: 4 } });
    const { session } = one;
    await one.close();
    const two = page();
    await two.show({ type: 'open', session });
    await two.send({ type: 'speed', session, speed: Infinity });
    await prompt(two, 'last');
    expect(contents(two.trace)).toEqual([
      'Be kind.',
      'go elsewhere',
      spoken('Three.'),
      'last',
      spoken('Four.'),
    ]);
  });

  test('is taken back in the scenario that is saved of the session, as is told what was set meanwhile', async () => {
    const one = await edited();
    const { session } = one;
    await one.send({ type: 'configure', session, systemPrompt: 'Be brief.', requestLimit: 7 });
    await prompt(one, 'last');
    const again = fold(await runScenario(scenarioFromRecords(one.records)));
    expect(contents(again)).toEqual(contents(one.trace));
    expect(again.requests).toHaveLength(4);
    expect([...again.messages.values()].filter(({ dropped }) => dropped)).toHaveLength(4);
    expect(again.config).toMatchObject({ systemPrompt: 'Be brief.', requestLimit: 7 });
  });

  test('is refused when it is no prompt of the transcript, and during a run', async () => {
    const one = await edited();
    const { session } = one;
    const edit = (message: string) => one.send({ type: 'editPrompt', session, message, text: 'new' });
    const gone = [...one.trace.messages.values()].find(({ dropped }) => dropped)?.id ?? '';
    await expect(edit(gone)).rejects.toEqual({ code: 'prompt.gone' });
    await expect(edit(one.trace.transcript.at(-1) ?? '')).rejects.toEqual({ code: 'prompt.gone' });
    await one.send({ type: 'configure', session, endpoint: 'manual' });
    await one.send({ type: 'prompt', session, text: 'wait' });
    await expect(edit(one.trace.transcript[1] ?? '')).rejects.toEqual({ code: 'run.active' });
  });
});
