/** What the lines of the code made in this turn, and what the lit line looked at. Texts are code: the same in all languages. */
import type { LoopBatch } from './loop-batch';
import { endsRun, type Decide, type Mark } from './loop-marks';
import type { LoopLine } from './loop-stations';
import type { MessageNode } from './types';

export type LoopValues = Partial<Record<LoopLine, string>>;

export interface LoopCondition {
  /** Names and values, in the order of the line. */
  terms: [name: string, value: string][];
  result: boolean;
}

export function loopValues(
  marks: Mark[],
  answer: MessageNode | undefined,
  batch: LoopBatch | undefined,
): LoopValues {
  const values: LoopValues = {};
  for (const mark of marks) Object.assign(values, markValues(mark));
  if (answer) values.stream = streamValue(answer);
  if (batch) {
    const { done, calls, asksForMore } = batch;
    values.tools = done < calls.length ? `${done} of ${calls.length}` : String(done);
    if (done === calls.length) values.more = asksForMore ? 'true' : 'false: all terminate';
  }
  return values;
}

function streamValue(answer: MessageNode): string {
  const { stopReason } = answer;
  return stopReason === 'length' ? 'length: cut off' : (stopReason ?? `${deltasOf(answer)} deltas`);
}

export function markValues({ line, poll, inject, hook, decide }: Mark): LoopValues {
  if (poll) return { [line]: String(poll.count) };
  if (inject) return { [line]: inject.tools ? `${inject.count} + tools` : String(inject.count) };
  if (hook && line !== 'tools' && line !== 'stream') return { [line]: hookValue(hook) };
  return decide ? decideValues(decide) : {};
}

function hookValue({ decision }: NonNullable<Mark['hook']>): string {
  if (!decision) return 'none';
  const { action, messages, replaced = [], error } = decision;
  if (error !== undefined) return 'error';
  const parts = [...(action ? [action] : []), ...(messages ? [`+${messages}`] : []), ...replaced];
  return parts.length === 0 ? 'none' : parts.join(', ');
}

function decideValues(decide: Decide): LoopValues {
  const { loop, go, values } = decide;
  if (endsRun(decide)) return { broken: 'true' };
  if (loop === 'inner') return { more: moreOf(values), broken: 'false', while: String(go) };
  if ((values.followUps ?? 0) > 0) return { again: 'true' };
  return { again: 'false', continued: String(go) };
}

/** Whether the batch of the turn asks for another request. */
function moreOf({ toolResults, terminated }: Decide['values']): string {
  if (toolResults === 0) return 'false';
  return terminated ? 'false: all terminate' : 'true';
}

/** Stream events so far. */
export function deltasOf({ blocks }: MessageNode): number {
  return blocks.reduce((sum, { deltas }) => sum + deltas, 0);
}

export function loopCondition(decide: Decide): LoopCondition {
  const { loop, go, values } = decide;
  const { stopReason, pending, followUps = 0, finishTurn = 'none' } = values;
  if (endsRun(decide))
    return {
      terms: [
        ['reply', stopReason],
        ['decision', finishTurn],
      ],
      result: true,
    };
  if (loop === 'inner') {
    return {
      terms: [
        ['more', moreOf(values)],
        ['pending', String(pending)],
      ],
      result: go,
    };
  }
  if (followUps > 0) return { terms: [['pending', String(followUps)]], result: true };
  return { terms: [['decision', finishTurn]], result: go };
}
