import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { Agent } from '../../loop';
import type { AgentEvent, AgentMessage, AgentTool, AssistantMessage, Message } from '../../loop/types';
import { scriptedModel, scriptedModelInfo } from '../../models/scripted';
import { createTools, VirtualFileSystem } from '../../tools';
import { scriptedTool, takingTime } from '../../tools/scripted';
import { VirtualClock } from '../../worker/virtual-clock';
import { expandFiles } from '../expand';
import { parseScenario } from '../schema';
import type { Scenario, ScriptedTurn } from '../types';
import { firstScenarioId, isShipped, loadShipped, shippedIds, type ShippedId } from './index';
import { reasonIds } from './reasons.testing';

const samples = new URL('../../../public/samples/', import.meta.url);
const sample = (path: string): string => readFileSync(new URL(path, samples), 'utf8');
const lines = (path: string): string[] => sample(path).trimEnd().split('\n');

/** Those that play without a person's aborts and settings; the others have tests of their own. */
const plainIds = shippedIds.filter((id) => !(reasonIds as readonly ShippedId[]).includes(id));

interface Play {
  events: AgentEvent[];
  messages: AgentMessage[];
  fs: VirtualFileSystem;
  /** Virtual ms from the first event to the last. */
  took: number;
  requests: number;
}

/** Plays a scenario with the real loop and tools, in virtual time. */
async function play(scenario: Scenario): Promise<Play> {
  const clock = new VirtualClock({ speed: Infinity });
  const files = await expandFiles(scenario.files, (path) => readFile(new URL(path, samples)));
  const fs = new VirtualFileSystem(
    Object.fromEntries(Object.entries(files).map(([path, content]) => [`/project/${path}`, content])),
  );
  const only = (scenario.tools ?? []).filter((tool) => typeof tool === 'string');
  const builtIn = new Map(createTools(fs, { only }).map((tool) => [tool.name, tool]));
  const tools = (scenario.tools ?? []).flatMap((tool): AgentTool[] => {
    if (typeof tool !== 'string') return [scriptedTool(tool, clock)];
    const made = builtIn.get(tool);
    return made ? [takingTime(made, scenario.toolDurations?.[tool] ?? 0, clock)] : [];
  });
  let requests = 0;
  const agent = new Agent({
    initialState: { model: scriptedModelInfo, tools, systemPrompt: scenario.systemPrompt ?? '' },
    streamFn: scriptedModel({
      turns: turnsOf(scenario),
      next: () => requests++,
      sleep: clock.sleep,
      now: clock.now,
    }),
    now: clock.now,
  });
  const events: AgentEvent[] = [];
  agent.subscribe((event) => {
    events.push(event);
    act(agent, scenario, events);
  });
  for (const prompt of scenario.prompts ?? []) await agent.prompt(prompt);
  return { events, messages: agent.state.messages, fs, took: clock.now(), requests };
}

/** What the person does at the event that came last. */
function act(agent: Agent, scenario: Scenario, events: readonly AgentEvent[]): void {
  const last = events.at(-1);
  for (const action of scenario.actions ?? []) {
    const { event: type, tool, nth } = action.on;
    const matches = (event: AgentEvent): boolean =>
      event.type === type && (tool === undefined || ('toolName' in event && event.toolName === tool));
    if (!last || !matches(last) || events.filter(matches).length !== nth) continue;
    if (action.do !== 'steer' && action.do !== 'followUp') throw new Error(`Not played here: ${action.do}`);
    agent[action.do]({ role: 'user', content: action.text, timestamp: 0 });
  }
}

function turnsOf(scenario: Scenario): ScriptedTurn[] {
  if (scenario.model.kind === 'live') throw new Error('A shipped scenario plays without a key.');
  return scenario.model.turns;
}

/** The run in short: `user: text`, `assistant`, `assistant: call call`, `result: tool`. */
function story({ messages }: Play): string[] {
  return messages.flatMap((message) => {
    if (!('content' in message) || message.role === 'system') return [];
    if (message.role === 'user') return [`user: ${plainText(message.content)}`];
    if (message.role === 'toolResult') return [`result: ${message.toolName}`];
    const calls = message.content.flatMap((block) => (block.type === 'toolCall' ? [block.name] : []));
    return [calls.length > 0 ? `assistant: ${calls.join(' ')}` : 'assistant'];
  });
}

const scenarios = {} as Record<string, Scenario>;
const plays = {} as Record<string, Play>;
const played = (id: string): Play => plays[id] ?? expect.fail(`${id} was not played`);
beforeAll(async () => {
  for (const id of plainIds) {
    scenarios[id] = await loadShipped(id);
    plays[id] = await play(scenarios[id]);
  }
});

describe('the shipped scenarios', () => {
  it('are at least six, one of them the first to be seen', () => {
    expect(shippedIds.length).toBeGreaterThanOrEqual(6);
    expect(isShipped(firstScenarioId)).toBe(true);
    expect(isShipped('toString')).toBe(false);
  });

  it('are loaded as fresh copies, and an unknown one is refused', async () => {
    expect(await loadShipped('one-turn')).not.toBe(await loadShipped('one-turn'));
    await expect(loadShipped('none')).rejects.toThrow('none');
  });

  it.each(plainIds)('%s is a scenario as it stands, without anything to fill in', (id) => {
    expect(parseScenario(scenarios[id])).toEqual(scenarios[id]);
  });

  it.each(plainIds)('%s calls only tools that it declares, and each of them', (id) => {
    const scenario = scenarios[id] ?? expect.fail();
    const blocks = turnsOf(scenario).flatMap((turn) => turn.blocks);
    const called = blocks.flatMap((block) => (block.type === 'toolCall' ? [block.name] : []));
    const declared = (scenario.tools ?? []).map((tool) => (typeof tool === 'string' ? tool : tool.name));
    expect([...new Set(called)].sort()).toEqual(declared.sort());
  });

  it.each(plainIds)(
    '%s plays its whole script, without an error but those it is about, in 8 to 25 seconds',
    (id) => {
      const { messages, took, requests } = played(id);
      expect(requests).toBe(turnsOf(scenarios[id] ?? expect.fail()).length);
      const failed = messages.filter((message) => 'isError' in message && message.isError);
      expect(failed.map((message) => 'toolName' in message && message.toolName)).toEqual(
        id === 'bug-hunt' ? ['bash'] : [],
      );
      expect((messages.at(-1) as AssistantMessage).stopReason).toBe('stop');
      expect(took).toBeGreaterThan(8_000);
      expect(took).toBeLessThan(25_000);
    },
  );

  it('one-turn: a single turn in a single run', () => {
    const { events } = played('one-turn');
    expect(events.filter((event) => event.type === 'turn_start')).toHaveLength(1);
    expect(events.filter((event) => event.type === 'agent_start')).toHaveLength(1);
  });

  it('tool-loop: results ask for another request until an answer calls nothing', () => {
    expect(story(played('tool-loop')).slice(1)).toEqual([
      'assistant: ls',
      'result: ls',
      'assistant: read read',
      'result: read',
      'result: read',
      'assistant: write',
      'result: write',
      'assistant: run_tests',
      'result: run_tests',
      'assistant',
    ]);
  });

  it('parallel-tools: calls end out of order, and their results keep the order of the calls', () => {
    const ends = played('parallel-tools').events.flatMap((event) =>
      event.type === 'tool_execution_end' ? [event.toolName] : [],
    );
    expect(ends.slice(0, 3)).toEqual(['ask_deskworks', 'ask_arm_and_co', 'ask_northgate']);
    expect(story(played('parallel-tools')).slice(1, 5)).toEqual([
      'assistant: ask_northgate ask_deskworks ask_arm_and_co',
      'result: ask_northgate',
      'result: ask_deskworks',
      'result: ask_arm_and_co',
    ]);
  });

  it('steering-mid-batch: the message waits for the whole batch, and joins before the next request', () => {
    expect(story(played('steering-mid-batch')).slice(1, 7)).toEqual([
      'assistant: count_errors find_restarts read',
      'result: count_errors',
      'result: find_restarts',
      'result: read',
      'user: Paid orders first: was one lost?',
      'assistant: read read read',
    ]);
  });

  it('follow-up: the question waits until the agent would stop', () => {
    expect(story(played('follow-up')).slice(3, 9)).toEqual([
      'assistant: sum_by',
      'result: sum_by',
      'assistant',
      'user: Can we trust that number?',
      'assistant: read',
      'result: read',
    ]);
  });

  it('both-at-once: steering joins first, though the follow-up was queued first', () => {
    const { actions = [] } = scenarios['both-at-once'] ?? expect.fail();
    expect(actions.map((action) => action.do)).toEqual(['followUp', 'steer']);
    expect(actions[0]?.on).toEqual(actions[1]?.on);
    expect(story(played('both-at-once')).filter((line) => line.startsWith('user'))).toEqual([
      'user: Write a CHANGELOG.md for the version in package.json.',
      'user: At most three points, please.',
      'user: Then check: does the README show uniqueSlug?',
    ]);
  });
});

describe('the shipped scenarios that use tools for real', () => {
  const results = (id: string, tool: string): { text: string; details: unknown }[] =>
    played(id).messages.flatMap((message) =>
      message.role === 'toolResult' && 'toolName' in message && message.toolName === tool
        ? [{ text: plainText(message.content), details: message.details }]
        : [],
    );

  it('bug-hunt: two tests fail, one line is mended, and then all pass', () => {
    const [before, after] = results('bug-hunt', 'bash');
    expect(before?.details).toMatchObject({ exitCode: 1 });
    expect(before?.text.match(/^not ok \d - .*/gm)).toEqual([
      'not ok 4 - half a cent goes up',
      'not ok 5 - each line is rounded',
    ]);
    expect(after?.details).toMatchObject({ exitCode: 0 });
    expect(after?.text.match(/^ok /gm)).toHaveLength(6);
    expect(after?.text).not.toContain('not ok');
    expect(results('bug-hunt', 'grep')[0]?.text).toContain('src/money.awk:4: function vat(');
  });

  it('csv-question: West leads by one order that cannot be right, and East without it', () => {
    const [before, after] = results('csv-question', 'bash');
    expect(before?.text).toMatch(/^West +10285\.50\nEast +9494\.60\n/);
    expect(after?.text).toMatch(/^East +9494\.60\n[^]*West +3562\.50\n$/);
    expect(results('csv-question', 'js')[0]?.text).toContain('1051 2026-03-17 West Office chair 3 2490.00');
  });
});

describe('what the shipped scenarios say of the samples', () => {
  it('is true of the slug: the sample fails as it says, and the fix in the story mends it', async () => {
    const before = await slugOf(sample('slugify/src/slug.ts'));
    const after = await slugOf(played('tool-loop').fs.readText('/project/src/slug.ts'));
    expect(before('Crème Brûlée')).toBe('cr-me-br-l-e');
    const tests = sample('slugify/test/slug.test.ts');
    expect(tests.match(/^test\(/gm)).toHaveLength(8);
    const cases = [...tests.matchAll(/equal\(slug\('([^']*)'\), '([^']*)'\)/g)];
    expect(cases.length).toBeGreaterThan(5);
    for (const [, title = '', slug] of cases) expect(after(JSON.parse(`"${title}"`) as string)).toBe(slug);
    expect(after('A very long title', { maxLength: 11 })).toBe('a-very-long');
    expect(after('Hello, World!', { separator: '_' })).toBe('hello_world');
  });

  it('is true of the orders: the sums, the odd order, and what is left without it', () => {
    const orders = lines('orders.csv')
      .slice(1)
      .map((line) => line.split(','))
      .map(([id, , region = '', product, quantity, price]) => ({
        id,
        region,
        product,
        price,
        sum: Number(quantity) * Number(price),
      }));
    const sums = new Map<string, number>();
    for (const { region, sum } of orders) sums.set(region, (sums.get(region) ?? 0) + sum);
    const sorted = [...sums]
      .sort(([, a], [, b]) => b - a)
      .map(([region, sum]) => `${region} ${sum.toFixed(2)}`);
    expect(textOf(played('follow-up'), 'sum_by')).toBe(sorted.join('\n'));
    const odd = orders.filter(({ product, price }) => product === 'Office chair' && price !== '249.00');
    expect(odd.map(({ id, price, sum }) => [id, price, sum])).toEqual([['1051', '2490.00', 7470]]);
    expect((sums.get('West') ?? 0) - 7470 * 0.9).toBeCloseTo(3562.5);
    expect(textOf(played('parallel-tools'), 'read')).toMatch(/1004,.*Monitor arm,.*,89\.00/);
  });

  it('is true of the log: the counts, and the lines that are named', () => {
    const log = lines('server.log');
    const at = (number: number): string => log[number - 1] ?? '';
    const errors = log.filter((line) => line.includes(' ERROR '));
    expect(errors).toHaveLength(26);
    expect(errors.filter((line) => line.includes('pool exhausted (size=2'))).toHaveLength(12);
    expect(errors.filter((line) => line.includes(' 503 '))).toHaveLength(12);
    expect(log.slice(0, 1000).some((line) => line.includes(' ERROR '))).toBe(false);
    expect(log.slice(1000, 2000).filter((line) => line.includes(' ERROR '))).toHaveLength(19);
    expect(log.flatMap((line, index) => (line.includes(' starts,') ? [index + 1] : []))).toEqual([
      1, 1103, 2309,
    ]);
    expect(at(1104)).toContain('db.poolSize is not a number ("20 "): using the default 2');
    expect(at(1903)).toMatch(/10:10:18.*payment pay_8f016: refund queued/);
    expect(at(2078)).toMatch(/10:16:35.*payment pay_a26165: refund queued/);
  });

  it('is true of the README: the lines that show uniqueSlug', () => {
    const readme = lines('slugify/README.md');
    expect(readme.flatMap((line, index) => (line.includes('uniqueSlug') ? [index + 1] : []))).toEqual([
      6, 11,
    ]);
  });
});

function textOf({ messages }: Play, tool: string): string {
  const result = messages.find((message) => 'toolName' in message && message.toolName === tool);
  return result && 'content' in result && result.role !== 'assistant'
    ? plainText(result.content)
    : expect.fail(tool);
}

function plainText(content: Exclude<Message, AssistantMessage>['content']): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

type Slug = (title: string, options?: { separator?: string; maxLength?: number }) => string;
async function slugOf(source: string): Promise<Slug> {
  const code = ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  const url = `data:text/javascript,${encodeURIComponent(code.outputText)}`;
  return ((await import(/* @vite-ignore */ url)) as { slug: Slug }).slug;
}
