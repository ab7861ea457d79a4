import type {
  AgentTool,
  AssistantMessage,
  AssistantMessageEvent,
  AssistantMessageEventStream,
  Model,
  ToolCall,
  ToolResult,
} from '../index';

type Block = AssistantMessage['content'][number];

/** One answer of the scripted model. */
export interface ScriptedTurn {
  blocks: Block[];
  stopReason: 'stop' | 'length' | 'toolUse' | 'error' | 'aborted';
  errorMessage?: string;
  /** Whether there are a start event and deltas, or the final message alone. */
  start: boolean;
  end: 'done' | 'silent';
  /** Characters in a delta. */
  chunk: number;
  /** ms before each delta. */
  gap?: number;
  /** ms before anything. */
  pause?: number;
  /** The stream function itself throws this. */
  throws?: string;
}
export interface ScriptedTool {
  name: string;
  /** ms until it settles. */
  delay: number;
  mode?: 'parallel' | 'sequential';
  updates?: number;
  outcome: 'ok' | 'throw' | 'throwString' | 'isError' | 'terminate' | 'noContent';
  prepare?: 'add' | 'throw';
  honourAbort?: boolean;
  lateUpdate?: boolean;
  schema?: object;
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A stream that plays one turn, looks at the signal before each delta and keeps the contract of stream functions. */
export function scriptedStream(
  turn: ScriptedTurn,
  model: Model,
  signal?: AbortSignal,
): AssistantMessageEventStream {
  const partial: AssistantMessage = {
    role: 'assistant',
    content: [],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: {
      input: 1,
      output: 1,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 2,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    stopReason: 'pending',
    timestamp: 1_700_000_000_000,
  };
  let settle!: (message: AssistantMessage) => void;
  const result = new Promise<AssistantMessage>((resolve) => {
    settle = resolve;
  });
  const aborted = (): AssistantMessageEvent => {
    const content = structuredClone(partial.content);
    const error: AssistantMessage = {
      ...partial,
      content,
      stopReason: 'aborted',
      errorMessage: 'Request was aborted',
    };
    settle(error);
    return { type: 'error', reason: 'aborted', error };
  };
  async function* events(): AsyncGenerator<AssistantMessageEvent, void> {
    if (turn.pause) await sleep(turn.pause);
    if (signal?.aborted) {
      yield aborted();
      return;
    }
    if (turn.start) {
      yield { type: 'start', partial };
      for (const [index, block] of turn.blocks.entries()) {
        const finished = yield* blockEvents(partial, index, structuredClone(block), turn.chunk, async () => {
          if (turn.gap) await sleep(turn.gap);
          return !signal?.aborted;
        });
        if (!finished) {
          yield aborted();
          return;
        }
      }
    }
    const { stopReason } = turn;
    const errorMessage = turn.errorMessage ? { errorMessage: turn.errorMessage } : {};
    const message: AssistantMessage = {
      ...partial,
      content: structuredClone(turn.blocks),
      stopReason,
      ...errorMessage,
    };
    settle(message);
    if (turn.end === 'silent') return;
    if (stopReason === 'error' || stopReason === 'aborted')
      yield { type: 'error', reason: stopReason, error: message };
    else yield { type: 'done', reason: stopReason, message };
  }
  return { [Symbol.asyncIterator]: events, result: () => result };
}

/** The partial grows with each event. Stops in the middle when `mayGoOn` says so before a delta. */
async function* blockEvents(
  partial: AssistantMessage,
  contentIndex: number,
  block: Block,
  chunk: number,
  mayGoOn: () => Promise<boolean>,
): AsyncGenerator<AssistantMessageEvent, boolean> {
  const live = emptied(block);
  partial.content = [...partial.content, live];
  const prefix = block.type === 'toolCall' ? 'toolcall' : block.type;
  yield { type: `${prefix}_start`, contentIndex, partial };
  const whole = textOf(block);
  for (let at = 0; at < whole.length; at += chunk) {
    if (!(await mayGoOn())) return false;
    const delta = whole.slice(at, at + chunk);
    if (live.type === 'text') live.text += delta;
    if (live.type === 'thinking') live.thinking += delta;
    yield { type: `${prefix}_delta`, contentIndex, delta, partial };
  }
  if (block.type === 'toolCall') {
    (live as ToolCall).arguments = block.arguments;
    yield { type: 'toolcall_end', contentIndex, toolCall: block, partial };
  } else {
    yield { type: `${block.type}_end`, contentIndex, content: whole, partial };
  }
  return true;
}

function emptied(block: Block): Block {
  if (block.type === 'text') return { type: 'text', text: '' };
  if (block.type === 'thinking') return { type: 'thinking', thinking: '' };
  return { type: 'toolCall', id: block.id, name: block.name, arguments: {} };
}

function textOf(block: Block): string {
  if (block.type === 'text') return block.text;
  return block.type === 'thinking' ? block.thinking : JSON.stringify(block.arguments);
}

/** A tool that does what the scenario says, and logs the arguments that it ran with. */
export function scriptedTool(spec: ScriptedTool, log: string[]): AgentTool {
  const tool: AgentTool = {
    name: spec.name,
    label: spec.name,
    description: `tool ${spec.name}`,
    parameters: spec.schema ?? {
      type: 'object',
      properties: { value: { type: 'string' } },
      required: ['value'],
    },
    execute: async (id, args, signal, onUpdate) => {
      const progress = (text: string, details: object) =>
        onUpdate?.({ content: [{ type: 'text', text }], details });
      log.push(`execute ${id} ${spec.name} ${JSON.stringify(args)}`);
      for (let i = 0; i < (spec.updates ?? 0); i++) progress(`${id} progress ${i}`, { i });
      await sleep(spec.delay);
      if (spec.honourAbort && signal?.aborted) throw new Error('tool saw abort');
      if (spec.outcome === 'throw') throw new Error(`${spec.name} failed`);
      // What is not an Error is a case of its own.
      // eslint-disable-next-line @typescript-eslint/only-throw-error
      if (spec.outcome === 'throwString') throw `${spec.name} threw text`;
      if (spec.lateUpdate) setTimeout(() => progress('too late', {}), 1);
      const details = { name: spec.name };
      // Untyped tools can leave the content out.
      if (spec.outcome === 'noContent') return { details } as unknown as ToolResult;
      return {
        content: [{ type: 'text', text: `${id} ok ${JSON.stringify(args)}` }],
        details,
        ...(spec.outcome === 'isError' ? { isError: true } : {}),
        ...(spec.outcome === 'terminate' ? { terminate: true } : {}),
      };
    },
  };
  if (spec.mode) tool.executionMode = spec.mode;
  if (spec.prepare) {
    tool.prepareArguments = (raw) => {
      if (spec.prepare === 'throw') throw new Error('prepare failed');
      const args = raw as { value?: string };
      return { ...args, value: `${args.value ?? ''}+prepared` };
    };
  }
  return tool;
}
