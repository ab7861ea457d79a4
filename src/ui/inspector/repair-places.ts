/** Where in the body of a request its repairs are: at which of its messages, or before which one. */
import type { RequestRepair } from '../../protocol';
import { messageOf } from '../../trace';
import type { Trace } from '../../trace';
import type { RequestEntry } from '../../trace/requests';

/** A message of the transcript, as far as it says what is sent for it. */
export interface SentEntry {
  id?: string;
  role: string;
  /** Of an answer: it has text. */
  hasText: boolean;
  /** Ids of its calls; of a result, that of its call. */
  calls: readonly string[];
}

export interface RepairPlaces {
  /** By the index of a message of the body. The index behind the last one is its end. */
  at: Map<number, RequestRepair[]>;
  before: Map<number, RequestRepair[]>;
  /** Those whose place could not be found. */
  elsewhere: RequestRepair[];
}

interface Whole {
  role: string;
  content: unknown;
  toolCallId: string;
}
interface Block {
  type: string;
  text?: string;
  id?: string;
}
type Item = Partial<Record<'role' | 'type' | 'content', unknown>>;

/** The list in a body that carries the conversation: Chat Completions and Responses name it differently. */
export function messagesKey(body: unknown): 'messages' | 'input' | undefined {
  const { messages, input } = (body ?? {}) as Record<string, unknown>;
  if (Array.isArray(messages)) return 'messages';
  return Array.isArray(input) ? 'input' : undefined;
}

/** What a request carried, in so far as it matters here. */
export function sentEntries(trace: Trace, entries: readonly RequestEntry[]): SentEntry[] {
  return entries.map((entry) => {
    // What a hook made came whole.
    const message: object | undefined = typeof entry === 'string' ? messageOf(trace, entry) : entry;
    const { role = '', content, toolCallId } = (message ?? {}) as Partial<Whole>;
    const blocks = role === 'assistant' && Array.isArray(content) ? (content as Block[]) : undefined;
    return {
      ...(typeof entry === 'string' ? { id: entry } : {}),
      role,
      hasText: blocks?.some(({ type, text }) => type === 'text' && text?.trim() !== '') ?? true,
      calls:
        blocks?.flatMap(({ type, id }) => (type === 'toolCall' && id !== undefined ? [id] : [])) ??
        (toolCallId === undefined ? [] : [toolCallId]),
    };
  });
}

/** Goes through the messages of a transcript and those of a body side by side. */
export function repairPlaces(
  items: readonly unknown[],
  entries: readonly SentEntry[],
  repairs: readonly RequestRepair[],
): RepairPlaces {
  const walk = new Walk(items as readonly Item[], entries, repairs);
  walk.run();
  const places: RepairPlaces = { at: new Map(), before: new Map(), elsewhere: [] };
  for (const repair of repairs) {
    const place = walk.placeOf(repair);
    if (place === undefined) places.elsewhere.push(repair);
    else add(isLeftOut(repair) && !walk.isTold(repair) ? places.before : places.at, place, repair);
  }
  return places;
}

function add(map: Map<number, RequestRepair[]>, place: number, repair: RequestRepair): void {
  const same = map.get(place);
  if (same) same.push(repair);
  else map.set(place, [repair]);
}

function isLeftOut({ code }: RequestRepair): boolean {
  return /(failed|empty|result)LeftOut$/.test(code);
}

class Walk {
  #next = 0;
  /** By the message's id: the index of what was sent for it, or of what follows where it was left out. */
  readonly #places = new Map<string, number>();
  /** Of an answer: where results stand that it did not have. */
  readonly #added = new Map<string, number[]>();
  /** A note was sent in place of these. */
  readonly #told = new Set<string>();
  readonly #leftOut: ReadonlySet<string | undefined>;

  constructor(
    private readonly items: readonly Item[],
    private readonly entries: readonly SentEntry[],
    repairs: readonly RequestRepair[],
  ) {
    this.#leftOut = new Set(repairs.filter(isLeftOut).map(({ message }) => message));
  }

  placeOf({ message = '', code }: RequestRepair): number | undefined {
    if (code.endsWith('resultAdded')) return this.#added.get(message)?.shift() ?? this.#places.get(message);
    return this.#places.get(message);
  }

  isTold({ message = '' }: RequestRepair): boolean {
    return this.#told.has(message);
  }

  run(): void {
    for (const [index, entry] of this.entries.entries()) {
      if (this.#step(entry, index)) continue;
      this.#places.delete(entry.id ?? '');
      return;
    }
  }

  /** False: the lists do not go together, and what follows has no place. */
  #step(entry: SentEntry, index: number): boolean {
    const { id, role } = entry;
    const start = this.#next;
    // A result was sent with its answer, unless it is left out.
    if (id !== undefined && !this.#places.has(id)) this.#places.set(id, start);
    if (id !== undefined && this.#leftOut.has(id)) {
      if (role === 'assistant' && this.#take(isFailureNote)) this.#told.add(id);
      return true;
    }
    if (role === 'system') return (this.#take(isSystem), true);
    if (role === 'user') return this.#take(({ role: sent }) => sent === 'user');
    if (role === 'assistant') return this.#answer(entry, index);
    return true;
  }

  #answer({ id, hasText, calls }: SentEntry, index: number): boolean {
    const from = this.#next;
    while (this.#take(({ type }) => type === 'reasoning'));
    // Of the Responses API, calls stand alone.
    const hasMessage = (hasText || this.items[from]?.type === undefined) && this.#take(isAssistant);
    if (!hasMessage && (hasText || calls.length === 0)) return false;
    for (const _ of calls) this.#take(({ type }) => type === 'function_call');
    if (id !== undefined) this.#places.set(id, from);
    const results = this.#resultsAfter(index);
    for (const call of calls) {
      const place = this.#next;
      if (!this.#take(isResult)) return false;
      const result = results.get(call)?.shift();
      if (result !== undefined) this.#places.set(result, place);
      else if (id !== undefined) this.#added.set(id, [...(this.#added.get(id) ?? []), place]);
    }
    if (calls.length > 0) this.#take(isImagesOfResults);
    return true;
  }

  /** By the id of the call: the results until the next answer. */
  #resultsAfter(index: number): Map<string, string[]> {
    const results = new Map<string, string[]>();
    for (const { id, role, calls } of this.entries.slice(index + 1)) {
      if (role === 'assistant') break;
      const [call] = calls;
      if (role !== 'toolResult' || call === undefined || id === undefined) continue;
      results.set(call, [...(results.get(call) ?? []), id]);
    }
    return results;
  }

  #take(matches: (item: Item) => boolean): boolean {
    const item = this.items[this.#next];
    if (!item || !matches(item)) return false;
    this.#next++;
    return true;
  }
}

const isSystem = ({ role }: Item) => role === 'system' || role === 'developer';
const isAssistant = ({ role }: Item) => role === 'assistant';
const isResult = ({ role, type }: Item) => role === 'tool' || type === 'function_call_output';

/** What the request says in place of a failed answer, when the model is told of failures. */
function isFailureNote({ role, content }: Item): boolean {
  return role === 'user' && JSON.stringify(content ?? '').includes('[Your last answer is left out');
}

/** A tool message takes text alone: images follow in a message of their own. */
function isImagesOfResults({ role, content }: Item): boolean {
  return role === 'user' && JSON.stringify(content ?? '').includes('Images from the tool results above:');
}
