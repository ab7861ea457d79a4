import { askHook, decisionOf } from './hook-step';
import { modelResponse } from './model-response';
import type { PendingMessage, Run, RunStep } from './run';
import { runBatch } from './tool-batch';
import type { Batch } from './tool-batch';
import { declareTools } from './transcript';
import type { LoopStep, QueueName, Turn } from './types';

/** A turn that has ended, and what the loop decides by. */
export interface FinishedTurn extends Turn, Pick<Batch, 'terminated'> {
  decision: 'continue' | 'end' | undefined;
}

/** One request with what it sets off: the model's answer, its tool batch and the decision of `finishTurn`. */
export async function respond(run: Run): Promise<FinishedTurn> {
  const { message, messageId } = await modelResponse(run);
  const isBroken = message.stopReason === 'error' || message.stopReason === 'aborted';
  const { results, terminated }: Batch = isBroken
    ? { results: [], terminated: false }
    : await runBatch(run, message, messageId);
  run.context.messages.push(...results);
  run.newMessages.push(...results);
  const turn: Turn = { message, toolResults: results, context: run.context, newMessages: run.newMessages };
  const answer = run.config.finishTurn
    ? await askHook(
        run,
        'finishTurn',
        () => run.config.finishTurn?.(turn, run.signal),
        (said) => said && { action: said.action },
      )
    : undefined;
  return { ...turn, terminated, decision: answer?.action };
}

/** Takes what is queued for this point of the loop. */
export async function poll(
  run: Run,
  queue: QueueName,
  at: (LoopStep & { type: 'poll' })['at'],
  turnId?: string,
): Promise<readonly PendingMessage[]> {
  const taken = await run.poll(queue);
  if (run.report) await run.report({ type: 'poll', queue, at, count: taken.length }, turnId);
  return taken;
}

/** Adds to the context what joins it now, led by what the model must be told of changed tools. */
export async function inject(
  run: Run,
  prepared: readonly PendingMessage[],
  pending: readonly PendingMessage[],
): Promise<void> {
  const given = [...prepared, ...pending];
  const joining = declareTools(
    run.context.messages,
    given,
    run.context.tools ?? [],
    (message): PendingMessage => ({ id: run.newId(), origin: 'tools', message }),
    run.now,
  );
  const tools = joining.some(({ message }) => 'toolsAdded' in message || 'toolsRemoved' in message);
  if (run.report)
    await run.report({ type: 'inject', prepared: prepared.length, pending: pending.length, tools });
  for (const message of joining) await run.addMessage(message);
}

/** Asks the hook before every turn but the first; what it replaced is taken over, what it appends is returned. */
export async function prepareNextTurn(run: Run, turn: Turn): Promise<PendingMessage[]> {
  const { config } = run;
  if (!config.prepareNextTurn) return [];
  const update = await askHook(run, 'prepareNextTurn', () => config.prepareNextTurn?.(turn), decisionOf);
  run.apply(update);
  return (update?.messages ?? []).map((message) => ({ id: run.newId(), origin: 'prepareNextTurn', message }));
}

/** Asks the hook before every request. */
export async function prepareRequest(run: Run): Promise<void> {
  const { config, context, model, reasoning, signal } = run;
  if (!config.prepareRequest) return;
  const request = { context, model, thinkingLevel: reasoning ?? 'off' } as const;
  run.apply(await askHook(run, 'prepareRequest', () => config.prepareRequest?.(request, signal), decisionOf));
}

/** The step that says why the loop goes on or stops. */
export function decide(
  loop: 'inner' | 'outer',
  go: boolean,
  { message, toolResults, terminated, decision }: FinishedTurn,
  pending: readonly PendingMessage[],
  followUps?: number,
): RunStep {
  return {
    type: 'decide',
    loop,
    go,
    values: {
      stopReason: message.stopReason,
      toolResults: toolResults.length,
      terminated,
      pending: pending.length,
      ...(followUps === undefined ? {} : { followUps }),
      ...(decision ? { finishTurn: decision } : {}),
    },
  };
}
