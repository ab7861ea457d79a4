import type { EventSourceMessage } from 'eventsource-parser';
import type { Model } from '../loop';
import type { GoodStop, MessageBuilder, OpenBlock, OpenCall } from './assistant-message';
import { fieldsOf, textOf, type Fields } from './chat-chunk';
import { detailOfError, errorDetail, looksLikeHtml } from './error-detail';
import { ModelError } from './errors';
import { REASONING_ITEMS } from './responses-request';
import type { EventReader } from './sse';
import {
  badChunk,
  brokenStream,
  cut,
  finishedBadly,
  inStream,
  notAModelServer,
  parseJson,
} from './stream-errors';
import { usageOf } from './usage';

/** One output item: a message, reasoning or a call, found again by its place in the output. */
interface Item {
  block?: OpenBlock;
  call?: OpenCall;
  /** The part of the item that the last piece belonged to. */
  part?: string;
  text: string;
  done: boolean;
}

const TERMINAL = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
  'response.cancelled',
]);

/** Turns the events of a Responses stream into the assistant message. Items may be interleaved and end in any order. */
export class ResponsesStream {
  readonly #model: Model;
  readonly #builder: MessageBuilder;
  readonly #ownId: (n: number) => string;
  readonly #items = new Map<string, Item>();
  #response: Fields | undefined;
  #events = 0;

  constructor(model: Model, builder: MessageBuilder, ownId: (n: number) => string) {
    this.#model = model;
    this.#builder = builder;
    this.#ownId = ownId;
  }

  /** Reads to the end of the response, and gives why it stopped. Throws when it failed or was cut. */
  async read(reader: EventReader): Promise<GoodStop> {
    try {
      for await (const events of reader.read()) {
        for (const event of events) this.#accept(event);
        if (this.#response) break;
      }
    } catch (error) {
      throw error instanceof ModelError ? error : brokenStream(error);
    }
    if (this.#events === 0) this.#wholeBody(reader);
    return this.#stop(reader);
  }

  #accept({ event: name, data }: EventSourceMessage): void {
    const text = data.trim();
    if (this.#response || text === '' || text === '[DONE]') return;
    const event = fieldsOf(parseJson(text));
    if (!event) {
      if (/^[{[]/.test(text)) throw badChunk(text);
      return;
    }
    this.#events++;
    const type = textOf(event.type) ?? name ?? '';
    if (type === 'error' || (event.error && !type.startsWith('response.')))
      throw inStream(detailOfError(event.error ?? event));
    if (TERMINAL.has(type))
      this.#response = fieldsOf(event.response) ?? { status: type.slice('response.'.length) };
    else this.#piece(type, event);
  }

  #piece(type: string, event: Fields): void {
    const delta = textOf(event.delta) ?? '';
    switch (type) {
      case 'response.output_item.added':
        this.#added(event);
        break;
      case 'response.output_item.done':
        this.#itemDone(this.#item(event), fieldsOf(event.item) ?? {});
        break;
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        this.#add(this.#item(event), 'text', delta);
        break;
      case 'response.reasoning_summary_text.delta':
        this.#addThinking(this.#item(event), `summary ${String(event.summary_index)}`, delta);
        break;
      case 'response.reasoning_text.delta':
        this.#addThinking(this.#item(event), `content ${String(event.content_index)}`, delta);
        break;
      case 'response.function_call_arguments.delta':
        this.#addArguments(this.#call(this.#item(event), {}), delta);
        break;
      case 'response.function_call_arguments.done':
        this.#complete(this.#call(this.#item(event), {}), textOf(event.arguments));
        break;
    }
  }

  #item(event: Fields): Item {
    const index = typeof event.output_index === 'number' ? event.output_index : undefined;
    const id = textOf(event.item_id) ?? textOf(fieldsOf(event.item)?.id);
    const key = index === undefined ? (id ?? '') : String(index);
    let item = this.#items.get(key);
    if (!item) {
      item = { text: '', done: false };
      this.#items.set(key, item);
    }
    return item;
  }

  #added(event: Fields): void {
    const fields = fieldsOf(event.item);
    if (fields?.type === 'function_call') this.#call(this.#item(event), fields);
  }

  #itemDone(item: Item, fields: Fields): void {
    if (item.done) return;
    item.done = true;
    if (fields.type === 'function_call') {
      this.#complete(this.#call(item, fields), textOf(fields.arguments));
      return;
    }
    if (fields.type === 'reasoning') {
      this.#rest(
        item,
        'thinking',
        partTexts(fields.summary).join('\n\n') || partTexts(fields.content).join('\n\n'),
      );
      // Reasoning that shows nothing is kept when it has to go back.
      if (fields.encrypted_content) item.block ??= this.#builder.open('thinking');
      if (item.block?.block.type === 'thinking')
        item.block.block.replay = { field: REASONING_ITEMS, items: [fields] };
    } else if (fields.type === 'message') {
      this.#rest(item, 'text', partTexts(fields.content).join(''));
    }
    if (item.block) this.#builder.end(item.block);
  }

  /** Adds what a whole text has beyond its deltas. */
  #rest(item: Item, type: 'text' | 'thinking', whole: string): void {
    if (whole.startsWith(item.text)) this.#add(item, type, whole.slice(item.text.length));
  }

  #add(item: Item, type: 'text' | 'thinking', delta: string): void {
    if (delta === '') return;
    item.block ??= this.#builder.open(type);
    item.text += delta;
    this.#builder.append(item.block, delta);
  }

  /** Parts of a reasoning are joined by one blank line. */
  #addThinking(item: Item, part: string, delta: string): void {
    if (delta === '') return;
    const apart = item.part !== undefined && item.part !== part && !item.text.endsWith('\n\n');
    item.part = part;
    this.#add(item, 'thinking', apart ? `\n\n${delta}` : delta);
  }

  #call(item: Item, fields: Fields): Item & { call: OpenCall } {
    const callId = textOf(fields.call_id);
    const itemId = textOf(fields.id);
    const id = callId && itemId ? `${callId}|${itemId}` : (callId ?? itemId);
    const name = textOf(fields.name);
    const call = (item.call ??= this.#builder.toolCall(id ?? this.#ownId(this.#items.size), name ?? ''));
    if (id) call.block.id = id;
    if (name && call.block.name === '') this.#builder.nameCall(call, name);
    return item as Item & { call: OpenCall };
  }

  #addArguments(item: Item & { call: OpenCall }, delta: string): void {
    item.text += delta;
    this.#builder.callArguments(item.call, delta);
  }

  #complete(item: Item & { call: OpenCall }, whole: string | undefined): void {
    if (whole?.startsWith(item.text)) this.#addArguments(item, whole.slice(item.text.length));
  }

  #wholeBody(reader: EventReader): void {
    const body = fieldsOf(parseJson(reader.head));
    if (body?.error) throw inStream(detailOfError(body.error));
    if (body?.object === 'response' || Array.isArray(body?.output)) this.#response = body;
    else if (reader.head.trim() === '') throw cut('The model server sent an empty answer');
    else if (!looksLikeHtml(reader.head) && /error/i.test(reader.head))
      throw inStream(errorDetail(reader.head));
    else throw notAModelServer(this.#model.baseUrl, errorDetail(reader.head));
  }

  #stop(reader: EventReader): GoodStop {
    const response = this.#response;
    if (!response) {
      const stray = reader.stray.trim();
      if (stray && /error/i.test(stray)) throw inStream(errorDetail(stray));
      throw cut('The answer was cut off: the stream ended before the response was complete');
    }
    const usage = usageOf(response.usage, this.#model.cost);
    if (usage) this.#builder.setUsage(usage);
    const status = textOf(response.status) ?? 'completed';
    const reason = textOf(fieldsOf(response.incomplete_details)?.reason);
    this.#builder.message.rawStopReason = reason ?? status;
    if (response.error) throw inStream(detailOfError(response.error));
    if (status === 'incomplete') {
      if (reason === undefined || reason === 'max_output_tokens') return 'length';
      throw finishedBadly(reason, undefined);
    }
    if (status === 'failed' || status === 'cancelled') throw finishedBadly(status, undefined);
    this.#addUnseen(response.output);
    return this.#builder.hasCalls ? 'toolUse' : 'stop';
  }

  /** Items that only the whole response has, as from a server that does not stream. */
  #addUnseen(output: unknown): void {
    if (!Array.isArray(output)) return;
    output.forEach((each, index) => {
      const fields = fieldsOf(each);
      if (fields && !this.#items.has(String(index)))
        this.#itemDone(this.#item({ output_index: index }), fields);
    });
  }
}

/** The texts of an item's parts; none when it has no parts, or null in their place. */
function partTexts(parts: unknown): string[] {
  if (!Array.isArray(parts)) return [];
  return parts.flatMap((part) => {
    const fields = fieldsOf(part);
    const text = textOf(fields?.text) ?? textOf(fields?.refusal);
    return text === undefined ? [] : [text];
  });
}
