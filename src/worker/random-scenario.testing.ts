/** Random scenarios: everything that their format can say, small enough to play many. */
import fc from 'fast-check';
import type { Scenario, ScenarioAction, ScriptedBlock, ScriptedTool, ScriptedTurn } from '../scenario/types';

const toolNames = ['quick', 'slow', 'stubborn', 'failing', 'ending', 'varied', 'read', 'write'];

const ms = fc.oneof(fc.constant(0), fc.nat(40), fc.nat(400));
const word = fc.constantFrom('a', 'b', 'yes', '“quoted”', '😀', 'line\nline', '');
const text = fc.string({ unit: 'grapheme', maxLength: 60 });

const call: fc.Arbitrary<ScriptedBlock> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('toolCall' as const),
      name: fc.constantFrom(...toolNames, 'unknown'),
      arguments: fc.oneof(
        fc.constant({ path: 'a.txt' }),
        fc.record({ path: fc.constantFrom('b.txt', 'c/d.txt'), content: text }),
        fc.record({ x: word }),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('toolCall' as const),
      id: fc.constant('same'),
      name: fc.constantFrom('quick', 'slow'),
      rawArguments: fc.constantFrom('{"x": 1}', '{"x":', 'no json', "{'x': 1}", ''),
    }),
  },
);
const block: fc.Arbitrary<ScriptedBlock> = fc.oneof(
  text.map((value) => ({ type: 'text' as const, text: value })),
  text.map((value) => ({ type: 'thinking' as const, thinking: value })),
  call,
  call,
);
const turn: fc.Arbitrary<ScriptedTurn> = fc.record(
  {
    blocks: fc.array(block, { maxLength: 4 }),
    stopReason: fc.constantFrom('stop', 'length', 'toolUse', 'error', 'aborted'),
    firstTokenMs: ms,
    chunk: fc.integer({ min: 1, max: 20 }),
    gapMs: fc.nat(40),
    noStart: fc.boolean(),
    silentEnd: fc.boolean(),
  },
  { requiredKeys: ['blocks'] },
);

const scripted: ScriptedTool[] = [
  { name: 'quick', durationMs: 0, result: 'quick {{x}}' },
  { name: 'slow', durationMs: 120, progress: ['one', 'two'], result: 'slow {{x}}' },
  { name: 'stubborn', durationMs: 5000, honourAbort: false, mode: 'sequential', result: 'at last' },
  { name: 'failing', durationMs: 30, error: 'broken {{x}}' },
  { name: 'ending', durationMs: 10, result: 'the end', terminate: true },
  {
    name: 'varied',
    durationMs: 20,
    result: 'usual {{x}}',
    results: [
      {
        durationMs: 70,
        updates: [
          { atMs: 20, content: [] },
          { atMs: 50, append: 'so far' },
        ],
        result: '{{x}}',
      },
      { durationMs: 0, content: [{ type: 'image', data: 'AAEC', mimeType: 'image/png' }], details: { n: 2 } },
      { durationMs: 40, error: 'third {{x}}', honourAbort: false },
    ],
  },
];

const nth = fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined });
const rule = fc
  .oneof(
    fc.record({ rule: fc.constant('block' as const), tool: fc.constantFrom('q*', 'write'), reason: text }),
    fc.record({ rule: fc.constant('ask' as const), tool: fc.constantFrom('slow', '*') }),
    fc.record({ rule: fc.constant('rewrite' as const), tool: fc.constant('quick'), text }),
    fc.record({ rule: fc.constant('append' as const), text }),
    fc.record({ rule: fc.constant('limitContext' as const), keep: fc.integer({ min: 1, max: 4 }) }),
    fc.record({
      rule: fc.constant('finishTurn' as const),
      action: fc.constantFrom('end' as const, 'continue' as const),
    }),
  )
  .chain((what) => nth.map((at) => ({ ...what, ...(at === undefined ? {} : { nth: at }) })));
const rules = fc
  .array(rule, { maxLength: 3 })
  .map((list) => list.map((one, index) => ({ id: `r${index}`, ...one })));

const queue = fc.constantFrom('steering' as const, 'followUp' as const);
const on = fc.record({
  event: fc.constantFrom(
    'agent_start' as const,
    'turn_start' as const,
    'message_start' as const,
    'message_update' as const,
    'message_end' as const,
    'tool_execution_start' as const,
    'tool_execution_end' as const,
    'turn_end' as const,
    'agent_end' as const,
  ),
  nth: fc.integer({ min: 1, max: 6 }),
});
const act: fc.Arbitrary<Omit<ScenarioAction, 'on'>> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('steer' as const, 'followUp' as const), text }) },
  { weight: 1, arbitrary: fc.constant({ do: 'abort' as const }) },
  fc.record({ do: fc.constant('clear' as const), queue }),
  fc.record({ do: fc.constant('edit' as const), queue, item: fc.integer({ min: 1, max: 2 }), text }),
  fc.record({ do: fc.constant('remove' as const), queue, item: fc.integer({ min: 1, max: 2 }) }),
  fc.record({
    do: fc.constant('move' as const),
    queue,
    item: fc.integer({ min: 1, max: 2 }),
    to: queue,
    index: fc.nat(2),
  }),
  fc.record({
    do: fc.constant('mode' as const),
    queue,
    mode: fc.constantFrom('all' as const, 'one-at-a-time' as const),
  }),
  fc.record({
    do: fc.constant('tools' as const),
    tools: fc.subarray<string | ScriptedTool>([...scripted, 'read', 'ls', 'write']),
  }),
  fc.record({ do: fc.constant('permission' as const), allow: fc.boolean() }),
  fc.record({
    do: fc.constant('set' as const),
    thinkingLevel: fc.constantFrom('off' as const, 'high' as const),
    toolExecution: fc.constantFrom('parallel' as const, 'sequential' as const),
    systemPrompt: fc.constantFrom('', 'Be brief.'),
    requestLimit: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({ do: fc.constant('rewind' as const), prompt: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ do: fc.constantFrom('continue' as const, 'retry' as const) }),
  fc.record({ do: fc.constant('rules' as const), rules }),
);
const action = fc
  .tuple(on, act, fc.option(fc.nat(200), { nil: undefined }))
  .map(
    ([place, what, afterMs]) =>
      ({ on: place, ...(afterMs === undefined ? {} : { afterMs }), ...what }) as ScenarioAction,
  );

/** Valid scenarios that end. */
export const randomScenario: fc.Arbitrary<Scenario> = fc
  .record({
    turns: fc.array(turn, { maxLength: 6 }),
    prompts: fc.array(fc.constantFrom('go', 'more', 'read a.txt'), { minLength: 1, maxLength: 3 }),
    actions: fc.array(action, { maxLength: 6 }),
    rules,
    steeringMode: fc.constantFrom('all' as const, 'one-at-a-time' as const),
    toolExecution: fc.constantFrom('parallel' as const, 'sequential' as const),
    withPrompt: fc.boolean(),
    content: fc.constantFrom('hello', 'x'.repeat(6000)),
  })
  .map(({ turns, withPrompt, content, ...rest }) => ({
    version: 1,
    title: 'Random',
    start: 'prompt',
    ...(withPrompt ? { systemPrompt: 'Be kind.' } : {}),
    ...rest,
    requestLimit: 8,
    tools: [...scripted, 'read', 'write'],
    toolDurations: { write: [15, 0, 40], read: 5 },
    files: { 'a.txt': content },
    model: { kind: 'scripted', turns },
  }));
