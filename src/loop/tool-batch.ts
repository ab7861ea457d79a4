import type { AbortGrace } from './abort-grace';
import type { Run, RunEvent } from './run';
import { executeCall, failed, prepareCall, toolGrace } from './tool-call';
import type { CallScope, CallStep, FinishedCall, PreparedCall } from './tool-call';
import type { AssistantMessage, LoopStep, ToolCall, ToolExecutionMode, ToolResultMessage } from './types';

export interface Batch {
  /** One for each call, in the order of the calls. */
  results: ToolResultMessage[];
  /** Every result said that no request should follow. False when there was no call. */
  terminated: boolean;
}

/** A call of the batch, the ids that its events carry, and what it runs in. */
interface BatchCall {
  toolCall: ToolCall;
  ids: { messageId: string; contentIndex: number; callId: string; toolCallId: string; toolName: string };
  scope: CallScope;
}

/** Runs, or refuses, the calls of a finished assistant message. The results are not in the context yet. */
export async function runBatch(run: Run, message: AssistantMessage, messageId: string): Promise<Batch> {
  if (!message.content.some(({ type }) => type === 'toolCall')) return { results: [], terminated: false };
  const grace = toolGrace(run.signal, run.config);
  try {
    const calls = message.content.flatMap((block, contentIndex): BatchCall[] => {
      if (block.type !== 'toolCall') return [];
      const ids = {
        messageId,
        contentIndex,
        callId: run.newId(),
        toolCallId: block.id,
        toolName: block.name,
      };
      return [{ toolCall: block, ids, scope: scopeOf(run, message, ids.callId, grace) }];
    });
    const chosen = message.stopReason === 'length' ? refused : chooseMode(run, calls);
    const report = run.report;
    if (report) await report({ type: 'batch', ...chosen, calls: calls.length });
    if (chosen.mode === 'parallel') return await together(run, calls);
    return await inTurn(run, calls, chosen.mode === 'refused' ? refuse : runCall);
  } finally {
    grace.dispose();
  }
}

type Mode = Pick<LoopStep & { type: 'batch' }, 'mode' | 'why' | 'toolName'>;

const refused: Mode = { mode: 'refused', why: 'length' };

function refuse(_run: Run, { toolCall }: BatchCall): Promise<FinishedCall> {
  const text =
    'the answer was cut off at its token limit, so the arguments may be incomplete. Make the complete call again.';
  return Promise.resolve(failed(toolCall, `This call was not run: ${text}`));
}

async function runCall(run: Run, call: BatchCall): Promise<FinishedCall> {
  const prepared = await prepareCall(call.scope, call.toolCall);
  return 'result' in prepared ? prepared : execute(run, call, prepared);
}

function chooseMode(run: Run, calls: BatchCall[]): Mode {
  const configured: ToolExecutionMode | undefined = run.config.toolExecution;
  if (configured === 'sequential') return { mode: 'sequential', why: 'config' };
  const called = calls.map(({ toolCall }) => run.context.tools?.find(({ name }) => name === toolCall.name));
  const alone = called.find((tool) => tool?.executionMode === 'sequential');
  return alone
    ? { mode: 'sequential', why: 'tool', toolName: alone.name }
    : { mode: 'parallel', why: 'default' };
}

/** One call after the other: each is finished, its message included, before the next starts. */
async function inTurn(run: Run, calls: BatchCall[], finish: typeof runCall): Promise<Batch> {
  const finished: FinishedCall[] = [];
  const results: ToolResultMessage[] = [];
  for (const call of calls) {
    await run.emit(startEvent(call));
    const outcome = await finish(run, call);
    await run.emit(endEvent(call, outcome));
    results.push(await emitResult(run, call, outcome));
    finished.push(outcome);
  }
  return { results, terminated: allTerminate(finished) };
}

/** Prepared in order, executed together, ended as they finish; the messages come in order when all are finished. */
async function together(run: Run, calls: BatchCall[]): Promise<Batch> {
  const ready: (() => Promise<FinishedCall>)[] = [];
  for (const call of calls) {
    await run.emit(startEvent(call));
    const prepared = await prepareCall(call.scope, call.toolCall);
    if ('result' in prepared) {
      await run.emit(endEvent(call, prepared));
      ready.push(() => Promise.resolve(prepared));
    } else {
      ready.push(async () => {
        const outcome = await execute(run, call, prepared);
        await run.emit(endEvent(call, outcome));
        return outcome;
      });
    }
  }
  const finished = await Promise.all(ready.map((start) => start()));
  const results: ToolResultMessage[] = [];
  for (const [index, call] of calls.entries()) {
    const outcome = finished[index];
    if (outcome) results.push(await emitResult(run, call, outcome));
  }
  return { results, terminated: allTerminate(finished) };
}

function execute(
  run: Run,
  { scope, ids, toolCall }: BatchCall,
  prepared: PreparedCall,
): Promise<FinishedCall> {
  return executeCall(scope, prepared, (partialResult) =>
    run.emit({ type: 'tool_execution_update', ...ids, args: toolCall.arguments, partialResult }),
  );
}

function scopeOf(run: Run, assistantMessage: AssistantMessage, callId: string, grace: AbortGrace): CallScope {
  const { context, config, signal, now, report } = run;
  return {
    assistantMessage,
    context,
    tools: context.tools ?? [],
    config,
    grace,
    signal,
    now,
    report: report && ((step: CallStep) => report({ ...step, callId })),
  };
}

function startEvent({ toolCall, ids }: BatchCall): RunEvent {
  return { type: 'tool_execution_start', ...ids, args: toolCall.arguments };
}

function endEvent({ ids }: BatchCall, { result, isError, durationMs }: FinishedCall): RunEvent {
  return {
    type: 'tool_execution_end',
    ...ids,
    result,
    isError,
    ...(durationMs === undefined ? {} : { durationMs }),
  };
}

async function emitResult(run: Run, { ids }: BatchCall, finished: FinishedCall): Promise<ToolResultMessage> {
  const { result, isError, durationMs } = finished;
  const message: ToolResultMessage = {
    role: 'toolResult',
    toolCallId: ids.toolCallId,
    toolName: ids.toolName,
    // Tools of a host need not be typed; a transcript must not carry a result without content.
    content: result.content ?? [],
    ...(result.details === undefined ? {} : { details: result.details }),
    ...(result.usage === undefined ? {} : { usage: result.usage }),
    isError,
    ...(durationMs === undefined ? {} : { durationMs }),
    timestamp: run.now(),
  };
  const event = { messageId: run.newId(), origin: 'toolResult' as const, callId: ids.callId, message };
  await run.emit({ type: 'message_start', ...event });
  await run.emit({ type: 'message_end', ...event });
  return message;
}

function allTerminate(calls: FinishedCall[]): boolean {
  return calls.every(({ result }) => result.terminate === true);
}
