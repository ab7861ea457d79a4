/** The loop's events, steps and queue changes, as records. */
import type {
  AgentEvent,
  AgentMessage,
  AssistantMessageEvent,
  HttpAttempt,
  LoopStep,
  QueueChange,
  QueuedMessage,
  QueueName,
} from '../loop/types';
import type { LoopPosition, RecordBody, RecordedResult, RecordOf } from '../records/types';
import type { BlobWriter } from './blob-writer';
import { messageBody, recordedResult, resultGrowth } from './bodies';
import { MessageIds } from './message-ids';
import { Positions } from './positions';
import { QueueRecorder } from './queue-recorder';
import type { RecordWriter } from './record-writer';
import { RequestLog } from './request-log';
import { StepRecorder } from './step-recorder';
import type { HookRules } from './step-recorder';
import { StreamedBlocks } from './streams';

export interface RecorderOptions {
  writer: RecordWriter;
  blobs: BlobWriter;
  /** Of a session that goes on. */
  positions?: Positions;
  requests?: RequestLog;
  /** Something could not be recorded; the loop goes on all the same. */
  onFailure: (error: unknown) => void;
}

/** A call between its start and the message that carries its result. */
interface OpenCall {
  args: string;
  partial?: RecordedResult;
  result?: RecordedResult;
}

type Of<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>;

/** Listens to an Agent and writes records. It never throws into the loop. */
export class Recorder {
  readonly ids = new MessageIds();
  readonly positions: Positions;
  /** How the run begins that starts next. */
  how: RecordOf<'agent_start'>['how'] = 'prompt';

  readonly #writer: RecordWriter;
  readonly #blobs: BlobWriter;
  readonly #onFailure: (error: unknown) => void;
  readonly #queues: QueueRecorder;
  readonly #steps: StepRecorder;
  readonly #streams = new Map<string, StreamedBlocks>();
  readonly #calls = new Map<string, OpenCall>();
  #place = { run: '', turn: '' };
  #silent = false;

  constructor({ writer, blobs, positions, requests, onFailure }: RecorderOptions) {
    this.#writer = writer;
    this.#blobs = blobs;
    this.#onFailure = onFailure;
    this.positions = positions ?? new Positions();
    this.#queues = new QueueRecorder(writer, blobs);
    this.#steps = new StepRecorder({
      writer,
      blobs,
      ids: this.ids,
      requests: requests ?? new RequestLog(),
      argumentsOf: (call) => this.#calls.get(call)?.args,
    });
  }

  write(body: RecordBody): void {
    this.#safely(() => this.#writer.write(body));
  }

  /** A message that no loop tells of: the history's, and those that close an interrupted run. */
  message(
    id: string,
    message: AgentMessage,
    start: Pick<RecordOf<'message_start'>, 'origin' | 'turn' | 'call'>,
    result?: RecordedResult,
  ): void {
    this.ids.set(message, id);
    this.write({ type: 'message_start', message: id, role: message.role, ...start });
    this.#safely(() => {
      const body = messageBody(message, { blobs: this.#blobs, result });
      this.#writer.write({ type: 'message_end', message: id, body });
    });
  }

  /** Queue changes that happen in `restore` are in the records already. */
  silently(restore: () => void): void {
    this.#silent = true;
    restore();
    this.#silent = false;
  }

  /** Where the loop is, for what a person does now. */
  on(): { on?: LoopPosition } {
    const on = this.positions.last;
    return on ? { on } : {};
  }

  /** For `Agent.subscribe`. */
  event(event: AgentEvent): void {
    this.positions.count(event);
    this.#safely(() => this.#event(event));
  }

  /** For the option `onStep`. `rules`: what they had to do with a hook. */
  step(step: LoopStep, rules?: HookRules): void {
    this.positions.countStep();
    this.#safely(() => this.#steps.step(step, rules));
  }

  /** For the option `onQueueChange`. */
  queueChange(queue: QueueName, content: readonly QueuedMessage[], why: QueueChange, ids: string[]): void {
    if (this.#silent) this.#queues.know(queue, content);
    else this.#safely(() => this.#queues.change(queue, content, why, ids, why === 'drain' ? {} : this.on()));
  }

  /** For the option `onHttp` of a request. */
  http({ attempt, status, waitMs, error }: HttpAttempt): void {
    this.write({
      type: 'http',
      ...this.#place,
      attempt,
      ...(status === undefined ? {} : { status }),
      ...(waitMs === undefined ? {} : { waitMs }),
      ...(error === undefined ? {} : { error }),
    });
  }

  #event(event: AgentEvent): void {
    switch (event.type) {
      case 'agent_start':
        this.#place = { run: event.runId, turn: '' };
        return this.#writer.write({ type: 'agent_start', run: event.runId, how: this.how });
      case 'agent_end':
        return this.#writer.write({
          type: 'agent_end',
          run: event.runId,
          messages: this.ids.of(event.messages),
        });
      case 'turn_start':
        return this.#turnStart(event.runId, event.turnId);
      case 'turn_end':
        return this.#turnEnd(event);
      case 'message_start':
        return this.#messageStart(event);
      case 'message_update':
        return this.#messageUpdate(event.messageId, event.assistantMessageEvent);
      case 'message_end':
        return this.#messageEnd(event);
      case 'tool_execution_start':
        return this.#callStart(event);
      case 'tool_execution_update':
        return this.#callUpdate(event);
      case 'tool_execution_end':
        return this.#callEnd(event);
    }
  }

  #turnStart(run: string, turn: string): void {
    this.#place = { run, turn };
    this.#writer.write({ type: 'turn_start', turn, run });
  }

  #turnEnd({ turnId, message, toolResults }: Of<'turn_end'>): void {
    const id = this.ids.get(message) ?? '';
    this.#writer.write({
      type: 'turn_end',
      turn: turnId,
      message: id,
      toolResults: this.ids.of(toolResults),
    });
    // A call whose result message never came needs nothing more.
    this.#calls.clear();
  }

  #messageStart({ messageId, runId, turnId, message, origin, callId }: Of<'message_start'>): void {
    // A run that broke between two turns tells of its failure without a start of its turn; a trace nests it all the same.
    if (turnId !== this.#place.turn) this.#turnStart(runId, turnId);
    this.ids.set(message, messageId);
    const model = origin === 'model' ? this.#steps.model : undefined;
    this.#writer.write({
      type: 'message_start',
      message: messageId,
      turn: turnId,
      role: message.role,
      origin,
      ...(callId === undefined ? {} : { call: callId }),
      ...(model ? { model } : {}),
    });
  }

  #messageUpdate(message: string, event: AssistantMessageEvent): void {
    if (event.type === 'start' || event.type === 'done' || event.type === 'error') return;
    const { type, contentIndex: index } = event;
    const streams = this.#streams.get(message) ?? new StreamedBlocks();
    this.#streams.set(message, streams);
    if ('delta' in event) {
      streams.add(index, event.delta);
      this.#writer.delta({ message, index, event: event.type, delta: event.delta });
      return;
    }
    streams.start(index);
    this.#writer.write({ type: 'message_update', message, index, event: type, ...callNames(event) });
  }

  #messageEnd({ messageId, message, callId }: Of<'message_end'>): void {
    this.ids.set(message, messageId);
    const streams = this.#streams.get(messageId);
    const result = callId === undefined ? undefined : this.#calls.get(callId)?.result;
    this.#streams.delete(messageId);
    if (callId !== undefined) this.#calls.delete(callId);
    const body = messageBody(message, { blobs: this.#blobs, streams, result });
    this.#writer.write({ type: 'message_end', message: messageId, body });
  }

  #callStart(event: Of<'tool_execution_start'>): void {
    const { callId, turnId, messageId, contentIndex, toolCallId, toolName, args } = event;
    this.#calls.set(callId, { args: JSON.stringify(args) });
    this.#writer.write({
      type: 'tool_execution_start',
      call: callId,
      turn: turnId,
      message: messageId,
      index: contentIndex,
      toolCallId,
      toolName,
    });
  }

  #callUpdate({ callId, partialResult }: Of<'tool_execution_update'>): void {
    const call = this.#calls.get(callId);
    const partial = recordedResult(partialResult, this.#blobs);
    const append = resultGrowth(call?.partial, partial);
    if (call) call.partial = partial;
    const change = append === undefined ? { partial } : { append };
    this.#writer.write({ type: 'tool_execution_update', call: callId, ...change });
  }

  #callEnd({ callId, result, isError, durationMs }: Of<'tool_execution_end'>): void {
    const call = this.#calls.get(callId);
    const recorded = recordedResult(result, this.#blobs);
    if (call) call.result = recorded;
    const took = durationMs === undefined ? {} : { durationMs };
    this.#writer.write({ type: 'tool_execution_end', call: callId, isError, result: recorded, ...took });
  }

  #safely(record: () => void): void {
    try {
      record();
    } catch (error) {
      this.#onFailure(error);
    }
  }
}

/** The names of a call that streams, as far as they are known: some servers send them late. */
function callNames(event: AssistantMessageEvent & { contentIndex: number }): {
  toolCallId?: string;
  toolName?: string;
} {
  const partial = 'partial' in event ? event.partial.content[event.contentIndex] : undefined;
  const block = event.type === 'toolcall_end' ? event.toolCall : partial;
  return block?.type === 'toolCall' ? { toolCallId: block.id, toolName: block.name } : {};
}
