import type { EventSourceMessage } from 'eventsource-parser';
import type { Model } from '../loop';
import type { GoodStop, MessageBuilder } from './assistant-message';
import { argumentsText, fieldsOf, textOf, type Fields } from './chat-chunk';
import { detailOfError, errorDetail, looksLikeHtml } from './error-detail';
import { ModelError } from './errors';
import { isCall, OutputItems, type CallItem, type OutputItem } from './output-items';
import { REASONING_ITEMS } from './responses-request';
import { dataTexts, type EventReader } from './sse';
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
  readonly #items = new OutputItems();
  #response: Fields | undefined;
  #events = 0;
  #ended = false;

  constructor(model: Model, builder: MessageBuilder, ownId: (n: number) => string) {
    this.#model = model;
    this.#builder = builder;
    this.#ownId = ownId;
  }

  /** Reads to the end of the response, and gives why it stopped. Throws when it failed or was cut. */
  async read(reader: EventReader): Promise<GoodStop> {
    try {
      for await (const events of reader.read()) {
        for (const event of events) this.#accept(event, reader.ended);
        if (this.#response) break;
      }
    } catch (error) {
      throw error instanceof ModelError ? error : brokenStream(error);
    }
    if (this.#events === 0) this.#wholeBody(reader);
    return this.#stop(reader);
  }

  /** `isTail`: the end of the body may have cut the event. */
  #accept({ event: name, data }: EventSourceMessage, isTail: boolean): void {
    for (const text of dataTexts(data)) {
      const event = fieldsOf(parseJson(text));
      if (this.#response) return;
      if (event) this.#event(event, name);
      else if (name === 'error') throw inStream(errorDetail(text));
      else if (text === '[DONE]') this.#ended = true;
      else if (/^[{[]/.test(text) && !isTail) throw badChunk(text);
    }
  }

  #event(event: Fields, name: string | undefined): void {
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
        this.#itemDone(this.#items.of(event), fieldsOf(event.item) ?? {});
        break;
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        this.#add(this.#items.of(event), 'text', delta);
        break;
      case 'response.reasoning_summary_text.delta':
        this.#addThinking(this.#items.of(event), `summary ${String(event.summary_index)}`, delta);
        break;
      case 'response.reasoning_text.delta':
        this.#addThinking(this.#items.of(event), `content ${String(event.content_index)}`, delta);
        break;
      case 'response.output_text.done':
      case 'response.refusal.done':
        this.#unlessBegun(this.#items.of(event), 'text', event);
        break;
      case 'response.reasoning_summary_text.done':
      case 'response.reasoning_text.done':
        this.#unlessBegun(this.#items.of(event), 'thinking', event);
        break;
      case 'response.function_call_arguments.delta':
        if (delta !== '') this.#addArguments(this.#call(this.#items.of(event), {}), delta);
        break;
      case 'response.function_call_arguments.done':
        this.#complete(
          this.#call(this.#items.of(event), { name: event.name }),
          argumentsText(event.arguments),
        );
        break;
    }
  }

  #added(event: Fields): void {
    const item = this.#items.of(event);
    const fields = fieldsOf(event.item);
    if (fields?.type !== 'function_call') return;
    item.given = argumentsText(fields.arguments);
    this.#call(item, fields);
  }

  #itemDone(item: OutputItem, fields: Fields): void {
    if (item.done) return;
    item.done = true;
    if (fields.type === 'function_call') {
      this.#complete(this.#call(item, fields), argumentsText(fields.arguments));
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
      keepForReplay(item, fields);
    } else if (fields.type === 'message') {
      this.#rest(item, 'text', partTexts(fields.content).join(''));
    }
    if (item.block) this.#builder.end(item.block);
  }

  /** A part that came whole, without deltas. */
  #unlessBegun(item: OutputItem, type: 'text' | 'thinking', event: Fields): void {
    if (item.text === '') this.#add(item, type, textOf(event.text) ?? textOf(event.refusal) ?? '');
  }

  /** Adds what a whole text has beyond its deltas. */
  #rest(item: OutputItem, type: 'text' | 'thinking', whole: string): void {
    if (whole.startsWith(item.text)) this.#add(item, type, whole.slice(item.text.length));
  }

  #add(item: OutputItem, type: 'text' | 'thinking', delta: string): void {
    if (delta === '') return;
    item.block ??= this.#builder.open(type);
    item.text += delta;
    this.#builder.append(item.block, delta);
  }

  /** Parts of a reasoning are joined by one blank line. */
  #addThinking(item: OutputItem, part: string, delta: string): void {
    if (delta === '') return;
    const apart = item.part !== undefined && item.part !== part && !item.text.endsWith('\n\n');
    item.part = part;
    this.#add(item, 'thinking', apart ? `\n\n${delta}` : delta);
  }

  #call(item: OutputItem, fields: Fields): CallItem {
    const callId = textOf(fields.call_id);
    const itemId = textOf(fields.id);
    const id = callId && itemId ? `${callId}|${itemId}` : (callId ?? itemId);
    const name = textOf(fields.name);
    const call = (item.call ??= this.#builder.toolCall(id ?? this.#ownId(this.#items.size), name ?? ''));
    if (id) call.block.id = id;
    if (name && call.block.name === '') this.#builder.nameCall(call, name);
    return item as CallItem;
  }

  #addArguments(item: CallItem, delta: string): void {
    item.text += delta;
    this.#builder.callArguments(item.call, delta);
  }

  /** The whole arguments are what counts, also when pieces of them were lost or came twice. */
  #complete(item: CallItem, whole: string): void {
    if (whole.startsWith(item.text)) this.#addArguments(item, whole.slice(item.text.length));
    else if (whole !== '') {
      item.text = whole;
      this.#builder.replaceArguments(item.call, whole);
    }
  }

  #wholeBody(reader: EventReader): void {
    const body = fieldsOf(parseJson(reader.head));
    if (body?.error) throw inStream(detailOfError(body.error));
    if (body?.object === 'response' || Array.isArray(body?.output)) this.#response = body;
    else if (reader.head.trim() === '' || this.#ended) throw cut('The model server sent an empty answer');
    else if (reader.isEventStream) return;
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
    this.#reconcile(response.output);
    if (status === 'incomplete') {
      if (reason === undefined || reason === 'max_output_tokens') return 'length';
      throw finishedBadly(reason, undefined);
    }
    if (status === 'failed' || status === 'cancelled') throw finishedBadly(status, reason);
    return this.#builder.hasCalls ? 'toolUse' : 'stop';
  }

  /** What only the whole response has: items of a server that does not stream, ends that were left out, reasoning to send back. */
  #reconcile(output: unknown): void {
    for (const [index, each] of (Array.isArray(output) ? output : []).entries()) {
      const fields = fieldsOf(each);
      const item = fields && this.#items.inResponse(index, fields);
      if (!item) continue;
      if (!item.done) this.#itemDone(item, fields);
      else if (fields.type === 'reasoning' && fields.encrypted_content) keepForReplay(item, fields);
    }
    for (const item of this.#items.all) {
      if (isCall(item) && item.text === '') this.#addArguments(item, item.given ?? '');
    }
  }
}

/** The provider wants the whole item back. */
function keepForReplay({ block: open }: OutputItem, fields: Fields): void {
  if (open?.block.type === 'thinking') open.block.replay = { field: REASONING_ITEMS, items: [fields] };
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
