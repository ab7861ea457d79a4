/** The scenario format as a schema: everything foreign passes here once, and comes out as fresh plain data. */
import * as v from 'valibot';
import { crossProblems } from './cross-checks';
import { problemAt, ScenarioError, shortened } from './error';
import { jsonErrorPosition } from './json-position';
import { messageSchema } from './message-schema';
import { isBase64, isFilePath, isSamplePath } from './paths';
import { plainCopy } from './plain-data';
import { rules } from './rules-schema';
import { issueProblem, shownValue } from './schema-issues';
import {
  anyObject,
  byName,
  closed,
  count,
  duration,
  executionMode,
  index,
  list,
  name,
  queueMode,
  queueName,
  thinkingLevel,
} from './schema-parts';
import type { Scenario } from './types';

const VERSION = 1;
const optional = v.exactOptional;

const text = closed({ type: v.literal('text'), text: v.string() });
const image = closed({ type: v.literal('image'), data: v.string(), mimeType: v.string() });
const content = list(v.variant('type', [text, image]), 1_000);
const at = { atMs: duration };
const append = closed({ ...at, append: v.string() });
const partial = closed({ ...at, content, details: optional(v.unknown()) });
const update = v.lazy((input) =>
  typeof input === 'object' && input !== null && 'append' in input ? append : partial,
);
const scriptedResult = closed({
  durationMs: duration,
  updates: optional(list(update)),
  result: optional(v.string()),
  content: optional(content),
  details: optional(v.unknown()),
  error: optional(v.string()),
  isError: optional(v.boolean()),
  terminate: optional(v.boolean()),
  honourAbort: optional(v.boolean()),
});
const scriptedTool = closed({
  name: v.pipe(v.string(), v.regex(/^[\w.-]{1,64}$/, 'scenario.badToolName')),
  description: optional(v.string()),
  parameters: optional(anyObject),
  mode: optional(executionMode),
  durationMs: duration,
  progress: optional(list(v.string(), 1_000)),
  result: optional(v.string()),
  error: optional(v.string()),
  isError: optional(v.boolean()),
  terminate: optional(v.boolean()),
  honourAbort: optional(v.boolean()),
  results: optional(list(scriptedResult)),
});
const tools = list(
  v.lazy((input) => (typeof input === 'string' ? v.string() : scriptedTool)),
  200,
);

const thinking = closed({ type: v.literal('thinking'), thinking: v.string() });
const call = closed({
  type: v.literal('toolCall'),
  id: optional(name),
  name,
  arguments: anyObject,
  argumentsError: optional(v.string()),
  argumentsRepaired: optional(v.boolean()),
});
const rawCall = closed({ type: v.literal('toolCall'), id: optional(name), name, rawArguments: v.string() });
const wholeBlock = v.variant('type', [text, thinking, call]);
const block = v.lazy((input) =>
  typeof input === 'object' && input !== null && 'rawArguments' in input ? rawCall : wholeBlock,
);
const answerEntries = {
  blocks: list(block, 1_000),
  stopReason: optional(v.picklist(['stop', 'length', 'toolUse', 'error', 'aborted'])),
  errorMessage: optional(v.string()),
  chunk: optional(count),
  gapMs: optional(duration),
};
const answer = closed(answerEntries);
const turn = closed({
  ...answerEntries,
  firstTokenMs: optional(duration),
  noStart: optional(v.boolean()),
  silentEnd: optional(v.boolean()),
  stalls: optional(v.picklist(['inBlock', 'afterBlocks'])),
});
const model = v.variant('kind', [
  closed({ kind: v.literal('scripted'), turns: list(turn) }),
  closed({ kind: v.literal('live'), api: optional(name), id: optional(name) }),
]);

const position = closed({
  event: v.picklist([
    'agent_start',
    'agent_end',
    'turn_start',
    'turn_end',
    'message_start',
    'message_update',
    'message_end',
    'tool_execution_start',
    'tool_execution_update',
    'tool_execution_end',
  ]),
  nth: count,
  tool: optional(name),
  step: optional(count),
});
const base64File = closed({ base64: v.pipe(v.string(), v.check(isBase64, 'scenario.badBytes')) });
const textOrBytes = v.lazy((input) => (typeof input === 'string' ? v.string() : base64File));
const on = { on: position, afterMs: optional(duration) };
const action = v.variant('do', [
  closed({ ...on, do: v.picklist(['steer', 'followUp']), text: v.string() }),
  closed({ ...on, do: v.literal('abort') }),
  closed({ ...on, do: v.literal('clear'), queue: optional(queueName) }),
  closed({ ...on, do: v.literal('edit'), queue: queueName, item: count, text: v.string() }),
  closed({ ...on, do: v.literal('remove'), queue: queueName, item: count }),
  closed({
    ...on,
    do: v.literal('move'),
    queue: queueName,
    item: count,
    to: queueName,
    index: optional(index),
  }),
  closed({ ...on, do: v.literal('mode'), queue: queueName, mode: queueMode }),
  closed({ ...on, do: v.literal('tools'), tools }),
  closed({
    ...on,
    do: v.literal('set'),
    thinkingLevel: optional(thinkingLevel),
    toolExecution: optional(executionMode),
    systemPrompt: optional(v.string()),
    requestLimit: optional(index),
  }),
  closed({ ...on, do: v.literal('rules'), rules }),
  closed({
    ...on,
    do: v.literal('file'),
    path: v.pipe(v.string(), v.check(isFilePath, 'scenario.badFilePath')),
    content: optional(textOrBytes),
  }),
  closed({ ...on, do: v.picklist(['continue', 'retry']) }),
  closed({ ...on, do: v.literal('rewind'), prompt: count }),
  closed({ ...on, do: v.literal('permission'), allow: v.boolean() }),
  closed({ ...on, do: v.literal('answer'), text: v.string() }),
]);

const sampleFile = closed({ sample: v.pipe(v.string(), v.check(isSamplePath, 'scenario.badSample')) });
/** What is none of the forms: a list of missing and unknown keys would name only one of them. */
const noFile = v.custom<never>(() => false, 'scenario.badFile');
const file = v.lazy((input) => {
  if (typeof input === 'string') return v.string();
  if (typeof input !== 'object' || input === null) return noFile;
  if ('sample' in input) return sampleFile;
  return 'base64' in input ? base64File : noFile;
});
const files = v.pipe(
  byName(file),
  v.check((given) => Object.keys(given).length <= 2_000, 'scenario.tooManyFiles'),
  v.check((given) => Object.keys(given).every(isFilePath), 'scenario.badFilePath'),
);

const scenario = closed({
  version: v.literal(VERSION),
  title: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
  description: optional(v.pipe(v.string(), v.maxLength(4_000))),
  systemPrompt: optional(v.string()),
  history: optional(list(messageSchema, 100_000)),
  files: optional(files),
  tools: optional(tools),
  toolDurations: optional(byName(v.lazy((input) => (Array.isArray(input) ? list(duration) : duration)))),
  model,
  steeringMode: optional(queueMode),
  followUpMode: optional(queueMode),
  toolExecution: optional(executionMode),
  thinkingLevel: optional(thinkingLevel),
  requestLimit: optional(count),
  rules: optional(rules),
  start: v.picklist(['prompt', 'continue']),
  prompts: optional(list(v.pipe(v.string(), v.minLength(1)), 1_000)),
  actions: optional(list(action)),
});

/** What a person answers as the model, as fresh plain data. Throws a `ScenarioError` with everything that is wrong. */
export function parseAnswer(value: unknown): v.InferOutput<typeof answer> {
  const copy = plainCopy(value);
  refuseOtherThings(copy);
  const parsed = v.safeParse(answer, copy);
  if (parsed.success) return parsed.output;
  const [first, ...others] = parsed.issues;
  throw new ScenarioError([issueProblem(first), ...others.map(issueProblem)]);
}

/**
 * A scenario from foreign data, as fresh plain data: safe to keep, to send to the worker and to store. Throws a
 * `ScenarioError` with everything that is wrong.
 */
export function parseScenario(value: unknown): Scenario {
  const copy = plainCopy(value);
  refuseOtherThings(copy);
  refuseOtherVersions(copy);
  const parsed = v.safeParse(scenario, copy);
  const problems = parsed.success ? crossProblems(parsed.output) : parsed.issues.map(issueProblem);
  const [first, ...others] = problems.slice(0, 100);
  if (first) throw new ScenarioError([first, ...others]);
  if (parsed.success) return parsed.output;
  throw new Error('A scenario was refused without a reason.');
}

/** A scenario from JSON text. Throws a `ScenarioError`, with line and column where the text is no JSON. */
export function parseScenarioText(json: string): Scenario {
  const text = json.startsWith('\uFEFF') ? json.slice(1) : json;
  if (text.trim() === '') throw new ScenarioError([problemAt([], 'scenario.emptyFile')]);
  if (isSessionExport(text)) throw new ScenarioError([problemAt([], 'scenario.exportedSession')]);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ScenarioError([problemAt([], 'scenario.notJson', jsonErrorPosition(text))]);
  }
  return parseScenario(value);
}

function refuseOtherThings(value: unknown): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  throw new ScenarioError([problemAt([], 'scenario.notAnObject', { found: shownValue(value) })]);
}

/** Our own session files are JSON lines, and the first is a header that names its format. */
function isSessionExport(text: string): boolean {
  return /^\{"epicycle":\d+[,}]/.test(text);
}

/** A later version gets one clear sentence, instead of a list of keys that are unknown here. */
function refuseOtherVersions(value: unknown): void {
  if (typeof value !== 'object' || value === null || !('version' in value) || value.version === VERSION)
    return;
  const { version } = value;
  const isLater = typeof version === 'number' && Number.isInteger(version) && version > VERSION;
  const found = typeof version === 'number' ? version : shortened(JSON.stringify(version));
  const code = isLater ? 'scenario.version' : 'scenario.badVersion';
  throw new ScenarioError([problemAt(['version'], code, { found, known: VERSION })]);
}
