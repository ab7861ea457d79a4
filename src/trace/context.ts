/**
 * One request as the model saw it: the context beside the run's new messages (two lists that overlap and are easily taken
 * for one another), what changed since the request before, and how large each message is.
 */
import type { MessageBody } from '../records/types';
import { contentText } from './excerpts';
import { isWholeAssistant, messageOf, type WholeMessage } from './messages';
import { requestEntries, type RequestEntry } from './requests';
import { turnTiming, type TurnTiming } from './timing';
import type { RequestNode, Trace, TurnNode } from './types';

export interface MessageSize {
  characters: number;
  /** A fourth of the characters, as tokenizers do on average for English. Images are not counted. */
  tokens: number;
  images: number;
}

export interface ContextEntry {
  /** Absent for a message that a hook made for this request alone. */
  id?: string;
  role: string;
  message: WholeMessage | MessageBody;
  size: MessageSize;
  /** One of the messages that this run has added: in both lists. */
  isNew: boolean;
  /** The request before did not carry it. */
  isAdded: boolean;
}

export interface NewMessage {
  id: string;
  role: string;
  size: MessageSize;
  /** The request carried it. What came after the request did not, nor what a hook left out. */
  inContext: boolean;
  /** It was there when the request was made. */
  before: boolean;
}

export interface ContextView {
  turn: string;
  request: RequestNode;
  /** What the request carried, in order. */
  context: ContextEntry[];
  /** What the run has added until now, in order. */
  newMessages: NewMessage[];
  /** What the request before carried and this one does not. */
  removed: Omit<ContextEntry, 'isAdded'>[];
  /** Index in `trace.requests` of the request that this one is compared with. */
  comparedWith?: number;
  size: MessageSize;
  timing: TurnTiming;
}

/** The request of a turn, or of the turn that a message belongs to; `undefined` where none was made. */
export function contextView(trace: Trace, turnOrMessage: string): ContextView | undefined {
  const turn =
    trace.turns.get(turnOrMessage) ?? trace.turns.get(trace.messages.get(turnOrMessage)?.turn ?? '');
  const request = turn?.request;
  if (!turn || !request) return undefined;
  const added = new Set(trace.runsById.get(turn.run)?.messages);
  const now = requestEntries(trace, request);
  const previous = trace.requests[request.index - 1];
  const then = previous ? requestEntries(trace, previous) : [];
  const isAdded = absentFrom(then);
  const isRemoved = absentFrom(now);
  const entry = (one: RequestEntry) => entryOf(trace, one, added);
  const context = now.flatMap((one): ContextEntry[] => {
    const made = entry(one);
    return made ? [{ ...made, isAdded: isAdded(one) }] : [];
  });
  return {
    turn: turn.id,
    request,
    context,
    newMessages: newMessages(trace, turn, now),
    removed: then.filter(isRemoved).flatMap((one) => entry(one) ?? []),
    ...(previous ? { comparedWith: previous.index } : {}),
    size: context.map(({ size }) => size).reduce(sum, { characters: 0, tokens: 0, images: 0 }),
    timing: turnTiming(trace, turn),
  };
}

/** Characters of all that a model reads of a message: texts, thinking, names and arguments of calls, declared tools. */
function sizeOf(message: WholeMessage | MessageBody): MessageSize {
  let characters = 0;
  let images = 0;
  // What a hook made came whole, and is as whole in its record.
  const whole = message;
  if (isWholeAssistant(whole)) {
    for (const block of whole.content) {
      if (block.type === 'text') characters += block.text.length;
      else if (block.type === 'thinking') characters += block.thinking.length;
      else characters += block.name.length + JSON.stringify(block.arguments).length;
    }
  } else {
    const content: unknown = 'content' in message ? message.content : undefined;
    characters += contentText(content).length;
    if (Array.isArray(content)) images = content.filter(isImage).length;
  }
  for (const name of ['sections', 'toolsAdded'] as const)
    if (name in message)
      characters += JSON.stringify((message as Record<string, unknown>)[name] ?? '').length;
  return { characters, tokens: Math.ceil(characters / 4), images };
}

function sum(a: MessageSize, b: MessageSize): MessageSize {
  return {
    characters: a.characters + b.characters,
    tokens: a.tokens + b.tokens,
    images: a.images + b.images,
  };
}

function isImage(part: unknown): boolean {
  return typeof part === 'object' && part !== null && 'type' in part && part.type === 'image';
}

function entryOf(
  trace: Trace,
  entry: RequestEntry,
  added: ReadonlySet<string>,
): Omit<ContextEntry, 'isAdded'> | undefined {
  if (typeof entry !== 'string')
    return { role: entry.role, message: entry, size: sizeOf(entry), isNew: false };
  const message = messageOf(trace, entry);
  return (
    message && { id: entry, role: message.role, message, size: sizeOf(message), isNew: added.has(entry) }
  );
}

/** Whether an entry is not in a list; one that is there as often counts as the same, wherever it stands. */
function absentFrom(entries: readonly RequestEntry[]): (entry: RequestEntry) => boolean {
  const left = new Map<string, number>();
  for (const entry of entries) left.set(keyOf(entry), (left.get(keyOf(entry)) ?? 0) + 1);
  return (entry) => {
    const key = keyOf(entry);
    const count = left.get(key) ?? 0;
    if (count > 0) left.set(key, count - 1);
    return count === 0;
  };
}

/** An id has no braces, so that no id and no message have the same key. */
function keyOf(entry: RequestEntry): string {
  return typeof entry === 'string' ? entry : JSON.stringify(entry);
}

function newMessages(trace: Trace, turn: TurnNode, context: readonly RequestEntry[]): NewMessage[] {
  const carried = new Set(context);
  return (trace.runsById.get(turn.run)?.messages ?? []).flatMap((id) => {
    const node = trace.messages.get(id);
    const message = messageOf(trace, id);
    if (!node || !message) return [];
    const before = node.endSeq !== undefined && node.endSeq < (turn.request?.seq ?? 0);
    return [{ id, role: node.role, size: sizeOf(message), inContext: carried.has(id), before }];
  });
}
