import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TraceRecord } from '../records/types';
import { createTools, VirtualFileSystem } from '../tools';
import { exportJsonl } from '../trace';
import { builtInTools } from './built-in-tools';
import { ScenarioError, type ScenarioProblem } from './error';
import { jsonErrorOffset } from './json-position';
import { parseScenario, parseScenarioText } from './schema';
import type { Scenario } from './types';

const smallest = {
  version: 1,
  title: 'Small',
  model: { kind: 'scripted', turns: [] },
  start: 'prompt',
  prompts: ['hello'],
};

const whole: Scenario = {
  version: 1,
  title: 'Everything',
  description: 'All that the format can say',
  systemPrompt: 'Be brief.',
  history: [{ role: 'user', content: 'hi', timestamp: 5 }],
  files: { 'a.txt': 'a', 'b.bin': { base64: 'AAEC' }, 'c.ts': { sample: 'slugify/src/slug.ts' } },
  tools: [
    'read',
    { name: 'slow', durationMs: 100, progress: ['…'], result: '{{x}}', mode: 'sequential' },
    {
      name: 'again',
      durationMs: 0,
      results: [
        { durationMs: 5, updates: [{ atMs: 1, content: [{ type: 'text', text: 'a' }], details: [1] }] },
        { durationMs: 6, updates: [{ atMs: 2, append: 'b' }], result: 'ab', terminate: true },
        { durationMs: 7, content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }], details: {} },
        { durationMs: 8, error: 'no', honourAbort: false },
        { durationMs: 9, result: 'no', isError: true },
      ],
    },
  ],
  toolDurations: { read: 40, ls: [1, 0, 2.5] },
  model: {
    kind: 'scripted',
    turns: [
      {
        blocks: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'I look.' },
          { type: 'toolCall', id: 'c1', name: 'slow', arguments: { x: [1, { y: null }] } },
          { type: 'toolCall', name: 'slow', rawArguments: '{"x":' },
        ],
        stopReason: 'length',
        errorMessage: 'none',
        firstTokenMs: 0,
        chunk: 4,
        gapMs: 1.5,
        noStart: false,
        silentEnd: true,
      },
      {
        blocks: [
          {
            type: 'toolCall',
            name: 'slow',
            arguments: {},
            argumentsError: 'cut',
            argumentsRepaired: true,
          },
        ],
        stalls: 'inBlock',
      },
    ],
  },
  steeringMode: 'all',
  followUpMode: 'one-at-a-time',
  toolExecution: 'sequential',
  thinkingLevel: 'high',
  requestLimit: 5,
  rules: [
    {
      id: 'r1',
      rule: 'block',
      tool: 'w*',
      args: { path: '*.env' },
      reason: 'no',
      terminate: true,
      nth: 2,
      on: false,
    },
    { id: 'r2', rule: 'ask', text: 'May it?' },
    { id: 'r3', rule: 'rewrite', text: 'x', isError: true, terminate: false },
    { id: 'r4', rule: 'finishTurn', action: 'continue', nth: 1 },
    { id: 'r5', rule: 'append', text: 'now' },
    { id: 'r6', rule: 'thinkingLevel', level: 'low' },
    { id: 'r7', rule: 'limitContext', keep: 3 },
  ],
  start: 'continue',
  prompts: ['later'],
  actions: [
    { on: { event: 'tool_execution_start', nth: 1, tool: 'slow' }, afterMs: 20, do: 'steer', text: 'stop' },
    { on: { event: 'turn_end', nth: 1 }, do: 'followUp', text: 'then' },
    { on: { event: 'turn_end', nth: 1 }, do: 'clear' },
    { on: { event: 'turn_end', nth: 1 }, do: 'edit', queue: 'steering', item: 1, text: 'go' },
    { on: { event: 'turn_end', nth: 1 }, do: 'remove', queue: 'followUp', item: 1 },
    { on: { event: 'turn_end', nth: 1 }, do: 'move', queue: 'followUp', item: 1, to: 'steering', index: 0 },
    { on: { event: 'turn_end', nth: 1 }, do: 'mode', queue: 'steering', mode: 'all' },
    { on: { event: 'turn_end', nth: 1 }, do: 'tools', tools: ['ls', 'slow'] },
    { on: { event: 'turn_end', nth: 1 }, do: 'set', thinkingLevel: 'low', toolExecution: 'parallel' },
    { on: { event: 'turn_end', nth: 1 }, do: 'rules', rules: [{ id: 'r1', rule: 'ask' }] },
    { on: { event: 'turn_end', nth: 1 }, do: 'file', path: 'a.txt' },
    { on: { event: 'turn_end', nth: 1 }, do: 'file', path: '/b', content: 'b' },
    { on: { event: 'turn_end', nth: 1 }, do: 'file', path: 'c', content: { base64: 'AA==' } },
    { on: { event: 'agent_end', nth: 1 }, do: 'continue' },
    { on: { event: 'agent_end', nth: 2 }, do: 'retry' },
    { on: { event: 'turn_end', nth: 1 }, do: 'permission', allow: false },
    { on: { event: 'turn_end', nth: 1 }, do: 'answer', text: 'yes' },
    { on: { event: 'agent_end', nth: 1 }, do: 'abort' },
  ],
};

function problems(
  value: unknown,
  parse: (value: never) => unknown = parseScenario,
): readonly ScenarioProblem[] {
  try {
    parse(value as never);
  } catch (error) {
    if (error instanceof ScenarioError) return error.problems;
    throw error;
  }
  return [];
}
const codes = (value: unknown): string[] => problems(value).map(({ path, code }) => `${path}: ${code}`);
const withKeys = (keys: object): object => ({ ...smallest, ...keys });

describe('parseScenario', () => {
  it('takes the smallest scenario, and one that uses every part of the format', () => {
    expect(parseScenario(smallest)).toEqual(smallest);
    expect(parseScenario(whole)).toEqual(whole);
  });

  it('gives fresh data, and the same again when it is parsed again', () => {
    const parsed = parseScenario(whole);
    expect(parsed.files).not.toBe(whole.files);
    expect(parseScenario(parsed)).toEqual(parsed);
    expect(parseScenarioText(JSON.stringify(parsed))).toEqual(parsed);
  });

  it('fills in what the author of a history leaves out', () => {
    const history = [
      { role: 'user', content: 'list' },
      { role: 'assistant', content: [{ type: 'toolCall', id: 'c', name: 'ls', arguments: {} }] },
      { role: 'toolResult', toolCallId: 'c', toolName: 'ls', content: [{ type: 'text', text: 'a' }] },
      { role: 'note', about: { any: 'thing' } },
    ];
    const parsed = parseScenario(withKeys({ history }));
    expect(parsed.history?.map((message) => message.timestamp)).toEqual([0, 0, 0, 0]);
    expect(parsed.history?.[1]).toMatchObject({
      stopReason: 'toolUse',
      usage: { totalTokens: 0 },
      model: 'scripted',
    });
    expect(parsed.history?.[2]).toMatchObject({ isError: false });
    expect(parsed.history?.[3]).toMatchObject({ about: { any: 'thing' } });
  });

  it.each<[string, object, string[]]>([
    ['a missing key', { title: undefined }, ['title: scenario.missing']],
    ['a wrong type', { title: 5 }, ['title: scenario.wrongType']],
    ['an empty title', { title: '' }, ['title: scenario.empty']],
    ['a long title', { title: 'x'.repeat(201) }, ['title: scenario.tooLong']],
    [
      'typos, all of them',
      { titel: 1, promts: [] },
      ['titel: scenario.unknownKey', 'promts: scenario.unknownKey'],
    ],
    ['a word that is no choice', { start: 'now' }, ['start: scenario.notOneOf']],
    ['a list for an object', { files: [] }, ['files: scenario.wrongType']],
    ['an unknown kind of model', { model: { kind: 'x' } }, ['model.kind: scenario.notOneOf']],
    ['a model without a kind', { model: {} }, ['model.kind: scenario.missing']],
    ['no prompts', { prompts: [] }, ['prompts: scenario.noPrompt']],
    ['an unknown tool', { tools: ['read', 'reed'] }, ['tools[1]: scenario.unknownTool']],
    [
      'a tool that an action names and nobody writes down',
      { actions: [{ on: { event: 'turn_end', nth: 1 }, do: 'tools', tools: ['ls', 'slow'] }] },
      ['actions[0].tools[1]: scenario.unknownTool'],
    ],
    [
      'a tool that only an action writes down',
      {
        tools: ['slow'],
        actions: [
          { on: { event: 'turn_end', nth: 1 }, do: 'tools', tools: [{ name: 'slow', durationMs: 1 }] },
        ],
      },
      ['tools[0]: scenario.unknownTool'],
    ],
    [
      'a duration of no built-in tool',
      { toolDurations: { slow: 5 } },
      ['toolDurations.slow: scenario.unknownTool'],
    ],
    [
      'a tool that is there twice',
      { tools: ['ls', { name: 'ls', durationMs: 1 }] },
      ['tools[1]: scenario.toolTwice'],
    ],
    [
      'a tool name that no API takes',
      { tools: [{ name: 'a b', durationMs: 1 }] },
      ['tools[0].name: scenario.badToolName'],
    ],
    [
      'an endless duration',
      { tools: [{ name: 'a', durationMs: 1e9 }] },
      ['tools[0].durationMs: scenario.tooBig'],
    ],
    [
      'a negative duration',
      { tools: [{ name: 'a', durationMs: -1 }] },
      ['tools[0].durationMs: scenario.tooSmall'],
    ],
    [
      'infinity',
      { tools: [{ name: 'a', durationMs: Infinity }] },
      ['tools[0].durationMs: scenario.notFinite'],
    ],
    [
      'an empty pattern',
      { rules: [{ id: 'a', rule: 'ask', tool: '' }] },
      ['rules[0].tool: scenario.badPattern'],
    ],
    [
      'a rule id twice',
      {
        rules: [
          { id: 'a', rule: 'ask' },
          { id: 'a', rule: 'ask' },
        ],
      },
      ['rules[1].id: scenario.ruleTwice'],
    ],
    [
      'continue for ever',
      { rules: [{ id: 'a', rule: 'finishTurn', action: 'continue' }] },
      ['rules[0]: scenario.endless'],
    ],
    [
      'a rule id twice in an action',
      {
        actions: [
          {
            on: { event: 'turn_end', nth: 1 },
            do: 'rules',
            rules: [
              { id: 'a', rule: 'ask' },
              { id: 'a', rule: 'ask' },
            ],
          },
        ],
      },
      ['actions[0].rules[1].id: scenario.ruleTwice'],
    ],
    ['a path that leaves the root', { files: { '../x': '' } }, ['files: scenario.badFilePath']],
    [
      'a sample outside samples',
      { files: { x: { sample: '../index.html' } } },
      ['files.x.sample: scenario.badSample'],
    ],
    ['broken base64', { files: { x: { base64: 'A' } } }, ['files.x.base64: scenario.badBytes']],
    ['the key constructor', { files: { constructor: 'x' } }, ['files: scenario.badKey']],
    ['a function', { title: () => 'x' }, ['title: scenario.notData']],
    ['a date', { title: new Date(0) }, ['title: scenario.notData']],
    [
      'a history that still streams',
      { history: [{ role: 'assistant', content: [], stopReason: 'pending' }] },
      ['history[0].stopReason: scenario.notOneOf'],
    ],
    [
      'an nth below one',
      { actions: [{ on: { event: 'turn_end', nth: 0 }, do: 'abort' }] },
      ['actions[0].on.nth: scenario.tooSmall'],
    ],
    [
      'half an nth',
      { actions: [{ on: { event: 'turn_end', nth: 1.5 }, do: 'abort' }] },
      ['actions[0].on.nth: scenario.notWhole'],
    ],
    [
      'a tool at an event that has none',
      { actions: [{ on: { event: 'turn_end', nth: 1, tool: 'ls' }, do: 'abort' }] },
      ['actions[0].on.tool: scenario.positionWithoutTool'],
    ],
    [
      'both kinds of arguments',
      {
        model: {
          kind: 'scripted',
          turns: [{ blocks: [{ type: 'toolCall', name: 'a', arguments: {}, rawArguments: '' }] }],
        },
      },
      ['model.turns[0].blocks[0].arguments: scenario.unknownKey'],
    ],
    [
      'problems in several places',
      { title: 1, start: 2 },
      ['title: scenario.wrongType', 'start: scenario.notOneOf'],
    ],
  ])('refuses %s, and says where', (_name, keys, expected) => {
    expect(codes(withKeys(keys))).toEqual(expected);
  });

  it('knows exactly the built-in tools that there are', () => {
    const names = createTools(new VirtualFileSystem()).map((tool) => tool.name);
    expect([...builtInTools].sort()).toEqual(names.sort());
  });

  it('continues only from a history that leaves the model something to answer', () => {
    const start = (history?: object[]): string[] => codes({ ...smallest, start: 'continue', history });
    expect(start()).toEqual(['history: scenario.noHistory']);
    expect(start([{ role: 'assistant', content: [] }])).toEqual(['history[0]: scenario.cannotContinue']);
    expect(start([{ role: 'user', content: 'hi' }])).toEqual([]);
  });

  it('says one thing of a version it does not know, whatever else the scenario holds', () => {
    expect(problems({ version: 2, new: 'thing' })).toEqual([
      { path: 'version', code: 'scenario.version', params: { path: 'version', found: 2, known: 1 } },
    ]);
    expect(codes({ ...smallest, version: undefined })).toEqual(['version: scenario.missing']);
  });

  it.each([
    ['1', '"1"'],
    [0, 0],
    [1.5, 1.5],
  ])('asks for the number of the version when it is %j, which no newer page would know', (version, found) => {
    expect(problems({ ...smallest, version })).toEqual([
      { path: 'version', code: 'scenario.badVersion', params: { path: 'version', found, known: 1 } },
    ]);
  });

  it.each([
    [null, 'null'],
    [[], '[]'],
    [[1], '[…]'],
    ['text', '"text"'],
  ])('says of %j that a scenario is an object', (value, found) => {
    expect(problems(value)).toEqual([
      { path: '', code: 'scenario.notAnObject', params: { path: '', found } },
    ]);
  });

  it.each([{ text: 'hi' }, 5, null, []])('names every form that a file can have when it is %j', (x) => {
    expect(problems(withKeys({ files: { x } }))).toEqual([
      {
        path: 'files.x',
        code: 'scenario.badFile',
        params: { path: 'files.x', forms: '"…", {"base64": "…"}, {"sample": "…"}' },
      },
    ]);
  });

  it('names in its parameters what a sentence needs', () => {
    expect(problems(withKeys({ title: ['x'] }))[0]?.params).toEqual({
      path: 'title',
      expected: 'string',
      found: '[…]',
    });
    expect(problems(withKeys({ tools: ['reed'] }))[0]?.params).toEqual({ path: 'tools[0]', name: 'reed' });
    expect(problems(withKeys({ start: 'now' }))[0]?.params).toEqual({
      path: 'start',
      expected: 'prompt, continue',
      found: 'now',
    });
  });

  it.each([undefined, null, 5, 'text', [], () => undefined, new Map()])('refuses %s whole', (value) => {
    expect(problems(value).length).toBeGreaterThan(0);
  });

  it('lets no prototype be reached', () => {
    const hostile: unknown = JSON.parse(`{"__proto__": {"polluted": true}, "version": 1}`);
    expect(codes(hostile)).toEqual(['__proto__: scenario.badKey']);
    const deep = JSON.parse(`{"x": {"__proto__": 1}}`) as object;
    const turns = [{ blocks: [{ type: 'toolCall', name: 'a', arguments: deep }] }];
    expect(codes(withKeys({ model: { kind: 'scripted', turns } }))[0]).toContain(
      'arguments.x.__proto__: scenario.badKey',
    );
    expect({}).not.toHaveProperty('polluted');
  });

  it('refuses what is nested too deep or goes in a circle, without overflowing the stack', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 200_000; level++) deep = level % 2 ? [deep] : { a: deep };
    expect(problems(withKeys({ files: deep }))[0]?.code).toBe('scenario.tooDeep');
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(problems(withKeys({ files: circle }))[0]?.code).toBe('scenario.tooDeep');
    expect(problems(`${'['.repeat(200_000)}`, parseScenarioText)[0]?.code).toBe('scenario.notJson');
  });

  it('refuses a list of a length beyond reason before it walks it', () => {
    expect(problems(withKeys({ prompts: new Array(50_000_000) }))[0]?.code).toBe('scenario.tooLarge');
  });

  it('throws nothing but a ScenarioError, whatever it gets', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything(),
          fc.record({
            version: fc.constant(1),
            model: fc.anything(),
            tools: fc.anything(),
            history: fc.anything(),
            rules: fc.anything(),
            actions: fc.anything(),
          }),
        ),
        (value) => {
          expect(problems(value).length).toBeGreaterThan(0);
        },
      ),
    );
  });
});

describe('parseScenarioText', () => {
  it('names line and column where the text stops being JSON', () => {
    const text = '{\n  "version": 1,\n  "title": oops\n}';
    expect(problems(text, parseScenarioText)).toEqual([
      { path: '', code: 'scenario.notJson', params: { path: '', line: 3, column: 12 } },
    ]);
  });

  it.each(['', ' \n', '\uFEFF'])('says that a file is empty when it is %j', (text) => {
    expect(problems(text, parseScenarioText).map(({ code }) => code)).toEqual(['scenario.emptyFile']);
  });

  it('knows an exported session, with records and without', () => {
    const info = { title: 'x', createdAt: 0 };
    const record = { seq: 1 } as unknown as TraceRecord;
    for (const records of [[], [record]]) {
      const text = exportJsonl(info, records, new Map());
      expect(problems(text, parseScenarioText).map(({ code }) => code)).toEqual(['scenario.exportedSession']);
    }
  });

  it('takes a text that begins with a byte order mark', () => {
    expect(parseScenarioText(`\uFEFF${JSON.stringify(smallest)}`)).toEqual(smallest);
  });

  it('finds the place that the engine finds, or the start of the word it is in, for any damage', () => {
    const damaged = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', ',', '"', '}', ']', '{', '[', ':', '\\', '\n', '0', 'x', '-', '\\u12'),
      )
      .map(
        ([json, at, insert]) =>
          json.slice(0, at % (json.length + 1)) + insert + json.slice((at % (json.length + 1)) + 1),
      );
    fc.assert(
      fc.property(damaged, (text) => {
        const place = enginePlace(text);
        if (place === undefined) return;
        const offset = jsonErrorOffset(text);
        expect(offset).toBeLessThanOrEqual(place);
        expect(text.slice(offset, place)).toMatch(/^[\w.+-]*$/);
      }),
      { numRuns: 1_000 },
    );
  });
});

/** Where V8 says that the text stops being JSON; `undefined` where it does not say it. */
function enginePlace(text: string): number | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const message = (error as SyntaxError).message;
    const position = /position (\d+)/.exec(message)?.[1];
    if (position !== undefined) return Number(position);
    return message.includes('Unexpected end') ? text.length : undefined;
  }
}
