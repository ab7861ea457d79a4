/** Writes valid record lists for tests: each method appends what a real session would record there. */
import type { LoopStep, MessageOrigin, QueueChange, QueueName, StopReason, Usage } from '../../loop/types';
import type {
  AssistantBody,
  MessageBody,
  ModelRef,
  RecordBody,
  RecordedResult,
  RecordedStep,
  StreamedBlock,
  TraceRecord,
} from '../../records/types';
import { emptyUsage } from '../nodes';

export const MODEL: ModelRef = { api: 'scripted', provider: 'scripted', id: 'scripted-1', baseUrl: '' };

export type SpokenBlock = { type: 'text'; text: string } | { type: 'thinking'; text: string };
export interface SpokenCall {
  type: 'toolCall';
  name: string;
  arguments: Record<string, unknown>;
}
export interface Spoken {
  blocks: (SpokenBlock | SpokenCall)[];
  stopReason?: StopReason;
  errorMessage?: string;
  /** Characters per delta; 0: the message comes whole, without deltas. */
  chunk?: number;
  /** Tokens of its answer. */
  output?: number;
}
export type DecideValues = Extract<LoopStep, { type: 'decide' }>['values'];

export class Recording {
  readonly records: TraceRecord[] = [];
  /** What each request carried, as ids. */
  readonly requestLists: string[][] = [];
  /** What is in the transcript and the queues now, as ids. */
  readonly transcript: string[] = [];
  readonly queues: Record<QueueName, string[]> = { steering: [], followUp: [] };
  #at = 0;
  #ids = 0;

  /** Appends a record `wait` ms after the one before. */
  add(body: RecordBody, wait = 1): void {
    this.#at += wait;
    this.records.push({ seq: this.records.length + 1, at: this.#at, ...body });
  }

  id(prefix: string): string {
    return `${prefix}${++this.#ids}`;
  }

  startRun(how: 'prompt' | 'request' | 'steering' | 'followUp' = 'prompt'): string {
    const run = this.id('run');
    this.add({ type: 'agent_start', run, how });
    return run;
  }

  endRun(run: string, messages: string[] = []): void {
    this.add({ type: 'agent_end', run, messages });
    this.add({ type: 'settled', run });
  }

  startTurn(run: string): string {
    const turn = this.id('turn');
    this.add({ type: 'turn_start', turn, run });
    return turn;
  }

  step(run: string, turn: string | undefined, step: RecordedStep): void {
    this.add({ type: 'step', run, ...(turn === undefined ? {} : { turn }), step }, 0);
  }

  decide(
    run: string,
    turn: string | undefined,
    loop: 'inner' | 'outer',
    go: boolean,
    values: Partial<DecideValues>,
  ): void {
    const all = { stopReason: 'stop' as const, toolResults: 0, terminated: false, pending: 0, ...values };
    this.step(run, turn, { type: 'decide', loop, go, values: all });
  }

  /** A message that comes whole. */
  message(
    place: { turn?: string; origin: MessageOrigin | 'history' | 'interrupted'; call?: string },
    body: MessageBody,
    id = this.id('message'),
  ): string {
    this.add({ type: 'message_start', message: id, role: body.role, ...place });
    this.add({ type: 'message_end', message: id, body }, 0);
    this.transcript.push(id);
    return id;
  }

  user(turn: string, text: string, origin: MessageOrigin = 'prompt', id?: string): string {
    return this.message({ turn, origin }, userBody(text), id);
  }

  /** A request that carries `list` (default: the transcript). Returns the id of the message that will answer. */
  request(run: string, turn: string, list = [...this.transcript]): string {
    const message = this.id('message');
    const before = this.requestLists.at(-1) ?? [];
    const skip = Math.max(0, before.indexOf(list[0] ?? ''));
    let keep = 0;
    while (keep < list.length && before[skip + keep] === list[keep]) keep++;
    this.requestLists.push(list);
    const change = { skip, keep, add: list.slice(keep) };
    this.add({ type: 'request', run, turn, message, model: MODEL, thinkingLevel: 'off', ...change });
    return message;
  }

  /** What the model says: deltas and the message's end. Returns its id. */
  assistant(run: string, turn: string, spoken: Spoken): string {
    const message = this.request(run, turn);
    this.add({ type: 'message_start', message, turn, role: 'assistant', origin: 'model', model: MODEL }, 50);
    this.stream(message, spoken);
    this.add({ type: 'message_end', message, body: assistantBody(spoken, message) });
    this.transcript.push(message);
    return message;
  }

  /** The message that closes a run which something broke. */
  failure(turn: string, spoken: Spoken): string {
    const id = this.id('message');
    return this.message({ turn, origin: 'failure' }, assistantBody(spoken, id), id);
  }

  stream(message: string, { blocks, chunk = 8 }: Spoken): void {
    if (chunk === 0) return;
    for (const [index, block] of blocks.entries()) {
      const kind = block.type === 'toolCall' ? 'toolcall' : block.type;
      const text = block.type === 'toolCall' ? JSON.stringify(block.arguments) : block.text;
      const named =
        block.type === 'toolCall' ? { toolCallId: `${message}-${index}`, toolName: block.name } : {};
      this.add({ type: 'message_update', message, index, event: `${kind}_start`, ...named });
      for (let at = 0; at < text.length; at += chunk) {
        const delta = text.slice(at, at + chunk);
        this.add({ type: 'message_update', message, index, event: `${kind}_delta`, delta, joined: 2 }, 16);
      }
      this.add({ type: 'message_update', message, index, event: `${kind}_end` }, 0);
    }
  }

  startCall(run: string, turn: string, message: string, index: number, toolName: string): string {
    const call = this.id('call');
    const toolCallId = `${message}-${index}`;
    this.add({ type: 'tool_execution_start', call, turn, message, index, toolCallId, toolName });
    this.add({ type: 'step', run, turn, call, step: { type: 'execute', toolName } });
    return call;
  }

  endCall(call: string, text: string, isError = false, more: Partial<RecordedResult> = {}): void {
    const result = { content: [{ type: 'text' as const, text }], ...more };
    this.add({ type: 'tool_execution_end', call, isError, durationMs: 40, result }, 40);
  }

  startNested(parent: string, toolName: string, args: Record<string, unknown> = { path: 'n.txt' }): string {
    const call = this.id('call');
    this.add({ type: 'nested_call_start', call, parent, toolName, args }, 5);
    return call;
  }

  endNested(call: string, text: string, isError = false): void {
    const result = { content: [{ type: 'text' as const, text }] };
    this.add({ type: 'nested_call_end', call, isError, durationMs: 10, result }, 10);
  }

  /** The result's message; its content is the call's. */
  result(turn: string, call: string, toolName: string, isError = false): string {
    return this.message(
      { turn, origin: 'toolResult', call },
      { role: 'toolResult', toolCallId: call, toolName, isError, timestamp: 1 },
    );
  }

  endTurn(turn: string, message: string, toolResults: string[] = []): void {
    this.add({ type: 'turn_end', turn, message, toolResults });
  }

  enqueue(queue: QueueName, text: string): string {
    const id = this.id('queued');
    const index = this.queues[queue].push(id) - 1;
    this.add({ type: 'queue', queue, why: 'enqueue', add: [{ id, message: userBody(text), index }] }, 5);
    return id;
  }

  unqueue(queue: QueueName, why: QueueChange, ids: string[]): void {
    this.queues[queue] = this.queues[queue].filter((id) => !ids.includes(id));
    this.add({ type: 'queue', queue, why, remove: ids }, 5);
  }
}

export function userBody(text: string): MessageBody {
  return { role: 'user', content: text, timestamp: 1 };
}

/** The body as it is recorded after its deltas: blocks that streamed only say so. */
function assistantBody(spoken: Spoken, message: string): AssistantBody {
  const { blocks, chunk = 8, errorMessage } = spoken;
  const asked = blocks.some((block) => block.type === 'toolCall');
  return {
    role: 'assistant',
    content: blocks.map((block, index) =>
      chunk === 0 ? whole(block, index, message) : streamed(block, index, message),
    ),
    api: MODEL.api,
    provider: MODEL.provider,
    model: MODEL.id,
    usage: tokens(spoken.output ?? 10),
    stopReason: spoken.stopReason ?? (asked ? 'toolUse' : 'stop'),
    ...(errorMessage === undefined ? {} : { errorMessage }),
    timestamp: 1,
  };
}

function streamed(block: SpokenBlock | SpokenCall, index: number, message: string): StreamedBlock {
  if (block.type === 'toolCall')
    return { type: 'toolCall', id: `${message}-${index}`, name: block.name, streamed: true };
  return { type: block.type, streamed: true };
}

function whole(
  block: SpokenBlock | SpokenCall,
  index: number,
  message: string,
): AssistantBody['content'][number] {
  if (block.type === 'text') return { type: 'text', text: block.text };
  if (block.type === 'thinking') return { type: 'thinking', thinking: block.text };
  return { type: 'toolCall', id: `${message}-${index}`, name: block.name, arguments: block.arguments };
}

function tokens(output: number): Usage {
  return { ...emptyUsage(), input: 100, output, totalTokens: 100 + output };
}
