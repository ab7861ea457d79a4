/** The end of a run whose tab or worker went away: its calls get results, so that the loop can go on at once. */
import type { AgentMessage, ToolCall, ToolResultMessage } from '../loop/types';
import { isWholeAssistant, messageOf } from '../trace/messages';
import type { CallNode, Trace } from '../trace/types';
import type { Recorder } from './recorder';

const text = 'The run was interrupted before this call finished.';

export interface InterruptedOptions {
  newId: () => string;
  /** ms since the epoch. */
  now: () => number;
}

/**
 * Writes `interrupted`, and then a result for each call that has none, of messages that are whole. A call that had ended gets the
 * result that it had. Returns these messages: they join the transcript.
 */
export function closeInterrupted(
  trace: Trace,
  recorder: Recorder,
  { newId, now }: InterruptedOptions,
): AgentMessage[] {
  const open = openCalls(trace);
  recorder.write({ type: 'interrupted' });
  return open.map(({ call, turn, node }) => {
    const id = newId();
    const message = resultMessage(call, node, now());
    const place = { ...(turn === undefined ? {} : { turn }), ...(node ? { call: node.id } : {}) };
    recorder.message(id, message, { origin: 'interrupted', ...place }, node?.result);
    return message;
  });
}

interface OpenCall {
  call: ToolCall;
  turn: string | undefined;
  /** Absent when it had not started. */
  node: CallNode | undefined;
}

/** Of the last assistant message in the transcript: the loop answers all calls of one before it asks again. */
function openCalls(trace: Trace): OpenCall[] {
  const id = trace.transcript.findLast((message) => trace.messages.get(message)?.role === 'assistant');
  const node = id === undefined ? undefined : trace.messages.get(id);
  const message = id === undefined ? undefined : messageOf(trace, id);
  if (!node || !message || !isWholeAssistant(message) || node.status !== 'done') return [];
  const answered = trace.transcript.slice(trace.transcript.indexOf(node.id)).flatMap((result) => {
    const body = trace.messages.get(result)?.body;
    return body && 'toolCallId' in body ? [body.toolCallId] : [];
  });
  const open: OpenCall[] = [];
  for (const [index, block] of message.content.entries()) {
    if (block.type !== 'toolCall') continue;
    // A provider's id may come twice: each result answers one call.
    const at = answered.indexOf(block.id);
    if (at !== -1) answered.splice(at, 1);
    else {
      const started = node.calls.map((call) => trace.calls.get(call)).find((call) => call?.index === index);
      open.push({ call: block, turn: node.turn, node: started });
    }
  }
  return open;
}

function resultMessage(call: ToolCall, node: CallNode | undefined, timestamp: number): ToolResultMessage {
  const { id: toolCallId, name: toolName } = call;
  const { content, details } = node?.result ?? { content: [{ type: 'text' as const, text }] };
  return {
    role: 'toolResult',
    toolCallId,
    toolName,
    // A large image of a result that nobody had read yet is named, not carried.
    content: content.map((block) =>
      'blob' in block ? { type: 'text', text: `[${block.mimeType}]` } : block,
    ),
    ...(details === undefined ? {} : { details }),
    isError: node?.isError ?? true,
    timestamp,
  };
}
