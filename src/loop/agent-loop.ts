import { AgentError } from './errors';
import { EventStream } from './event-stream';
import { Run } from './run';
import type { PendingMessage, RunOptions } from './run';
import { decide, inject, poll, prepareNextTurn, prepareRequest, respond } from './turn';
import type { FinishedTurn } from './turn';
import type {
  AgentContext,
  AgentEvent,
  AgentLoopConfig,
  AgentMessage,
  Emit,
  MessageOrigin,
  StreamFn,
} from './types';

/** How a run begins: with messages of its own, or with the context as it is. */
export interface Start {
  prompts?: readonly PendingMessage[];
  /** The prompts were taken from the steering queue: another poll would take two batches into one turn. */
  skipFirstPoll?: boolean;
}

/**
 * The loop itself. The inner `while` handles what one model response set off: tool results and steering. The outer
 * one answers whether to go on at all.
 */
export async function runLoop(run: Run, { prompts, skipFirstPoll }: Start): Promise<AgentMessage[]> {
  await run.emit({ type: 'agent_start' });
  await run.startTurn();
  if (prompts) await inject(run, [], prompts);
  let pending = skipFirstPoll ? [] : await poll(run, 'steering', 'start');
  let last: FinishedTurn | undefined;
  while (true) {
    let requested = true;
    while (requested || pending.length > 0) {
      let prepared: readonly PendingMessage[] = [];
      if (last) {
        prepared = await prepareNextTurn(run, last);
        if (pending.length === 0) pending = await poll(run, 'steering', 'prepare');
        await run.startTurn();
      }
      await inject(run, prepared, pending);
      await prepareRequest(run);
      last = await respond(run);
      const turnId = await run.endTurn(last);
      const { stopReason } = last.message;
      if (stopReason === 'error' || stopReason === 'aborted' || last.decision === 'end') {
        if (run.report) await run.report(decide('inner', false, last, []), turnId);
        return finish(run);
      }
      pending = await poll(run, 'steering', 'turnEnd', turnId);
      requested = last.toolResults.length > 0 && !last.terminated;
      if (run.report)
        await run.report(decide('inner', requested || pending.length > 0, last, pending), turnId);
    }
    pending = await poll(run, 'followUp', 'stop');
    const again = pending.length > 0 || last?.decision === 'continue';
    if (run.report && last) await run.report(decide('outer', again, last, [], pending.length));
    if (!again) return finish(run);
  }
}

async function finish(run: Run): Promise<AgentMessage[]> {
  await run.emit({ type: 'agent_end', messages: run.newMessages });
  return run.newMessages;
}

/**
 * Runs the loop on new messages and resolves with all that the run has added. `emit` is awaited for each event.
 * Rejects when a hook other than the two around tool calls, the stream function or `emit` throws: no `agent_end` came
 * then, and closing is up to the caller.
 */
export async function runAgentLoop(
  prompts: AgentMessage[],
  context: AgentContext,
  config: AgentLoopConfig,
  emit: Emit,
  signal?: AbortSignal,
  streamFn?: StreamFn,
): Promise<AgentMessage[]> {
  const run = lowLevelRun({ context, config, emit, signal, streamFn });
  return withoutLateEvents(run, { prompts: pendingMessages(run, prompts, 'prompt') });
}

/**
 * Runs the loop on the context as it is, whose last message must be one that a model can answer. Rejects as
 * `runAgentLoop` does, and with an `AgentError` on an empty context or an assistant message at its end.
 */
export async function runAgentLoopContinue(
  context: AgentContext,
  config: AgentLoopConfig,
  emit: Emit,
  signal?: AbortSignal,
  streamFn?: StreamFn,
): Promise<AgentMessage[]> {
  assertContinuable(context);
  return withoutLateEvents(lowLevelRun({ context, config, emit, signal, streamFn }), {});
}

/**
 * `runAgentLoop` as a stream of events. It always ends and its result settles: what breaks the run becomes a failure
 * message. The loop does not wait for the stream's consumer.
 */
export function agentLoop(
  prompts: AgentMessage[],
  context: AgentContext,
  config: AgentLoopConfig,
  signal?: AbortSignal,
  streamFn?: StreamFn,
): EventStream<AgentEvent, AgentMessage[]> {
  return streamed({ context, config, signal, streamFn }, (run) => ({
    prompts: pendingMessages(run, prompts, 'prompt'),
  }));
}

/** `runAgentLoopContinue` as a stream; throws the `AgentError` at once. */
export function agentLoopContinue(
  context: AgentContext,
  config: AgentLoopConfig,
  signal?: AbortSignal,
  streamFn?: StreamFn,
): EventStream<AgentEvent, AgentMessage[]> {
  assertContinuable(context);
  return streamed({ context, config, signal, streamFn }, () => ({}));
}

type LowLevelOptions = Omit<RunOptions, 'poll'>;

function lowLevelRun(options: LowLevelOptions): Run {
  const { config } = options;
  const run: Run = new Run({
    ...options,
    poll: async (queue) => {
      const taken = await (queue === 'steering'
        ? config.getSteeringMessages?.()
        : config.getFollowUpMessages?.());
      return pendingMessages(run, taken ?? [], queue);
    },
  });
  return run;
}

function pendingMessages(
  run: Run,
  messages: readonly AgentMessage[],
  origin: MessageOrigin,
): PendingMessage[] {
  return messages.map((message) => ({ id: run.newId(), origin, message }));
}

async function withoutLateEvents(run: Run, start: Start): Promise<AgentMessage[]> {
  try {
    return await runLoop(run, start);
  } catch (error) {
    run.break(error);
    throw error;
  }
}

function streamed(
  options: Omit<LowLevelOptions, 'emit'>,
  startOf: (run: Run) => Start,
): EventStream<AgentEvent, AgentMessage[]> {
  const stream = new EventStream<AgentEvent, AgentMessage[]>(
    (event) => event.type === 'agent_end',
    (event) => (event.type === 'agent_end' ? event.messages : []),
  );
  const run = lowLevelRun({ ...options, emit: (event) => stream.push(event) });
  runLoop(run, startOf(run)).catch((error: unknown) => {
    for (const event of run.break(error).events) stream.push(event);
  });
  return stream;
}

function assertContinuable({ messages }: AgentContext): void {
  const tail = messages.at(-1);
  if (!tail) throw new AgentError('nothingToContinue', 'Cannot continue: no messages in the context.');
  if (tail.role === 'assistant')
    throw new AgentError('assistantTail', 'Cannot continue from an assistant message.');
}
