/**
 * Finding a text in a trace: literally, in any case, wherever a session says something. Linear; what has ended is looked
 * through once for a query, so that a trace that grows costs only what is new.
 */
import type { CallNode, MessageNode, NoteNode, Trace } from './types';
import { contentText, firstLine } from './excerpts';
import { blockText, callArguments, messageOf, resultOf } from './messages';

/** What is looked through: messages by their role, calls, and what hooks and attempts at the provider said. */
export type SearchType = 'user' | 'assistant' | 'system' | 'toolResult' | 'custom' | 'call' | 'hook' | 'http';
export type SearchField = 'text' | 'thinking' | 'arguments' | 'output' | 'error' | 'toolName' | 'decision';
export type SearchRef = { kind: 'message' | 'call'; id: string } | { kind: 'note'; index: number };

export interface SearchQuery {
  /** Empty: everything that passes the filters, once. */
  text: string;
  types?: readonly SearchType[];
  /** Calls of this tool only, and what belongs to them. */
  tool?: string;
  errorsOnly?: boolean;
}

/** One thing in which something was found: a message, a call with its result, or a note. */
export interface SearchHit {
  ref: SearchRef;
  /** Of the first record of what `ref` names. */
  seq: number;
  at: number;
  /** How often the text stands in it; 1 when no text was asked for. */
  places: number;
  /** Where the first of these places is. */
  field: SearchField;
  /** Where in the field's text, in UTF-16 units. */
  offset: number;
  /** One line around it; the hit is from `from` to `to` in it. */
  excerpt: string;
  from: number;
  to: number;
}

/** More than anybody steps through, and than anybody counts in one thing. */
const MOST = 10_000;
const AROUND = 40;

/** All hits in order of the trace, 10,000 at most. */
export function searchTrace(trace: Trace, query: SearchQuery): SearchHit[] {
  return traceSearch(query)(trace);
}

/** A search that remembers what it found in messages and calls that have ended. */
export function traceSearch(query: SearchQuery): (trace: Trace) => SearchHit[] {
  const ended = new WeakMap<object, SearchHit | 'nothing'>();
  const needle = foldedText(query.text);
  return (trace) => {
    const hits: SearchHit[] = [];
    for (const source of sources(trace)) {
      let found = ended.get(source.node);
      if (!found) {
        found = (passes(source, query) ? hitIn(source, needle) : undefined) ?? 'nothing';
        if (source.ended) ended.set(source.node, found);
      }
      if (found !== 'nothing' && hits.push(found) >= MOST) return hits;
    }
    return hits;
  };
}

/** Something that says texts. */
interface Source {
  node: MessageNode | CallNode | NoteNode;
  ref: SearchRef;
  type: SearchType;
  tool?: string | undefined;
  isError: boolean;
  ended: boolean;
  texts: () => [SearchField, string][];
}

/** In the order of their first records. */
function sources(trace: Trace): Source[] {
  const all = [
    ...[...trace.messages.values()]
      .filter((node) => !isResultOfCall(trace, node))
      .map((node) => messageSource(trace, node)),
    ...[...trace.calls.values()].map((node) => callSource(trace, node)),
    ...trace.notes.flatMap((node, index) => noteSource(trace, node, index) ?? []),
  ];
  return all.sort((a, b) => a.node.seq - b.node.seq);
}

/** It is found at its call; a result of the history has no call here. */
function isResultOfCall(trace: Trace, { call }: MessageNode): boolean {
  return call !== undefined && trace.calls.has(call);
}

function messageSource(trace: Trace, node: MessageNode): Source {
  const known = ['user', 'assistant', 'system', 'toolResult'] as const;
  const { id, body, status } = node;
  return {
    node,
    ref: { kind: 'message', id },
    type: known.find((role) => role === node.role) ?? 'custom',
    tool: body && 'toolName' in body ? body.toolName : undefined,
    isError:
      status === 'error' ||
      status === 'aborted' ||
      (body && 'isError' in body ? body.isError === true : false),
    ended: node.endAt !== undefined,
    texts: () => messageTexts(trace, node),
  };
}

function messageTexts(trace: Trace, { id, role, body, blocks }: MessageNode): [SearchField, string][] {
  if (role === 'assistant') {
    // The arguments of its calls are found at the calls, but for those that never ran.
    const said = blocks.flatMap((block): [SearchField, string][] =>
      block.type === 'toolCall' ? [] : [[block.type, blockText(block)]],
    );
    const error = body && 'errorMessage' in body ? body.errorMessage : undefined;
    return typeof error === 'string' ? [...said, ['error', error]] : said;
  }
  const message = messageOf(trace, id);
  const content: unknown = message && 'content' in message ? message.content : undefined;
  const field = role === 'toolResult' ? 'output' : 'text';
  return [[field, contentText(content)], ...sectionTexts(message)];
}

/** Parts of a system prompt that have names. */
function sectionTexts(message: object | undefined): [SearchField, string][] {
  if (!message || !('sections' in message) || typeof message.sections !== 'object') return [];
  return Object.values(message.sections ?? {}).flatMap((text: unknown): [SearchField, string][] =>
    typeof text === 'string' ? [['text', text]] : [],
  );
}

function callSource(trace: Trace, node: CallNode): Source {
  return {
    node,
    ref: { kind: 'call', id: node.id },
    type: 'call',
    tool: node.toolName,
    isError: node.isError === true || node.status === 'aborted' || node.status === 'interrupted',
    ended: node.endAt !== undefined,
    texts: () => [
      ...argumentTexts(node.args ?? callArguments(trace, node)),
      [node.isError ? 'error' : 'output', contentText(resultOf(node)?.content)],
      ['toolName', node.toolName],
    ],
  };
}

/** Each string as it is, so that line breaks and quotes in it are found; what else there is, as JSON. */
function argumentTexts(value: unknown): [SearchField, string][] {
  if (typeof value === 'string') return [['arguments', value]];
  if (typeof value !== 'object' || value === null) return [['arguments', JSON.stringify(value) ?? '']];
  return Object.entries(value).flatMap(([name, inner]): [SearchField, string][] =>
    Array.isArray(value) ? argumentTexts(inner) : [['arguments', name], ...argumentTexts(inner)],
  );
}

function noteSource(trace: Trace, node: NoteNode, index: number): Source | undefined {
  const { note, call } = node;
  if (note.type !== 'hook' && note.type !== 'http') return undefined;
  const decision = note.type === 'hook' ? note.decision : undefined;
  const error = note.type === 'http' ? note.error : undefined;
  return {
    node,
    ref: { kind: 'note', index },
    type: note.type,
    tool: call === undefined ? undefined : trace.calls.get(call)?.toolName,
    isError: error !== undefined,
    ended: true,
    texts: () =>
      note.type === 'hook'
        ? [['decision', note.name], ...argumentTexts(decision ?? {}).map(asDecision)]
        : [['error', error ?? '']],
  };
}

function asDecision([, text]: [SearchField, string]): [SearchField, string] {
  return ['decision', text];
}

function passes({ type, tool, isError }: Source, query: SearchQuery): boolean {
  if (query.types && !query.types.includes(type)) return false;
  if (query.tool !== undefined && tool !== query.tool) return false;
  return isError || query.errorsOnly !== true;
}

function hitIn({ ref, node, texts }: Source, needle: string): SearchHit | undefined {
  const { seq, at } = node;
  const said = texts().filter(([, text]) => text !== '');
  if (needle === '') {
    const telling = said.find(([field]) => field === 'error') ?? said.find(([field]) => field === 'toolName');
    const [field, text] = telling ?? said[0] ?? ['text', ''];
    return { ref, seq, at, places: 1, field, offset: 0, excerpt: firstLine(text), from: 0, to: 0 };
  }
  let hit: SearchHit | undefined;
  for (const [field, text] of said) {
    const hay = foldedText(text);
    for (
      let offset = hay.indexOf(needle);
      offset !== -1;
      offset = hay.indexOf(needle, offset + needle.length)
    ) {
      if (hit) hit.places++;
      else {
        const around = excerptOf(text, offset, offset + needle.length);
        hit = { ref, seq, at, places: 1, field, offset, ...around };
      }
      if (hit.places >= MOST) return hit;
    }
  }
  return hit;
}

/** A little of what stands around it, on one line; a pair of surrogates is never cut. */
function excerptOf(text: string, start: number, end: number): Pick<SearchHit, 'excerpt' | 'from' | 'to'> {
  let first = Math.max(0, start - AROUND);
  let last = Math.min(text.length, end + 3 * AROUND);
  if (isLowSurrogate(text, first)) first++;
  if (isLowSurrogate(text, last)) last--;
  const lead = first > 0 ? '…' : '';
  const tail = last < text.length ? '…' : '';
  const line = text.slice(first, last).replace(/[\r\n\t]/g, ' ');
  const from = start - first + lead.length;
  return { excerpt: lead + line + tail, from, to: from + end - start };
}

function isLowSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Lower case of the same length, so that places in it are places in the text. */
export function foldedText(text: string): string {
  const lower = text.toLowerCase();
  const same = lower.length === text.length ? lower : Array.from(text, lowerOf).join('');
  // One letter in two forms, by its place in the word.
  return same.replaceAll('ς', 'σ');
}

function lowerOf(character: string): string {
  const lower = character.toLowerCase();
  return lower.length === character.length ? lower : character;
}
