/** Messages: their start, what streams into them, their end, and how they enter and leave the transcript. */
import type { AssistantBody, MessageBody, RecordOf } from '../records/types';
import { addNote, addUsage, childrenOf, currentPlace, runOfTurn } from './nodes';
import type { BlockNode, MessageNode, MessageStatus, RunNode, Trace } from './types';

export function messageStart(trace: Trace, record: RecordOf<'message_start'>): void {
  const { message: id, turn, role, origin, call, model, seq, at } = record;
  if (trace.messages.has(id)) return;
  const node: MessageNode = { id, role, origin, status: 'streaming', seq, at, blocks: [], calls: [] };
  if (turn !== undefined) node.turn = turn;
  if (call !== undefined) node.call = call;
  if (model) node.model = model;
  const item = trace.queueItems.get(id);
  if (item) {
    node.queued = item;
    item.landed = turn === undefined ? { message: id } : { message: id, turn };
  }
  const asked = call === undefined ? undefined : trace.calls.get(call);
  if (asked) asked.resultMessage = id;
  trace.messages.set(id, node);
  childrenOf(trace, turn, runOf(trace, node)?.id).push({ kind: 'message', id });
}

/** A failure between two turns names a turn that never starts: it belongs to the run that it closes. */
function runOf(trace: Trace, { turn, origin }: MessageNode): RunNode | undefined {
  const run = runOfTurn(trace, turn);
  return run ?? (origin === 'failure' ? trace.runsById.get(currentPlace(trace).run ?? '') : undefined);
}

export function messageUpdate(trace: Trace, record: RecordOf<'message_update'>): void {
  const message = trace.messages.get(record.message);
  if (!message) return;
  const block = blockAt(message, record);
  if (!block) return;
  message.heardAt = record.at;
  switch (record.event) {
    case 'text_delta':
    case 'thinking_delta':
    case 'toolcall_delta':
      block.parts.push(record.delta ?? '');
      block.deltas += record.joined ?? 1;
      message.firstTokenAt ??= record.at;
      return;
    case 'text_end':
    case 'thinking_end':
    case 'toolcall_end':
      block.endAt = record.at;
      break;
  }
  if (record.toolCallId !== undefined) block.toolCallId = record.toolCallId;
  if (record.toolName !== undefined) block.toolName = record.toolName;
}

export function messageEnd(trace: Trace, { message: id, body, seq, at }: RecordOf<'message_end'>): void {
  const message = trace.messages.get(id);
  if (!message || message.body) return;
  message.body = body;
  message.endSeq = seq;
  message.endAt = at;
  message.status = 'done';
  trace.transcript.push(id);
  const run = runOf(trace, message);
  run?.messages.push(id);
  if (!isAssistant(body)) return;
  message.status = endStatus(body);
  message.stopReason = body.stopReason;
  message.usage = body.usage;
  setBlocks(message, body, at);
  // The history was paid for by somebody else's session.
  if (message.origin === 'history') return;
  addUsage(trace.usage, body.usage);
  if (!run) return;
  run.stopReason = body.stopReason;
  addUsage(run.usage, body.usage);
}

export function rewind(trace: Trace, record: RecordOf<'rewind'>): void {
  const { why, drop } = record;
  const gone = new Set(drop);
  trace.transcript = trace.transcript.filter((id) => !gone.has(id));
  for (const id of drop) {
    const message = trace.messages.get(id);
    if (message) message.dropped = true;
  }
  addNote(trace, record, { type: 'rewind', why, drop }, currentPlace(trace));
}

/** Of bodies that came through `parseRecord` the role tells the shape. */
export function isAssistant(body: MessageBody): body is AssistantBody {
  return body.role === 'assistant';
}

function endStatus({ stopReason }: AssistantBody): MessageStatus {
  return stopReason === 'error' || stopReason === 'aborted' ? stopReason : 'done';
}

/** The block that an update belongs to; indexes that leave a gap come from damage. */
function blockAt(message: MessageNode, record: RecordOf<'message_update'>): BlockNode | undefined {
  const { index, event, at } = record;
  const known = message.blocks[index];
  if (known || index !== message.blocks.length || message.body) return known;
  const type = event.startsWith('text') ? 'text' : event.startsWith('thinking') ? 'thinking' : 'toolCall';
  const block: BlockNode = { type, parts: [], deltas: 0, at };
  message.blocks.push(block);
  return block;
}

/** What the final message says of its blocks; a tool call keeps the argument text as it streamed. */
function setBlocks(message: MessageNode, body: AssistantBody, at: number): void {
  message.blocks = body.content.map((content, index) => {
    const streamed = message.blocks[index];
    const same = streamed?.type === content.type ? streamed : undefined;
    const block: BlockNode = same ?? { type: content.type, parts: [], deltas: 0, at };
    block.endAt ??= at;
    if (content.type === 'toolCall') {
      block.toolCallId = content.id;
      block.toolName = content.name;
      if (!('streamed' in content) && block.parts.length === 0)
        block.parts = [JSON.stringify(content.arguments)];
    } else if (!('streamed' in content)) {
      block.parts = [content.type === 'text' ? content.text : content.thinking];
    }
    return block;
  });
}
