import { AbortGrace, abandoned } from './abort-grace';
import { errorText } from './errors';
import { askHook } from './hook-step';
import type { RunStep } from './run';
import type {
  AgentContext,
  AgentLoopConfig,
  AgentTool,
  AssistantMessage,
  CallInfo,
  HookDecision,
  ToolCall,
  ToolResult,
} from './types';
import { validateArguments } from './validate';

const ABORT_GRACE_MS = 2000;

/** The bound for tools that ignore an abort. Its owner disposes it. */
export function toolGrace(
  signal: AbortSignal | undefined,
  { abortGraceMs = ABORT_GRACE_MS, setTimer }: Pick<AgentLoopConfig, 'abortGraceMs' | 'setTimer'>,
): AbortGrace {
  return new AbortGrace(signal, abortGraceMs, setTimer);
}

/** What a call runs in: where its tools and hooks come from, and who is told. */
export interface CallScope {
  assistantMessage: AssistantMessage;
  context: AgentContext;
  tools: readonly AgentTool[];
  config: Pick<AgentLoopConfig, 'beforeToolCall' | 'afterToolCall'>;
  grace: AbortGrace;
  signal: AbortSignal | undefined;
  now: () => number;
  report?: ((step: CallStep) => Promise<void>) | undefined;
}
type Unnumbered<S> = S extends unknown ? Omit<S, 'callId'> : never;
/** Steps before the batch adds which call they belong to. */
export type CallStep = Unnumbered<Extract<RunStep, { type: 'hook' | 'execute' }>>;

/** A call with its final result; `durationMs` only when its tool ran. */
export interface FinishedCall {
  toolCall: ToolCall;
  result: ToolResult;
  isError: boolean;
  durationMs?: number;
}
/** A call that passed every check, with the arguments that it runs with. */
export interface PreparedCall {
  toolCall: ToolCall;
  tool: AgentTool;
  args: Record<string, unknown>;
}

/** Checks a call as far as its execution: either it is ready, or it is finished without having run. Never rejects for the call's own failures. */
export async function prepareCall(
  scope: CallScope,
  toolCall: ToolCall,
): Promise<PreparedCall | FinishedCall> {
  if (scope.signal?.aborted) return notRun(toolCall);
  const tool = scope.tools.find(({ name }) => name === toolCall.name);
  if (!tool) {
    const names = scope.tools.map(({ name }) => name).join(', ');
    return failed(
      toolCall,
      `Unknown tool "${toolCall.name}". ${names ? `There are: ${names}.` : 'There are no tools.'}`,
    );
  }
  if (toolCall.argumentsError !== undefined) {
    return failed(toolCall, `Invalid arguments for tool "${tool.name}": ${toolCall.argumentsError}`);
  }
  let args: Record<string, unknown>;
  try {
    const raw = tool.prepareArguments ? tool.prepareArguments(toolCall.arguments) : toolCall.arguments;
    args = validateArguments(tool, raw);
  } catch (error) {
    return failed(toolCall, errorText(error));
  }
  return (await askBefore(scope, toolCall, args)) ?? { toolCall, tool, args };
}

async function askBefore(
  scope: CallScope,
  toolCall: ToolCall,
  args: Record<string, unknown>,
): Promise<FinishedCall | undefined> {
  const { config, signal } = scope;
  if (!config.beforeToolCall) return undefined;
  const argsBefore = scope.report && JSON.stringify(args);
  let answer: Awaited<ReturnType<NonNullable<typeof config.beforeToolCall>>>;
  try {
    answer = await askHook(
      scope,
      'beforeToolCall',
      () => config.beforeToolCall?.(callInfo(scope, toolCall, args), signal),
      (said) =>
        decision({
          block: said?.block,
          reason: said?.reason,
          terminate: said?.terminate,
          replaced: JSON.stringify(args) === argsBefore ? undefined : ['args'],
        }),
    );
  } catch (error) {
    return failed(toolCall, errorText(error));
  }
  if (signal?.aborted) return notRun(toolCall);
  if (!answer?.block) return undefined;
  const blocked = failed(toolCall, answer.reason || 'Tool call was blocked.');
  if (answer.terminate) blocked.result.terminate = true;
  return blocked;
}

/**
 * Runs a prepared call and asks `afterToolCall`. `onUpdate` is waited for before the call counts as finished and is
 * not called after that; what it rejects with is passed on, since that breaks the run and not the call.
 */
export async function executeCall(
  scope: CallScope,
  call: PreparedCall,
  onUpdate: ((partial: ToolResult) => Promise<void> | void) | undefined,
): Promise<FinishedCall> {
  const { report, signal } = scope;
  if (report)
    await report({
      type: 'execute',
      toolCallId: call.toolCall.id,
      toolName: call.tool.name,
      args: call.args,
    });
  // Other calls and whoever held the step above had time to abort.
  if (signal?.aborted) return notRun(call.toolCall);
  const updates: Promise<void>[] = [];
  let settled = false;
  const startedAt = scope.now();
  const outcome = await settleTool(scope, call, (partial) => {
    if (settled) return;
    const told = (async () => onUpdate?.(partial))();
    // Waited for below, when the tool has settled; until then a rejection must not count as unhandled.
    told.catch(() => undefined);
    updates.push(told);
  });
  settled = true;
  const durationMs = Math.max(0, Math.round(scope.now() - startedAt));
  await Promise.all(updates);
  return { ...(await askAfter(scope, call, outcome)), durationMs };
}

/** The tool's own outcome: what it throws is an error result, and so is ignoring an abort. */
async function settleTool(
  { grace, signal }: CallScope,
  { tool, toolCall, args }: PreparedCall,
  onUpdate: (partial: ToolResult) => void,
): Promise<FinishedCall> {
  try {
    const result = await grace.race((async () => tool.execute(toolCall.id, args, signal, onUpdate))());
    if (result === abandoned) {
      return failed(toolCall, `Aborted: tool "${tool.name}" did not stop in time and may still be working.`);
    }
    // Tools of a host need not be typed.
    if (typeof result !== 'object' || (result as unknown) === null)
      return failed(toolCall, `Tool "${tool.name}" returned no result.`);
    return { toolCall, result, isError: result.isError === true };
  } catch (error) {
    return failed(toolCall, errorText(error));
  }
}

async function askAfter(scope: CallScope, call: PreparedCall, outcome: FinishedCall): Promise<FinishedCall> {
  const { config, signal } = scope;
  const { toolCall, result, isError } = outcome;
  if (!config.afterToolCall) return outcome;
  try {
    const changes = await askHook(
      scope,
      'afterToolCall',
      () => config.afterToolCall?.({ ...callInfo(scope, toolCall, call.args), result, isError }, signal),
      (said) => {
        const replaced = Object.keys(given(said ?? {})).filter((field) => field !== 'terminate');
        return decision({ replaced: replaced.length > 0 ? replaced : undefined, terminate: said?.terminate });
      },
    );
    if (!changes) return outcome;
    const changed: ToolResult = { ...result, ...given(changes) };
    // Structured content that was not replaced along with the text may no longer say the same.
    if (changes.content && changes.structuredContent === undefined) delete changed.structuredContent;
    return { toolCall, result: changed, isError: changes.isError ?? isError };
  } catch (error) {
    return failed(toolCall, errorText(error));
  }
}

function callInfo(
  { assistantMessage, context }: CallScope,
  toolCall: ToolCall,
  args: Record<string, unknown>,
): CallInfo {
  return { assistantMessage, toolCall, args, context };
}

/** A call's error result, for the model to read. */
export function failed(toolCall: ToolCall, text: string): FinishedCall {
  return { toolCall, result: { content: [{ type: 'text', text }], details: {} }, isError: true };
}

function notRun(toolCall: ToolCall): FinishedCall {
  return failed(toolCall, 'Tool call was aborted: it was not run.');
}

type Given<T> = { [Field in keyof T]?: Exclude<T[Field], undefined> };

/** Only the fields that have a value: one that is `undefined` must not replace anything. */
function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}

function decision(said: { [Field in keyof HookDecision]: HookDecision[Field] | undefined }):
  HookDecision | undefined {
  const fields = given(said);
  return Object.keys(fields).length > 0 ? fields : undefined;
}

export type RunToolCallOptions = Pick<
  AgentLoopConfig,
  'beforeToolCall' | 'afterToolCall' | 'abortGraceMs' | 'setTimer' | 'now'
> & {
  /** The message whose call asked for this one. */
  assistantMessage: AssistantMessage;
  context: AgentContext;
  /** What can be called; the context's tools when absent. */
  tools?: AgentTool[];
  signal?: AbortSignal;
  onUpdate?: (partial: ToolResult) => void;
  /** Told of its hooks and of its execution, as a run tells them; awaited. */
  onStep?: (step: CallStep) => Promise<void> | void;
};

/**
 * Runs a call that a tool makes: the same checks and hooks as for a model's call, but no events and no messages.
 * Never rejects: whatever goes wrong is an error result.
 */
export async function runToolCall(toolCall: ToolCall, options: RunToolCallOptions): Promise<FinishedCall> {
  const { onStep } = options;
  const scope: CallScope = {
    assistantMessage: options.assistantMessage,
    context: options.context,
    tools: options.tools ?? options.context.tools ?? [],
    config: options,
    grace: toolGrace(options.signal, options),
    signal: options.signal,
    now: options.now ?? Date.now,
    ...(onStep ? { report: async (step) => onStep(step) } : {}),
  };
  try {
    const prepared = await prepareCall(scope, toolCall);
    return 'result' in prepared ? prepared : await executeCall(scope, prepared, options.onUpdate);
  } catch (error) {
    return failed(toolCall, errorText(error));
  } finally {
    scope.grace.dispose();
  }
}
