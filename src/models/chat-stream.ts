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
  type ReasoningPiece,
} from './chat-chunk';
import { complaintOf, detailOfError, errorDetail, looksLikeHtml } from './error-detail';
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
import { dataTexts, type EventReader } from './sse';
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
  #finishedAt = 0;
  /** The finish reason came before the end of what it ends, as from servers that send one with each chunk. */
  #early = false;
  #ended = false;
  #chunks = 0;
  /** Data that is no JSON: harmless in a stream that ends well, the best explanation of one that does not. */
  #noise = '';
  /** What a chunk that is no part of an answer says, such as an error of another shape. */
  #complaint = '';

  constructor(model: Model, builder: MessageBuilder, ownId: (n: number) => string) {
    this.#model = model;
    this.#builder = builder;
    this.#routing = new ToolCallRouting(builder, ownId, () => this.#endBlock());
  }

  /** Reads to the end of the answer, and gives why it stopped. Throws when it failed or was cut. */
  async read(reader: EventReader, watch: Watch): Promise<GoodStop> {
    try {
      for await (const events of reader.read()) {
        for (const event of events) this.#accept(event, reader.ended);
        if (this.#ended) break;
        if (!this.#isComplete) continue;
        const left = END_GRACE_MS - (performance.now() - this.#finishedAt);
        if (left <= 0) break;
        watch.expectEnd(left);
      }
    } catch (error) {
      // After the finish reason nothing is missing: an open socket or a late reset costs at most the usage.
      if (error instanceof ModelError && error.code !== 'model.idle') throw error;
      if (!this.#isComplete) throw error instanceof ModelError ? error : brokenStream(error);
    }
    return this.#stop(reader);
  }

  get #isComplete(): boolean {
    return this.#finish !== undefined && !this.#early;
  }

  /** `isTail`: the end of the body may have cut the event. */
  #accept({ event, data }: EventSourceMessage, isTail: boolean): void {
    for (const text of dataTexts(data)) {
      if (this.#ended) return;
      if (text === '[DONE]') {
        this.#ended = true;
        return;
      }
      const chunk = parseJson(text);
      if (event === 'error') throw inStream(chunk === undefined ? errorDetail(text) : detailOfError(chunk));
      const fields = fieldsOf(chunk);
      if (fields) this.#chunk(fields);
      else if (chunk === undefined) this.#noJson(text, isTail);
    }
  }

  #noJson(text: string, isTail: boolean): void {
    if (!/^[{[]/.test(text)) this.#noise ||= text;
    else if (!isTail && !this.#isComplete) throw badChunk(text);
  }

  #chunk(chunk: Fields): void {
    this.#chunks++;
    const choices = Array.isArray(chunk.choices) ? chunk.choices.map(fieldsOf) : [];
    const choice = choices.find((each) => each && Number(each.index ?? 0) === 0);
    if (choice) this.#choice(choice);
    const usage = usageOf(chunk.usage, this.#model.cost) ?? usageOf(choice?.usage, this.#model.cost);
    if (usage) this.#builder.setUsage(usage);
    if (chunk.error) throw inStream(detailOfError(chunk.error));
    if (chunk.object === 'error' || chunk.type === 'error') throw inStream(detailOfError(chunk));
    if (choice?.error) throw inStream(detailOfError(choice.error));
    if (!choice && !usage) this.#complaint ||= complaintOf(chunk);
  }

  #choice(choice: Fields): void {
    // A server that does not stream sends a whole message where a delta belongs.
    const delta = fieldsOf(choice.delta) ?? fieldsOf(choice.message);
    if (delta && this.#delta(delta)) this.#early = this.#finish !== undefined;
    const finish = textOf(choice.finish_reason);
    if (finish === undefined || finish === 'null') return;
    this.#finish = finish;
    this.#finishedAt = performance.now();
    this.#nativeFinish = textOf(choice.native_finish_reason) ?? this.#nativeFinish;
  }

  /** Whether it brought anything. */
  #delta(delta: Fields): boolean {
    const reasoning = reasoningPiece(delta);
    if (reasoning) this.#reasoning(reasoning);
    const refusal = textOf(delta.refusal);
    const pieces = contentPieces(delta.content);
    if (refusal) pieces.push({ type: 'text', text: refusal });
    for (const { type, text } of pieces) this.#add(type, text);
    const calls = callPieces(delta);
    for (const piece of calls) this.#routing.accept(piece);
    return reasoning !== undefined || pieces.length > 0 || calls.length > 0;
  }

  #reasoning({ field, text, items: pieces }: ReasoningPiece): void {
    const block = text === '' ? this.#silentThinking() : (this.#add('thinking', text) as Thinking);
    const before = block.replay?.items;
    const items = pieces ? mergeItems(before ?? [], pieces) : before;
    // Items are what the provider wants back, also when a later piece came as bare text.
    block.replay = items ? { field: 'reasoning_details', items } : { field };
  }

  /** Where reasoning goes that shows nothing: it must not break the text that it comes between. */
  #silentThinking(): Thinking {
    const known = this.#builder.message.content.findLast((block) => block.type === 'thinking');
    if (known) return known;
    const opened = this.#builder.open('thinking');
    this.#open ??= opened;
    return opened.block as Thinking;
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
    if (this.#complaint) throw inStream(this.#complaint);
    const arrived = this.#builder.message.content.length > 0;
    if (arrived && this.#model.compat?.supportsFinishReason === false) return;
    if (!arrived && this.#chunks === 0 && (this.#ended || !reader.isEventStream)) {
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
