/** Calls that a tool's code makes: by the session's rules, and recorded below the call whose code it is. */
import { runToolCall } from '../loop';
import type { Agent, CallStep } from '../loop';
import type { AgentTool, AssistantMessage, Hooks, SetTimer, ToolCall, ToolResult } from '../loop/types';
import { cloneable } from '../store';
import type { NestedCall } from '../tools';
import type { BlobWriter } from './blob-writer';
import { recordedResult } from './bodies';
import { withoutSecrets } from './fetch-permission';
import type { Recorder } from './recorder';

export interface NestedCallsOptions {
  agent: () => Agent;
  /** Of the run that goes on. */
  hooks: () => Pick<Hooks, 'beforeToolCall' | 'afterToolCall'>;
  /** Told when a hook has answered. */
  onHook: (step: CallStep & { type: 'hook' }, call: string) => void;
  recorder: Recorder;
  blobs: BlobWriter;
  newId: () => string;
  /** ms since the epoch. */
  now: () => number;
  setTimer: SetTimer;
}

/** What one call's code may ask for; a loop that never stops asking would fill the session. */
const maxCalls = 1000;

export class NestedCalls {
  readonly #options: NestedCallsOptions;
  readonly #ids = new WeakMap<ToolCall, string>();
  readonly #counts = new Map<string, number>();

  constructor(options: NestedCallsOptions) {
    this.#options = options;
  }

  /** The id of a call that hooks are asked about; `undefined` of the model's own. */
  idOf(toolCall: ToolCall): string | undefined {
    return this.#ids.get(toolCall);
  }

  /** Runs a call that the code of call `parent` makes, with the tools that `toolsFor` gives to it. Never rejects. */
  async run(
    parent: string,
    { name, args }: Pick<NestedCall, 'name' | 'args'>,
    toolsFor: (call: string) => AgentTool[],
    signal?: AbortSignal,
  ): Promise<{ result: ToolResult; isError: boolean }> {
    const count = (this.#counts.get(parent) ?? 0) + 1;
    this.#counts.set(parent, count);
    if (count > maxCalls) return refused(`Code can call tools ${maxCalls} times at most.`);
    const { agent, hooks, onHook, recorder, blobs, newId, now, setTimer } = this.#options;
    const { messages } = agent().state;
    const assistantMessage = messages.findLast(
      (message): message is AssistantMessage => message.role === 'assistant',
    );
    if (!assistantMessage) return refused('No run goes on.');
    const call = newId();
    const toolCall: ToolCall = { type: 'toolCall', id: call, name, arguments: plainArguments(args) };
    this.#ids.set(toolCall, call);
    recorder.write({
      type: 'nested_call_start',
      call,
      parent,
      toolName: name,
      args: cloneable(withoutSecrets(toolCall.arguments)) as Record<string, unknown>,
    });
    const tools = toolsFor(call);
    const { result, isError, durationMs } = await runToolCall(toolCall, {
      ...hooks(),
      onStep: (step) => (step.type === 'hook' ? onHook(step, call) : undefined),
      assistantMessage,
      context: { messages, tools },
      now,
      setTimer,
      ...(signal ? { signal } : {}),
    });
    recorder.write({
      type: 'nested_call_end',
      call,
      isError,
      result: recordedResult(result, blobs),
      ...(durationMs === undefined ? {} : { durationMs }),
    });
    return { result, isError };
  }
}

function refused(text: string): { result: ToolResult; isError: boolean } {
  return { result: { content: [{ type: 'text', text }] }, isError: true };
}

/** Code may give anything. */
function plainArguments(args: unknown): Record<string, unknown> {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return {};
  return args as Record<string, unknown>;
}
