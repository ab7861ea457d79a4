/** An answer as it is read: its texts, its thoughts, and its calls, each of these with what becomes of it. */
import { errorText, m } from '../../i18n';
import { blockText, isWholeAssistant, messageOf } from '../../trace';
import type { CallNode, MessageNode, Trace } from '../../trace';

export type AnswerPart =
  | { type: 'text'; text: string; last: boolean }
  | { type: 'thinking'; text: string; took: number | undefined }
  | {
      type: 'call';
      name: string;
      args: unknown;
      /** What the model wrote for arguments, where it cannot be read. */
      unread: string | undefined;
      /** Once the call began. */
      call: CallNode | undefined;
      /** Of a call that has not begun: it is still written, waits for what comes before it, or will never run. */
      before: 'writing' | 'waiting' | 'never';
    };

/** Its parts so far, in order. */
export function answerParts(trace: Trace, node: MessageNode): AnswerPart[] {
  const whole = messageOf(trace, node.id);
  if (!whole || !isWholeAssistant(whole)) return [];
  return whole.content.map((block, index): AnswerPart => {
    if (block.type === 'text')
      return { type: 'text', text: block.text, last: index === whole.content.length - 1 };
    const streamed = node.blocks[index];
    if (block.type === 'thinking') {
      const took = streamed?.endAt === undefined ? undefined : streamed.endAt - streamed.at;
      return { type: 'thinking', text: block.thinking, took };
    }
    const isUnread = block.argumentsError !== undefined && Object.keys(block.arguments).length === 0;
    return {
      type: 'call',
      name: block.name,
      args: block.arguments,
      unread: isUnread && streamed ? blockText(streamed) : undefined,
      call: callAt(trace, node, index),
      before: beforeIt(trace, node, index),
    };
  });
}

/** There is something to read of it. */
export function isSeen(part: AnswerPart): boolean {
  return part.type === 'call' || part.text.trim() !== '';
}

/** How an answer ended that is not simply complete. */
export function answerEnd(trace: Trace, node: MessageNode): string | undefined {
  if (node.status === 'aborted') return m.message_aborted();
  if (node.status === 'interrupted') return m.message_interrupted();
  if (node.status === 'done' && node.stopReason === 'length') return m.message_cut_off();
  if (node.status !== 'error') return undefined;
  const whole = messageOf(trace, node.id);
  if (!whole || !isWholeAssistant(whole)) return m.message_failed();
  const { errorCode, errorMessage, errorParams } = whole;
  if (errorCode)
    return errorText({ code: errorCode, params: { detail: errorMessage ?? '', ...errorParams } });
  return errorMessage ?? m.message_failed();
}

function callAt(trace: Trace, node: MessageNode, index: number): CallNode | undefined {
  for (const id of node.calls) {
    const call = trace.calls.get(id);
    if (call?.index === index) return call;
  }
  return undefined;
}

function beforeIt(trace: Trace, { status, turn, blocks }: MessageNode, index: number) {
  if (status === 'streaming') return blocks[index]?.endAt === undefined ? 'writing' : 'waiting';
  const isOver = turn === undefined || trace.turns.get(turn)?.endSeq !== undefined;
  return status === 'done' && !isOver ? 'waiting' : 'never';
}
