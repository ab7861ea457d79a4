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
import type { LoopPosition, ModelRef, QueuedBody, RecordBody, RecordedResult, RecordedStep } from '../records/types';
import { cloneable } from '../store';
import type { BlobWriter } from './blob-writer';
import { messageBody, modelRef, recordedResult, resultGrowth } from './bodies';
import { Positions } from './positions';
import type { RecordWriter } from './record-writer';
import { RequestLog } from './request-log';
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
type Placed = { run: string; turn?: string; call?: string };

/** Listens to an Agent and writes records. It never throws into the loop. */
export class Recorder {
  readonly positions: Positions;
  /** How the run begins that starts next. */
  how: Extract<RecordBody, { type: 'agent_start' }>['how'] = 'prompt';

  readonly #writer: RecordWriter;
  readonly #blobs: BlobWriter;
  readonly #requests: RequestLog;
  readonly #onFailure: (error: unknown) => void;
  /** Ids of messages, by identity: requests and ends name them. */
  readonly #ids = new WeakMap<AgentMessage, string>();
  readonly #streams = new Map<string, StreamedBlocks>();
  readonly #calls = new Map<string, OpenCall>();
  readonly #queues: Record<QueueName, readonly QueuedMessage[]> = { steering: [], followUp: [] };
  #place: { run: string; turn: string } = { run: '', turn: '' };
  #model: ModelRef | undefined;
  #silent = false;

  constructor({ writer, blobs, positions, requests, onFailure }: RecorderOptions) {
    this.#writer = writer;
    this.#blobs = blobs;
    this.positions = positions ?? new Positions();
    this.#requests = requests ?? new RequestLog();
    this.#onFailure = onFailure;
  }

  /** Gives a message of the transcript its id. */
  know(message: AgentMessage, id: string): void {
    this.#ids.set(message, id);
  }

  idOf(message: AgentMessage): string | undefined {
    return this.#ids.get(message);
  }

  /** What happens in `restore` is in the records already. */
  silently(restore: () => void): void {
    this.#silent = true;
    restore();
    this.#silent = false;
  }

  write(body: RecordBody): void {
    this.#safely(() => this.#writer.write(body));
  }

  /** A message that no loop tells of: the history's, and those that close an interrupted run. */
  message(
    id: string,
    message: AgentMessage,
    start: Pick<Extract<RecordBody, { type: 'message_start' }>, 'origin' | 'turn' | 'call'>,
    result?: RecordedResult,
  ): void {
    this.know(message, id);
    this.write({ type: 'message_start', message: id, role: message.role, ...start });
    this.write({ type: 'message_end', message: id, body: messageBody(message, { blobs: this.#blobs, result }) });
  }

  /** For `Agent.subscribe`. */
  readonly event = (event: AgentEvent): void => {
    this.positions.count(event);
    this.#safely(() => this.#event(event));
  };

  /** For the option `onStep`. */
  readonly step = (step: LoopStep): void => {
    this.#safely(() => this.#step(step));
  };

  /** For the option `onQueueChange`; a change by a person or scenario says where the loop was. */
  readonly queueChange = (
    queue: QueueName,
    content: readonly QueuedMessage[],
    why: QueueChange,
    ids: string[],
  ): void => {
    this.#safely(() => {
      const before = this.#queues[queue];
      this.#queues[queue] = content;
      if (this.#silent) return;
      const gone = ids.filter((id) => !content.some((queued) => queued.id === id));
      const come = why === 'reorder' ? [] : content.filter(({ id }) => ids.includes(id));
      const remove = gone.filter((id) => before.some((queued) => queued.id === id));
      this.#writer.write({
        type: 'queue',
        queue,
        why,
        ...(come.length > 0 ? { add: come.map((queued) => this.#queued(queued, content)) } : {}),
        ...(remove.length > 0 ? { remove } : {}),
        ...(why === 'reorder' ? { order: content.map(({ id }) => id) } : {}),
        ...(why === 'drain' ? {} : this.on()),
      });
    });
  };

  /** For the option `onHttp` of a request. */
  readonly http = ({ attempt, status, waitMs, error }: HttpAttempt): void => {
    this.write({
      type: 'http',
      ...this.#place,
      attempt,
      ...(status === undefined ? {} : { status }),
      ...(waitMs === undefined ? {} : { waitMs }),
      ...(error === undefined ? {} : { error }),
    });
  };

  /** Where the loop is, for what a person does now. */
  on(): { on?: LoopPosition } {
    const on = this.positions.last;
    return on ? { on } : {};
  }

  #queued({ id, message }: QueuedMessage, content: readonly QueuedMessage[]): QueuedBody {
    const index = content.findIndex((queued) => queued.id === id);
    return { id, message: messageBody(message, { blobs: this.#blobs }), index };
  }

  #event(event: AgentEvent): void {
    switch (event.type) {
      case 'agent_start':
        this.#place = { run: event.runId, turn: '' };
        return this.#writer.write({ type: 'agent_start', run: event.runId, how: this.how });
      case 'agent_end':
        return this.#writer.write({ type: 'agent_end', run: event.runId, messages: this.#idsOf(event.messages) });
      case 'turn_start':
        this.#place = { run: event.runId, turn: event.turnId };
        return this.#writer.write({ type: 'turn_start', turn: event.turnId, run: event.runId });
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

  #turnEnd({ turnId, message, toolResults }: Of<'turn_end'>): void {
    const [id = ''] = this.#idsOf([message]);
    this.#writer.write({ type: 'turn_end', turn: turnId, message: id, toolResults: this.#idsOf(toolResults) });
    // A call whose result message never came needs nothing more.
    this.#calls.clear();
  }

  #messageStart({ messageId, turnId, message, origin, callId }: Of<'message_start'>): void {
    this.know(message, messageId);
    const model = origin === 'model' ? this.#model : undefined;
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
    this.know(message, messageId);
    const streams = this.#streams.get(messageId);
    const result = callId === undefined ? undefined : this.#calls.get(callId)?.result;
    this.#streams.delete(messageId);
    if (callId !== undefined) this.#calls.delete(callId);
    const body = messageBody(message, { blobs: this.#blobs, streams, result });
    this.#writer.write({ type: 'message_end', message: messageId, body });
  }

  #callStart({ callId, turnId, messageId, contentIndex, toolCallId, toolName, args }: Of<'tool_execution_start'>): void {
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
    this.#writer.write({
      type: 'tool_execution_update',
      call: callId,
      ...(append === undefined ? { partial } : { append }),
    });
  }

  #callEnd({ callId, result, isError, durationMs }: Of<'tool_execution_end'>): void {
    const call = this.#calls.get(callId);
    const recorded = recordedResult(result, this.#blobs);
    if (call) call.result = recorded;
    this.#writer.write({
      type: 'tool_execution_end',
      call: callId,
      isError,
      result: recorded,
      ...(durationMs === undefined ? {} : { durationMs }),
    });
  }

  #step(step: LoopStep): void {
    const { runId, turnId } = step;
    const place: Placed = { run: runId, ...(turnId === undefined ? {} : { turn: turnId }) };
    const call = 'callId' in step && step.callId !== undefined ? { call: step.callId } : {};
    switch (step.type) {
      case 'request':
        return this.#request(step);
      case 'hook': {
        const { name, durationMs } = step;
        const decision = step.decision ? { decision: plainDecision(step.decision) } : {};
        return this.#writer.write({ type: 'hook', ...place, ...call, name, durationMs, ...decision });
      }
      case 'execute': {
        const changed = JSON.stringify(step.args) !== this.#calls.get(step.callId)?.args;
        const args = changed ? { args: cloneable(step.args) as Record<string, unknown> } : {};
        const recorded: RecordedStep = { type: 'execute', toolName: step.toolName, ...args };
        return this.#writer.write({ type: 'step', ...place, ...call, step: recorded });
      }
      default: {
        const { runId: _run, turnId: _turn, ...recorded } = step;
        return this.#writer.write({ type: 'step', ...place, step: recorded });
      }
    }
  }

  #request({ runId, turnId = '', messageId, model, thinkingLevel, context }: LoopStep & { type: 'request' }): void {
    this.#model = modelRef(model);
    const messages = context.messages.map(
      (message) => this.#ids.get(message) ?? messageBody(message, { blobs: this.#blobs }),
    );
    this.#writer.write({
      type: 'request',
      run: runId,
      turn: turnId,
      message: messageId,
      model: this.#model,
      thinkingLevel,
      ...this.#requests.next(messages),
    });
  }

  #idsOf(messages: readonly AgentMessage[]): string[] {
    return messages.flatMap((message) => this.#ids.get(message) ?? []);
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
  const block = event.type === 'toolcall_end' ? event.toolCall : 'partial' in event ? event.partial.content[event.contentIndex] : undefined;
  return block?.type === 'toolCall' ? { toolCallId: block.id, toolName: block.name } : {};
}

function plainDecision<D>(decision: D): D {
  return cloneable(decision) as D;
}
