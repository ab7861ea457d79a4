import type { EventSourceMessage } from 'eventsource-parser';
import type { Model, Text, Thinking } from '../loop';
import type { GoodStop, MessageBuilder, OpenBlock } from './assistant-message';
import {
  callPieces,
  contentPieces,
  fieldsOf,
  mergeItems,
  reasoningPiece,
  textOf,
  type Fields,
} from './chat-chunk';
import { detailOfError, errorDetail, looksLikeHtml } from './error-detail';
import { ModelError } from './errors';
import { finishMeaning } from './finish-reason';
import {
  badChunk,
  brokenStream,
  cut,
  finishedBadly,
  inStream,
  notAModelServer,
  parseJson,
} from './stream-errors';
import type { EventReader } from './sse';
import { ToolCallRouting } from './tool-call-routing';
import { usageOf } from './usage';
import type { Watch } from './watch';

/** How long after the finish reason the usage, or the end of the stream, may take to come. */
const END_GRACE_MS = 1000;

/** Turns the events of a Chat Completions stream into the assistant message. */
export class ChatStream {
  readonly #model: Model;
  readonly #builder: MessageBuilder;
  readonly #routing: ToolCallRouting;
  /** The block that text or thinking goes to; what comes next of the other kind is a block of its own. */
  #open: OpenBlock | undefined;
  #finish: string | undefined;
  #nativeFinish: string | undefined;
  #ended = false;
  #chunks = 0;
  /** Data that is no JSON: harmless in a stream that ends well, the best explanation of one that does not. */
  #noise = '';

  constructor(model: Model, builder: MessageBuilder, ownId: (n: number) => string) {
    this.#model = model;
    this.#builder = builder;
    this.#routing = new ToolCallRouting(builder, ownId, () => this.#endBlock());
  }

  /** Reads to the end of the answer, and gives why it stopped. Throws when it failed or was cut. */
  async read(reader: EventReader, watch: Watch): Promise<GoodStop> {
    try {
      for await (const events of reader.read()) {
        for (const event of events) this.#accept(event);
        if (this.#ended) break;
        if (this.#finish !== undefined) watch.expectEnd(END_GRACE_MS);
      }
    } catch (error) {
      // After the finish reason nothing is missing: an open socket or a late reset costs at most the usage.
      if (error instanceof ModelError && error.code !== 'model.idle') throw error;
      if (this.#finish === undefined) throw error instanceof ModelError ? error : brokenStream(error);
    }
    return this.#stop(reader);
  }

  #accept({ event, data }: EventSourceMessage): void {
    const text = data.trim();
    if (text === '' || this.#ended) return;
    if (text === '[DONE]') {
      this.#ended = true;
      return;
    }
    const chunk = parseJson(text);
    if (chunk === undefined) {
      if (/^[{[]/.test(text)) throw badChunk(text);
      this.#noise ||= text;
      return;
    }
    const fields = fieldsOf(chunk);
    if (event === 'error') throw inStream(detailOfError(chunk));
    if (fields) this.#chunk(fields);
  }

  #chunk(chunk: Fields): void {
    this.#chunks++;
    const choices = Array.isArray(chunk.choices) ? chunk.choices.map(fieldsOf) : [];
    const choice = choices.find((each) => each && (each.index ?? 0) === 0);
    if (choice) this.#choice(choice);
    const usage = usageOf(chunk.usage, this.#model.cost) ?? usageOf(choice?.usage, this.#model.cost);
    if (usage) this.#builder.setUsage(usage);
    if (chunk.error) throw inStream(detailOfError(chunk.error));
    if (chunk.object === 'error' || chunk.type === 'error') throw inStream(detailOfError(chunk));
    if (choice?.error) throw inStream(detailOfError(choice.error));
  }

  #choice(choice: Fields): void {
    // A server that does not stream sends a whole message where a delta belongs.
    const delta = fieldsOf(choice.delta) ?? fieldsOf(choice.message);
    if (delta) this.#delta(delta);
    const finish = textOf(choice.finish_reason);
    if (finish === undefined || finish === 'null') return;
    this.#finish = finish;
    this.#nativeFinish = textOf(choice.native_finish_reason) ?? this.#nativeFinish;
  }

  #delta(delta: Fields): void {
    const reasoning = reasoningPiece(delta);
    if (reasoning) {
      const block = this.#add('thinking', reasoning.text) as Thinking;
      const before = block.replay?.items;
      const items = reasoning.items ? mergeItems(before ?? [], reasoning.items) : before;
      // Items are what the provider wants back, also when a later piece came as bare text.
      if (items) block.replay = { field: 'reasoning_details', items };
      else block.replay = { field: reasoning.field };
    }
    for (const { type, text } of contentPieces(delta.content)) this.#add(type, text);
    const refusal = textOf(delta.refusal);
    if (refusal) this.#add('text', refusal);
    for (const piece of callPieces(delta)) this.#routing.accept(piece);
  }

  #add(type: 'text' | 'thinking', delta: string): Text | Thinking {
    if (this.#open?.block.type !== type) this.#endBlock();
    this.#open ??= this.#builder.open(type);
    this.#builder.append(this.#open, delta);
    return this.#open.block;
  }

  #endBlock(): void {
    if (this.#open) this.#builder.end(this.#open);
    this.#open = undefined;
  }

  #stop(reader: EventReader): GoodStop {
    if (this.#chunks === 0) this.#wholeBody(reader);
    if (this.#finish === undefined) this.#withoutFinish(reader);
    const { compat } = this.#model;
    const meaning = this.#finish === undefined ? 'stop' : finishMeaning(this.#finish, compat);
    if (this.#finish !== undefined) this.#builder.message.rawStopReason = this.#finish;
    if (meaning === 'error') throw finishedBadly(this.#finish ?? '', this.#nativeFinish);
    if (meaning === 'length') return 'length';
    // Servers say `stop` beside tool calls, and `tool_calls` without any.
    return this.#builder.hasCalls ? 'toolUse' : 'stop';
  }

  /** An answer that is no event stream: a whole completion, an error in JSON, or something else altogether. */
  #wholeBody(reader: EventReader): void {
    const body = fieldsOf(parseJson(reader.head));
    if (body) this.#chunk(body);
    else if (looksLikeHtml(reader.head)) throw notAModelServer(this.#model.baseUrl, errorDetail(reader.head));
  }

  #withoutFinish(reader: EventReader): void {
    const stray = reader.stray.trim() || this.#noise;
    if (stray && /error|exception|fail/i.test(stray)) throw inStream(errorDetail(stray));
    const arrived = this.#builder.message.content.length > 0;
    if (arrived && this.#model.compat?.supportsFinishReason === false) return;
    if (!arrived && this.#chunks === 0) {
      if (reader.head.trim() === '' || this.#ended) throw cut('The model server sent an empty answer');
      throw notAModelServer(this.#model.baseUrl, errorDetail(reader.head));
    }
    throw cut(
      this.#ended
        ? 'The answer ended without a finish reason: it may be incomplete'
        : 'The answer was cut off: the stream ended before a finish reason',
    );
  }
}
