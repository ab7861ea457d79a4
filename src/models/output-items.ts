import type { OpenBlock, OpenCall } from './assistant-message';
import { fieldsOf, textOf, type Fields } from './chat-chunk';

/** One output item of a Responses stream: a message, reasoning or a call. */
export interface OutputItem {
  index: number | undefined;
  block?: OpenBlock;
  call?: OpenCall;
  /** The part of the item that the last piece belonged to. */
  part?: string;
  text: string;
  /** Arguments that came with the start of a call; some servers send no others. */
  given?: string;
  done: boolean;
}

export type CallItem = OutputItem & { call: OpenCall };

export function isCall(item: OutputItem): item is CallItem {
  return item.call !== undefined;
}

/**
 * The output items, found again by their place in the output or by their id. Some servers leave out one of them or give
 * each event another id; with neither, a piece belongs to the item that was added last.
 */
export class OutputItems {
  readonly #all: OutputItem[] = [];
  readonly #byIndex = new Map<number, OutputItem>();
  readonly #byId = new Map<string, OutputItem>();

  get size(): number {
    return this.#all.length;
  }

  get all(): readonly OutputItem[] {
    return this.#all;
  }

  /** The item that an event is about; a new one when it is the first to say so. */
  of(event: Fields): OutputItem {
    const index = typeof event.output_index === 'number' ? event.output_index : undefined;
    const id = textOf(event.item_id) ?? textOf(fieldsOf(event.item)?.id);
    const item = this.#find(index, id, event.type === 'response.output_item.added') ?? this.#create();
    if (index !== undefined) {
      item.index ??= index;
      this.#byIndex.set(index, item);
    }
    if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, item);
    return item;
  }

  /** The item of the whole response that stands at `index`; nothing when what was streamed there is of another kind. */
  inResponse(index: number, fields: Fields): OutputItem | undefined {
    const kind = KINDS[textOf(fields.type) ?? ''];
    const callId = textOf(fields.call_id);
    const known =
      this.#all.find(({ call }) => callId !== undefined && call?.block.id.split('|')[0] === callId) ??
      this.#byId.get(textOf(fields.id) ?? '') ??
      this.#byIndex.get(index);
    if (!known) return this.of({ output_index: index, item: fields });
    const own = known.call ? 'toolCall' : known.block?.block.type;
    return own === undefined || own === kind ? known : undefined;
  }

  #find(index: number | undefined, id: string | undefined, isAdded: boolean): OutputItem | undefined {
    const same = index === undefined ? undefined : this.#byIndex.get(index);
    if (same) return same;
    const byId = id === undefined ? undefined : this.#byId.get(id);
    // One id under two indexes is two items.
    if (byId && (index === undefined || byId.index === undefined)) return byId;
    if (index !== undefined || id !== undefined || isAdded) return undefined;
    const last = this.#all.at(-1);
    return last?.done ? undefined : last;
  }

  #create(): OutputItem {
    const item = { index: undefined, text: '', done: false };
    this.#all.push(item);
    return item;
  }
}

const KINDS: Record<string, string> = { message: 'text', reasoning: 'thinking', function_call: 'toolCall' };
