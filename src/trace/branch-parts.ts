/** Rows of messages and calls. */
import type { AssistantBody } from '../records/types';
import {
  argumentSummary,
  blockLine,
  contentText,
  firstLine,
  resultSummary,
  toolChanges,
  toolsDeclared,
} from './excerpts';
import { isAssistant } from './fold-message';
import { callArguments, resultOf, unreadArguments } from './messages';
import { LazyBranch, spanOf, type Branch } from './branch';
import type { RowBody } from './rows';
import type { BlockNode, CallNode, MessageNode, Trace } from './types';

type MessageRow = Extract<RowBody, { kind: 'message' }>;

const finalMessages = new WeakMap<MessageNode, { branch: Branch; dropped: boolean }>();

export function messageBranch(trace: Trace, message: MessageNode): Branch {
  const { dropped = false } = message;
  const known = finalMessages.get(message);
  if (known?.dropped === dropped) return known.branch;
  const branch = newMessageBranch(trace, message);
  if (isOver(trace, message)) finalMessages.set(message, { branch, dropped });
  return branch;
}

const finalCalls = new WeakMap<CallNode, LazyBranch>();

export function callBranch(trace: Trace, call: CallNode, below: Branch[]): Branch {
  let branch = finalCalls.get(call);
  if (!branch) {
    const asking = call.notes.some(
      ({ note }) => 'ask' in note && trace.asks.get(note.ask)?.state === 'asked',
    );
    branch = new LazyBranch(`call:${call.id}`, 'call', spanOf(call), () => callRow(trace, call, asking));
    if (!asking && isOver(trace, call)) finalCalls.set(call, branch);
  }
  return below.length > 0 ? branch.with(() => below) : branch;
}

function callRow(trace: Trace, call: CallNode, asking: boolean): RowBody {
  const result = resultOf(call);
  const { id, toolName: tool, status } = call;
  const unread = unreadArguments(trace, call)?.slice(0, 400);
  const input = call.args ?? callArguments(trace, call);
  return {
    kind: 'call',
    call: id,
    tool,
    status: status === 'ok' ? 'done' : status,
    args: argumentSummary(input),
    input,
    ...(unread === undefined ? {} : { unread }),
    ...(result ? { result: resultSummary(result) } : {}),
    ...(result?.details === undefined ? {} : { details: result.details }),
    asking,
  };
}

/** Nothing that its row shows will change any more, but that a rewind may drop it. */
function isOver(trace: Trace, { turn, endAt }: { turn?: string; endAt?: number }): boolean {
  return endAt !== undefined && (turn === undefined || trace.turns.get(turn)?.endAt !== undefined);
}

function newMessageBranch(trace: Trace, message: MessageNode): Branch {
  const { id, usage, queued, origin } = message;
  const shown = message.blocks.some((block, index) => showsBlock(trace, message, block, index));
  let below: Branch[] | undefined;
  return new LazyBranch(
    `message:${id}`,
    'message',
    { ...spanOf(message), ...(usage ? { tokens: usage.output } : {}) },
    () => messageRow(trace, message),
    shown || deltasOf(message) > 0 ? () => (below ??= messageChildren(trace, message)) : undefined,
    queued !== undefined || origin === 'prepareNextTurn',
  );
}

function messageRow(trace: Trace, message: MessageNode): MessageRow {
  const { id, role, origin, status, body, stopReason, dropped = false } = message;
  return {
    kind: 'message',
    message: id,
    role,
    origin,
    status: status === 'streaming' ? 'running' : status,
    text: messageLine(message),
    tools: toolsOf(message),
    ...(stopReason === undefined ? {} : { stopReason }),
    ...(body && isAssistant(body) ? failureOf(body) : {}),
    ...waitedOf(trace, message),
    dropped,
  };
}

function toolsOf({ blocks, body }: MessageNode): string[] {
  if (body?.role === 'system') return toolsDeclared(body);
  return blocks.flatMap(({ type, toolName }) => (type === 'toolCall' && toolName ? toolName : []));
}

function messageLine(message: MessageNode): string {
  const { body, blocks } = message;
  if (message.role === 'assistant') {
    const of = (type: BlockNode['type']) =>
      blocks
        .filter((block) => block.type === type)
        .map(blockLine)
        .find((line) => line !== '');
    return of('text') ?? of('thinking') ?? '';
  }
  const text = body && 'content' in body ? firstLine(contentText(body.content)) : '';
  // What a session began with is no change.
  return text === '' && body && message.origin !== 'history' ? firstLine(toolChanges(body)) : text;
}

function failureOf({ errorMessage, errorCode, errorParams }: AssistantBody): Partial<MessageRow> {
  return {
    ...(errorMessage === undefined ? {} : { errorMessage }),
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(errorParams === undefined ? {} : { errorParams }),
  };
}

function waitedOf(trace: Trace, { queued, turn: turnId, at }: MessageNode): Pick<MessageRow, 'waited'> {
  if (!queued) return {};
  const turn = turnId === undefined ? undefined : trace.turns.get(turnId)?.n;
  const { queue, edited = false, moves } = queued;
  const ms = (queued.leftAt ?? at) - queued.at;
  return {
    waited: { queue, ms, ...(turn === undefined ? {} : { turn }), edited, moved: moves !== undefined },
  };
}

/** Of a tool call there is a row of its own as soon as it is started. */
function showsBlock(trace: Trace, message: MessageNode, block: BlockNode, index: number): boolean {
  if (block.type !== 'toolCall') return block.parts.length > 0;
  return !message.calls.some((call) => trace.calls.get(call)?.index === index);
}

function deltasOf(message: MessageNode): number {
  return message.blocks.reduce((sum, block) => sum + block.deltas, 0);
}

function messageChildren(trace: Trace, message: MessageNode): Branch[] {
  const branches = message.blocks.flatMap((block, index) =>
    showsBlock(trace, message, block, index) ? blockBranch(message, block, index) : [],
  );
  const deltas = deltasOf(message);
  if (deltas > 0) branches.push(deltasBranch(message, deltas));
  return branches;
}

function blockBranch({ id, seq }: MessageNode, block: BlockNode, index: number): Branch {
  const { type, toolName, at, endAt } = block;
  const tool = toolName === undefined ? {} : { tool: toolName };
  return new LazyBranch(
    `message:${id}/block:${index}`,
    'block',
    spanOf({ seq, at, ...(endAt === undefined ? {} : { endAt }) }),
    () => ({ kind: 'block', message: id, index, block: type, text: blockLine(block), ...tool }),
  );
}

function deltasBranch(message: MessageNode, deltas: number): Branch {
  const { id, seq, at } = message;
  const key = `message:${id}/deltas`;
  return {
    key,
    kind: 'deltas',
    injected: false,
    body: { kind: 'deltas', message: id, deltas },
    span: { seq, at: message.firstTokenAt ?? at },
    children: () =>
      message.blocks.flatMap((block, index) =>
        block.deltas === 0 ? [] : deltaBranches(message, block, index, `${key}/${index}`),
      ),
  };
}

/** Pieces only grow at their end: those that were there before keep their branches. */
const deltas = new WeakMap<readonly string[], Branch[]>();

function deltaBranches({ id, seq }: MessageNode, block: BlockNode, index: number, key: string): Branch[] {
  const { parts, at } = block;
  let known = deltas.get(parts);
  if (!known) deltas.set(parts, (known = []));
  for (let part = known.length; part < parts.length; part++) {
    const text = parts[part] ?? '';
    known.push({
      key: `${key}.${part}`,
      kind: 'delta',
      injected: false,
      body: { kind: 'delta', message: id, index, part, text },
      span: { seq, at },
    });
  }
  return known;
}
