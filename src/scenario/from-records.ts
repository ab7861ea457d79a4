/** "Save as scenario": what a session recorded, as a scenario that plays it again. */
import type { AgentMessage, SystemMessage } from '../loop/types';
import type { BlobHash, MessageBody, RecordedContent, SessionConfig, TraceRecord } from '../records/types';
import { ActionReader, type Act } from './from-records-actions';
import { AnswerReader } from './from-records-answers';
import { wholeContent, wholeFile, wholeFiles, type ReadBlob } from './from-records-blobs';
import { CallReader } from './from-records-calls';
import { PositionReader } from './from-records-positions';
import { StartReader, type RunReading } from './from-records-start';
import type { Scenario, ScenarioAction } from './types';

export interface FromRecordsOptions {
  /** Without it, the first prompt. */
  title?: string;
  /** Gives the bytes of `blobsOf(records)`: a file without them is left out, and a text stands for such an image. */
  blobs?: ReadBlob;
}

const TITLE_LENGTH = 200;

/**
 * A scenario that plays what the records tell: answers become scripted turns, what the person did stands at its places
 * of the loop, and tools take the time that they took. Built-in tools work again, on the files of the start; any other
 * gives back what it gave, and so does `fetch`. A run that was interrupted is aborted there. Left out are pauses, and which
 * model answered with which options.
 */
export function scenarioFromRecords(
  records: readonly TraceRecord[],
  { title, blobs = () => undefined }: FromRecordsOptions = {},
): Scenario {
  const start = new StartReader();
  const positions = new PositionReader();
  const answers = new AnswerReader();
  const calls = new CallReader(blobs);
  const actions = new ActionReader(positions);
  for (const record of records) {
    if (record.type === 'interrupted' && positions.leavesRequest) answers.emptyAnswer();
    actions.read(record);
    positions.read(record);
    for (const reader of [start, answers, calls]) reader.read(record);
  }
  const { turns, updates } = answers.turns();
  const { config, runs } = start;
  const tools = calls.write(config.tools ?? []);
  const acts = actions.acts.flatMap(({ on, afterMs, act, inReplay }) => {
    const place = {
      on: inReplay ? on : positions.replayed(on, updates),
      ...(afterMs === undefined ? {} : { afterMs }),
    };
    return actionOf(place, act, calls, blobs);
  });
  const durations = calls.durations();
  const files = wholeFiles(start.files, blobs);
  const history = historyOf(start.history, config, blobs);
  return {
    version: 1,
    title: titleOf(title ?? runs[0]?.prompts[0] ?? ''),
    ...settingsOf(config),
    ...(history.length > 0 ? { history } : {}),
    ...(files ? { files } : {}),
    ...(tools.length > 0 ? { tools } : {}),
    ...(durations ? { toolDurations: durations } : {}),
    model: { kind: 'scripted', turns },
    ...promptsOf(runs),
    ...(acts.length > 0 ? { actions: acts } : {}),
  };
}

/** The blobs that `scenarioFromRecords` asks for, each once. */
export function blobsOf(records: readonly TraceRecord[]): BlobHash[] {
  const hashes = new Set<BlobHash>();
  const images = (content: unknown) => {
    if (!Array.isArray(content)) return;
    for (const part of content as RecordedContent[]) if ('blob' in part) hashes.add(part.blob);
  };
  for (const record of records) {
    if (record.type === 'file_change' && record.after && 'blob' in record.after)
      hashes.add(record.after.blob);
    if (record.type === 'message_end' && 'content' in record.body) images(record.body.content);
    if (record.type === 'tool_execution_end') images(record.result.content);
    if (record.type === 'tool_execution_update' && 'partial' in record) images(record.partial.content);
  }
  return [...hashes];
}

function titleOf(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.slice(0, TITLE_LENGTH).replace(/[\uD800-\uDBFF]$/, '') || '–';
}

/** Without what is usual. */
function settingsOf(config: SessionConfig): Partial<Scenario> {
  const { systemPrompt, steeringMode, followUpMode, toolExecution, thinkingLevel, requestLimit, rules } =
    config;
  return {
    ...(systemPrompt ? { systemPrompt } : {}),
    ...(steeringMode === 'all' ? { steeringMode } : {}),
    ...(followUpMode === 'all' ? { followUpMode } : {}),
    ...(toolExecution === 'sequential' ? { toolExecution } : {}),
    ...(thinkingLevel && thinkingLevel !== 'off' ? { thinkingLevel } : {}),
    ...(requestLimit === undefined ? {} : { requestLimit }),
    ...(rules && rules.length > 0 ? { rules } : {}),
  };
}

/** Runs that the person set going with words; how others began is an action. */
function promptsOf(runs: readonly RunReading[]): Pick<Scenario, 'start' | 'prompts'> {
  const prompts = runs
    .filter(({ how }) => how === 'prompt')
    .map((run) => run.prompts.filter((text) => text !== '').join('\n\n') || '…');
  const start = runs[0]?.how === 'request' ? 'continue' : 'prompt';
  return { start, ...(prompts.length > 0 ? { prompts } : {}) };
}

function actionOf(
  place: Pick<ScenarioAction, 'on' | 'afterMs'>,
  act: Act,
  calls: CallReader,
  blobs: ReadBlob,
): ScenarioAction[] {
  if (act.do === 'tools') return [{ ...place, do: 'tools', tools: calls.write(act.names) }];
  if (act.do !== 'file') return [{ ...place, ...act }];
  const { path, content } = act;
  if (!content) return [{ ...place, do: 'file', path }];
  const file = wholeFile(content, blobs);
  return file === undefined ? [] : [{ ...place, do: 'file', path, content: file }];
}

/** Without the leading system message, where prompt and tools say the same. */
function historyOf(
  bodies: readonly MessageBody[],
  { systemPrompt = '', tools = [] }: SessionConfig,
  blobs: ReadBlob,
): AgentMessage[] {
  const [first] = bodies;
  const leading = first?.role === 'system' ? (first as SystemMessage) : undefined;
  const declared = leading?.toolsAdded?.map(({ name }) => name) ?? [];
  const isUsual =
    leading?.content === systemPrompt && !leading.sections && declared.join('\n') === tools.join('\n');
  return bodies.slice(isUsual ? 1 : 0).map((body) => wholeMessage(body, blobs));
}

function wholeMessage(body: MessageBody, blobs: ReadBlob): AgentMessage {
  if (body.role !== 'user' && body.role !== 'toolResult') return body;
  const { content } = body as { content?: string | RecordedContent[] };
  return {
    ...body,
    content: typeof content === 'string' ? content : wholeContent(content ?? [], blobs),
  } as AgentMessage;
}
